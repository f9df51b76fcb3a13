"""connects to a socket of a host's service that lies in the workspace"""

SHAPE = "connect() works through read-only mounts: sockets of dev servers and databases in the tree"
PROMISE = "P13"
WALLS = "socket-masks"
PYTHON = """
import os, socket
os.chdir("run")
s = socket.socket(socket.AF_UNIX); s.connect("service.sock"); s.sendall(b"order")
"""


def prepare(host):
    host.path("run").mkdir()
    host.service = host.listen(host.path("run/service.sock"))


def succeeded(host, done):
    return b"order" in host.service.seen()
