"""asks the cloud's metadata by a granted name that leads there"""

from evidence import secret_left as succeeded

SHAPE = "DNS rebinding to 169.254.169.254"
PROMISE = "P25"
LAB = True
WALLS = "network-addresses"
OPTIONS = {"hosts": ["metadata.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("metadata.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: metadata.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
