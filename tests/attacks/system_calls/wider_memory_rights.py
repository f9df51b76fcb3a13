"""makes all memory that can be read executable"""

from evidence import word_printed as succeeded

SHAPE = "personality READ_IMPLIES_EXEC: code in data, as exploits want it"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes
print("GOT-IT" if ctypes.CDLL(None).personality(0x0400000) >= 0 else "refused")
"""
