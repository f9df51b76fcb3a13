"""asks for the granted host first, and on the same line for another"""

from evidence import other_tenant_asked as succeeded

SHAPE = "proxies that look at the first request alone"
PROMISE = "P27"
LAB = True
WALLS = "network-names"
OPTIONS = {"hosts": ["tenant-a.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("tenant-a.rwlab.net", 80), 30) as line:
    line.sendall(b"GET /a HTTP/1.1\\r\\nHost: tenant-a.rwlab.net\\r\\n\\r\\n")
    line.recv(9999)
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: tenant-b.rwlab.net\\r\\n\\r\\n")
    line.recv(9999)
"""
