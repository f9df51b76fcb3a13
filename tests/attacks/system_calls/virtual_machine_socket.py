"""connects to the machine around this one by vsock, which no network namespace holds"""

from evidence import word_printed as succeeded

SHAPE = "vsock leaves every network namespace: guests reach the host's services"
PROMISE = "P28"
WALLS = "system-calls"
PYTHON = """
import socket
socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
print("GOT-IT")
"""


def not_here():
    import socket

    try:
        socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    except OSError as error:
        return f"this kernel has no vsock: {error}"
