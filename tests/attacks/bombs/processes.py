"""starts more processes than it may"""

from evidence import word_printed as succeeded

SHAPE = "fork bombs: the host has no process left to end it"
PROMISE = "P33"
WALLS = "limits"
OPTIONS = {"processes": 60}
PYTHON = """
import os, signal, time
started = []
try:
    while len(started) < 150:
        child = os.fork()
        if child == 0:
            signal.pause()
        started.append(child)
except OSError:
    pass
print("GOT-IT" if len(started) == 150 else f"stopped at {len(started)}")
for child in started:
    os.kill(child, signal.SIGKILL)
"""
