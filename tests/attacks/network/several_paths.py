"""connects by multipath TCP, which is another protocol to filters"""

from evidence import secret_left as succeeded

SHAPE = "MPTCP past filters of TCP"
PROMISE = "P23"
LAB = True
PYTHON = """
import socket
line = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
line.settimeout(30)
line.connect(("93.184.216.10", 80))
line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: www.rwlab.net\\r\\n\\r\\n")
line.recv(999)
"""


def not_here():
    import socket

    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close()
    except OSError as error:
        return f"this kernel has no multipath TCP: {error}"
