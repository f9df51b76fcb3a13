"""makes pipes larger, whose pages are counted for the person"""

from evidence import word_printed as succeeded

SHAPE = "memory that no limit of a process counts"
PROMISE = "P33"
WALLS = "system-calls"
PYTHON = """
import fcntl, os
end, _ = os.pipe()
print("GOT-IT" if fcntl.fcntl(end, 1031, 1 << 20) >= 1 << 20 else "no")
"""
