"""watches who opens which file on the host"""

from evidence import word_printed as succeeded

SHAPE = "fanotify: what goes on outside, seen from inside"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes
made = ctypes.CDLL(None).syscall(300, 0x200, 0)  # FAN_REPORT_FID, which everybody may
print("GOT-IT" if made >= 0 else "refused")
"""
