"""listens to the kernel's messages about devices"""

from evidence import word_printed as succeeded

SHAPE = "netlink families: the kernel's most attacked sockets"
PROMISE = "P28"
WALLS = "system-calls"
PYTHON = """
import socket
socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 15)
print("GOT-IT")
"""
