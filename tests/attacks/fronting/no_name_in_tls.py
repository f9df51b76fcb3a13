"""names nobody in TLS and asks for another inside"""

from evidence import other_tenant_asked as succeeded

SHAPE = "domain fronting without SNI"
PROMISE = "P27"
LAB = True
WALLS = "network-names"
OPTIONS = {"hosts": ["tenant-a.rwlab.net"]}
PYTHON = """
import socket, ssl
context = ssl._create_unverified_context()
line = context.wrap_socket(socket.create_connection(("tenant-a.rwlab.net", 443), 30))
line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: tenant-b.rwlab.net\\r\\n\\r\\n")
line.recv(999)
"""
