"""starts more threads than it may"""

from evidence import word_printed as succeeded

SHAPE = "fork bombs by threads, which limits of processes forget"
PROMISE = "P33"
WALLS = "limits"
OPTIONS = {"processes": 60}
PYTHON = """
import threading
go, started = threading.Event(), 0
try:
    while started < 150:
        threading.Thread(target=go.wait, daemon=True).start()
        started += 1
except RuntimeError:
    pass
print("GOT-IT" if started == 150 else f"stopped at {started}")
go.set()
"""
