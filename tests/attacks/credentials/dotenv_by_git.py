"""has git store .env and show it"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-66032: a command that was thought harmless reads the file"
PROMISE = "P11"
WALLS = "hidden-files"
ACT = "git add -f .env; git cat-file -p :.env; git stash -u; git show stash^3:.env"


def prepare(host):
    host.write(".env", f"DATABASE_PASSWORD={host.secret}\n")
