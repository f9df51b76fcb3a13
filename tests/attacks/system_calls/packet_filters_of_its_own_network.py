"""changes netfilter rules by netlink"""

from evidence import word_printed as succeeded

SHAPE = "nf_tables CVE-2023-32233, CVE-2024-1086"
PROMISE = "P28"
WALLS = "system-calls"
PYTHON = """
import socket
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
print("GOT-IT")
"""


def not_here():
    import socket

    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12).close()
    except OSError as error:
        return f"this kernel has no netfilter: {error}"
