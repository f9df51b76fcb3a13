"""kills a process by a pidfd that was left open"""

import os

from host import is_ending

SHAPE = "inherited handles: pidfds reach over pid namespaces"
PROMISE = "P15"
PYTHON = """
import signal
signal.pidfd_send_signal(5, signal.SIGKILL)
"""


def prepare(host):
    host.victim = host.start("sleep", "600")


def as_caller(host):
    os.dup2(os.pidfd_open(host.victim.pid), 5)


def succeeded(host, done):
    return is_ending(host.victim)
