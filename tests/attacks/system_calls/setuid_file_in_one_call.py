"""makes a setuid file by open and by mknod, without chmod"""

SHAPE = "setuid files left in a shared folder, past a filter of chmod"
PROMISE = "P02"
WALLS = "system-calls"
PYTHON = """
import os, stat
for make in (lambda: os.open("a", os.O_CREAT | os.O_WRONLY, 0o4755), lambda: os.mknod("b", stat.S_IFREG | 0o4755)):
    try:
        make()
    except OSError:
        pass
"""


def succeeded(host, done):
    return any(path.stat().st_mode & 0o6000 for path in host.work.iterdir())
