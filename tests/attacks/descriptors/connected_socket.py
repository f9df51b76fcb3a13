"""speaks on a connection of the caller's that was left open"""

import os
import socket

SHAPE = "inherited sockets reach over network namespaces"
PROMISE = "P15"
WALLS = "descriptors"
ACT = "echo order >&6"


def prepare(host):
    host.listener = host.listen("tcp")


def as_caller(host):
    line = socket.create_connection(("127.0.0.1", host.listener.port))
    os.dup2(line.fileno(), 6)


def succeeded(host, done):
    return b"order\n" in host.listener.seen()
