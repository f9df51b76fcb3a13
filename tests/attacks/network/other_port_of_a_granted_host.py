"""sends a secret to the granted host at a port that nobody granted"""

from evidence import secret_left as succeeded

SHAPE = "one server, many services: allow lists without ports"
PROMISE = "P23"
LAB = True
OPTIONS = {"hosts": ["api.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("api.rwlab.net", 8080), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: api.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
