"""has the person's ssh-agent sign"""

SHAPE = "ssh-agent within reach of a container: keys are used without being read"
PROMISE = "P13"
WALLS = "new-root"
ENVIRONMENT = {"SSH_AUTH_SOCK": "@RUNTIME@/agent.sock"}
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("@RUNTIME@/agent.sock"); s.sendall(b"\\0\\0\\0\\1\\x0b")
"""


def prepare(host):
    host.agent = host.listen(host.runtime / "agent.sock")


def succeeded(host, done):
    return b"\0\0\0\1\x0b" in host.agent.seen()
