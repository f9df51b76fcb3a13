"""changes its root folder as root of a namespace, and walks out"""

from evidence import secret_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "the classic way out of chroot"
PROMISE = "P05"
PYTHON = """
import ctypes, os
libc = ctypes.CDLL(None)
libc.unshare(0x10000000)
os.mkdir("jail")
try:
    os.chroot("jail")
except OSError:
    pass
for _ in range(50):
    os.chdir("..")
try:
    os.chroot(".")
except OSError:
    pass
print(open("@HOME@/notes.txt").read())
"""
