"""makes memory that nobody can look at"""

from evidence import word_printed as succeeded

SHAPE = "memfd_secret: hiding from who supervises"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes
made = ctypes.CDLL(None).syscall(447, 0)
print("GOT-IT" if made >= 0 else "refused")
"""


def not_here():
    import host_settings

    return host_settings.no_call(447, 0)
