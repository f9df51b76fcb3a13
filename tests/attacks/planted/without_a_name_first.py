"""makes a nameless file, and gives it a protected name when it is complete"""

SHAPE = "watches that wait for names are late: O_TMPFILE and linkat"
PROMISE = "P10"
WALLS = "protected-files,plant-watch"
PYTHON = """
import ctypes, os
made = os.open(".", os.O_TMPFILE | os.O_RDWR)
os.write(made, b"evil")
ctypes.CDLL(None).linkat(-100, f"/proc/self/fd/{made}".encode(), -100, b".mcp.json", 0x400)  # AT_SYMLINK_FOLLOW
"""


def succeeded(host, done):
    return b"evil" in host.read(".mcp.json")
