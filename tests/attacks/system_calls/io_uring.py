"""makes an io_uring, which does calls that no filter sees"""

from evidence import word_printed as succeeded

SHAPE = "io_uring passes filters of socket() and open(), and has a long record of kernel holes"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes
made = ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120))
print("GOT-IT" if made >= 0 else "refused")
"""


def not_here():
    try:
        with open("/proc/sys/kernel/io_uring_disabled") as setting:
            return None if setting.read().strip() == "0" else "io_uring is switched off here"
    except FileNotFoundError:
        return None
