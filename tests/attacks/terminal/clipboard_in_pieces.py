"""writes the clipboard by a sequence in pieces, one byte at a time, with others in between"""

SHAPE = "OSC 52 against filters that look at one write at a time"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
PYTHON = """
import os, sys
for byte in b"\\x1b]5" + b"2;c;Y3VybA==\\a":
    os.write(1, bytes([byte]))
    os.sched_yield()
"""


def succeeded(host, done):
    return "\x1b]52;c;" in done.out
