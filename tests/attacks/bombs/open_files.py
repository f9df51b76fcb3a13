"""opens more files than it may, after asking for a higher limit"""

from evidence import word_printed as succeeded

SHAPE = "descriptor bombs"
PROMISE = "P33"
WALLS = "limits"
OPTIONS = {"open_files": 100}
PYTHON = """
import os, resource
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500))
except (OSError, ValueError):
    pass
held = []
try:
    while len(held) < 300:
        held.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
print("GOT-IT" if len(held) == 300 else f"stopped at {len(held)}")
"""
