"""takes a descriptor out of a running program by pidfd_getfd"""

from evidence import secret_printed as succeeded

SHAPE = "the class of /proc/PID/fd, by a call that needs no /proc"
PROMISE = "P06"
PYTHON = """
import ctypes, os
pidfd = os.pidfd_open(@PID@)
taken = ctypes.CDLL(None).syscall(438, pidfd, 7, 0)
print(os.pread(taken, 100, 0).decode())
"""


def prepare(host):
    host.write("~/deleted", host.secret)
    host.own()
    victim = host.start("sh", "-c", "exec 7< ~/deleted; rm ~/deleted; exec sleep 600")
    host.wait_for(lambda: not host.path("~/deleted").exists())
    host.facts["PID"] = victim.pid
