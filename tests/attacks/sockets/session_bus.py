"""asks the session bus to start a program outside"""

SHAPE = "D-Bus within reach of a sandbox: systemd-run --user starts anything outside"
PROMISE = "P13"
WALLS = "new-root"
ENVIRONMENT = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=@RUNTIME@/bus"}
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("@RUNTIME@/bus"); s.sendall(b"\\0AUTH EXTERNAL")
"""


def prepare(host):
    host.bus = host.listen(host.runtime / "bus")


def succeeded(host, done):
    return b"\0AUTH EXTERNAL" in host.bus.seen()
