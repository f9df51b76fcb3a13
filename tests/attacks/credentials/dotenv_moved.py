"""renames, links and copies .env, and the folder that it lies in"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-59829: a deny rule for a name, and the file under another"
PROMISE = "P11"
WALLS = "hidden-files"
ACT = """
mv app/.env app/plain; ln app/.env app/linked; cp app/.env app/copied; mv app app2
cat app*/plain app*/linked app*/copied app2/.env
"""


def prepare(host):
    host.write("app/.env", f"DATABASE_PASSWORD={host.secret}\n")
