"""receives an open file over the socket that is its standard input"""

import os
import socket

from evidence import secret_printed as succeeded

SHAPE = "SCM_RIGHTS: a socket carries descriptors through any wall of paths"
PROMISE = "P15"
PYTHON = """
import os, socket
line = socket.socket(fileno=0)
line.settimeout(30)
data, taken, _, _ = socket.recv_fds(line, 100, 4)
print(os.pread(taken[0], 999, 0).decode() if taken else "none came")
"""


def as_caller(host):
    ours, theirs = socket.socketpair()
    key = os.open(host.path("~/.ssh/id_ed25519"), os.O_RDONLY)
    socket.send_fds(ours, [b"here"], [key])
    os.dup2(theirs.fileno(), 0)
    os.set_inheritable(ours.fileno(), False)
    ours.shutdown(socket.SHUT_RD)
    ours.detach()
