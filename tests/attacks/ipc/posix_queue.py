"""takes a message out of a POSIX queue of the person's"""

from evidence import secret_printed as succeeded
from system_v import posix_queue

SHAPE = "containers that share the host's IPC namespace"
PROMISE = "P18"
WALLS = "ipc-namespace,own-identity,landlock"
PYTHON = """
import ctypes
libc = ctypes.CDLL("libc.so.6")
queue = libc.mq_open(b"/@QUEUE@", 0)
data = ctypes.create_string_buffer(200)
if queue >= 0:
    libc.mq_receive(queue, data, 200, None)
print(data.value.decode())
"""


def prepare(host):
    host.facts["QUEUE"] = posix_queue(host, host.secret)
