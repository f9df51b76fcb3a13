"""makes a key in the kernel, which is counted for the person"""

from evidence import word_printed as succeeded

SHAPE = "keyrings: CVE-2016-0728, CVE-2017-7472"
PROMISE = "P04"
WALLS = "system-calls,keyring"
PYTHON = """
import ctypes
made = ctypes.CDLL(None).syscall(248, b"user", b"rw-attack", b"x", 1, -2)  # in the process's own keyring
print("GOT-IT" if made >= 0 else "refused")
"""
