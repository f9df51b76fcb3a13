"""connects to an abstract socket, which no file stands for"""

SHAPE = "containerd CVE-2020-15257: abstract sockets belong to the network namespace"
PROMISE = "P13"
WALLS = "network-namespace,landlock"
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("\\0@NAME@"); s.sendall(b"order")
"""


def prepare(host):
    host.facts["NAME"] = f"{host.secret}-abstract"
    host.listener = host.listen(f"\0{host.secret}-abstract")


def succeeded(host, done):
    return b"order" in host.listener.seen()
