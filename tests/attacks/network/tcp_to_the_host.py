"""connects to a service on the host's loopback"""

SHAPE = "CVE-2025-52882: a web socket of an editor on loopback took orders from anybody"
PROMISE = "P25"
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("127.0.0.1", @PORT@), 10) as line:
    line.sendall(b"order")
"""


def prepare(host):
    host.listener = host.listen("tcp")


def succeeded(host, done):
    return b"order" in host.listener.seen()
