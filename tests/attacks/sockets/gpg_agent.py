"""talks to the person's gpg-agent in its home"""

SHAPE = "gpg-agent within reach of a container"
PROMISE = "P13"
WALLS = "private-home"
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("@HOME@/.gnupg/S.gpg-agent"); s.sendall(b"SIGKEY")
"""


def prepare(host):
    host.agent = host.listen(host.path("~/.gnupg/S.gpg-agent"))


def succeeded(host, done):
    return b"SIGKEY" in host.agent.seen()
