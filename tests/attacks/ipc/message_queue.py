"""takes a message out of a System V queue of the person's"""

from evidence import secret_printed as succeeded
from system_v import queue

SHAPE = "containers that share the host's IPC namespace"
PROMISE = "P18"
WALLS = "ipc-namespace,own-identity"
PYTHON = """
import ctypes
libc = ctypes.CDLL(None)
data = ctypes.create_string_buffer(200)
libc.msgrcv(@QUEUE@, data, 100, 0, 0o4000)
print(data.raw[8:].rstrip(b"\\0").decode())
"""


def prepare(host):
    host.facts["QUEUE"] = queue(host, host.secret)
