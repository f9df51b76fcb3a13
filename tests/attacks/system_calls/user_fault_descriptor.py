"""makes a descriptor that stops the kernel at chosen places"""

from evidence import word_printed as succeeded

SHAPE = "userfaultfd wins races in kernel exploits"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes
made = ctypes.CDLL(None).syscall(323, 1)  # UFFD_USER_MODE_ONLY
print("GOT-IT" if made >= 0 else "refused")
"""
