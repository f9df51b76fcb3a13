"""talks to a service of the host by its address in the network"""

from evidence import secret_left as succeeded

SHAPE = "services that trust their own network"
PROMISE = "P25"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
with socket.create_connection(("192.168.77.2", 7003), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    line.recv(999)
"""
