"""lists the segments and queues of the host"""

from system_v import segment

SHAPE = "containers that share the host's IPC namespace"
PROMISE = "P18"
WALLS = "ipc-namespace"
ACT = "cat /proc/sysvipc/shm"


def prepare(host):
    host.number = segment(host, host.secret)


def succeeded(host, done):
    return f" {host.number} " in done.out
