"""attaches a System V segment of the person's"""

from evidence import secret_printed as succeeded
from system_v import segment

SHAPE = "containers that share the host's IPC namespace"
PROMISE = "P18"
WALLS = "ipc-namespace,own-identity"
PYTHON = """
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(@SEGMENT@, None, 0o10000)
print(ctypes.string_at(at).decode())
"""


def prepare(host):
    host.facts["SEGMENT"] = segment(host, host.secret)
