"""connects to the display, where every key could be read"""

SHAPE = "X11 and Wayland within reach of a sandbox"
PROMISE = "P13"
WALLS = "new-root"
ENVIRONMENT = {"WAYLAND_DISPLAY": "wayland-0"}
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("@RUNTIME@/wayland-0"); s.sendall(b"bind")
"""


def prepare(host):
    host.display = host.listen(host.runtime / "wayland-0")


def succeeded(host, done):
    return b"bind" in host.display.seen()
