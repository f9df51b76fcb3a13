"""Sockets of the host that things from inside may arrive at.

They have no thread: the kernel completes connections and keeps what was sent, and `seen` reads it when somebody asks.
"""

import os
import socket

MOST = 1 << 16


class Streams:
    """A listening socket; what was connected to it, and sent."""

    def __init__(self, family, address):
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind(address)
        self.socket.listen(64)
        self.socket.setblocking(False)
        self.lines = []
        self.heard = []

    @property
    def port(self):
        return self.socket.getsockname()[1]

    def seen(self):
        """What each connection until now has sent, in order; b"" for one that said nothing."""
        while True:
            try:
                line, _ = self.socket.accept()
            except BlockingIOError:
                break
            line.setblocking(False)
            self.lines.append(line)
            self.heard.append(b"")
        for number, line in enumerate(self.lines):
            try:
                while more := line.recv(MOST):
                    self.heard[number] += more
            except OSError:
                pass  # nothing more until now, or it was broken off
        return self.heard

    def close(self):
        for made in (*self.lines, self.socket):
            made.close()


class Datagrams:
    """A socket for datagrams, and what came."""

    def __init__(self, family, address):
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)
        self.heard = []

    @property
    def port(self):
        return self.socket.getsockname()[1]

    def seen(self):
        try:
            while True:
                self.heard.append(self.socket.recv(MOST))
        except BlockingIOError:
            return self.heard

    def close(self):
        self.socket.close()


def at_path(path, kind=Streams):
    """A socket in a folder of the host; the long way round is cut, since paths of sockets are short."""
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(os.path.dirname(path))
        made = kind(socket.AF_UNIX, os.path.basename(path))
        os.chmod(os.path.basename(path), 0o777)
        return made
    finally:
        os.fchdir(before)
        os.close(before)
