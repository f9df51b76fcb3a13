"""Who starts a program, seen from outside: the kernel asks before each start of a file, and the starter is looked at.

A program that ends after a moment cannot be found by looking for its process. fanotify holds each execve() of a file
until it is answered.
"""

import ctypes
import os
import select
import struct
import threading

FAN_CLASS_CONTENT = 0x04
FAN_CLOEXEC = 0x01
FAN_NONBLOCK = 0x02
FAN_OPEN_EXEC_PERM = 0x00040000
FAN_MARK_ADD = 0x01
FAN_ALLOW = 0x01
AT_FDCWD = -100
EVENT = struct.Struct("=IBBHqii")
NAMESPACES = ("pid", "mnt", "net", "ipc", "user")

_libc = ctypes.CDLL(None, use_errno=True)


def namespaces_of(pid):
    return {name: os.readlink(f"/proc/{pid}/ns/{name}") for name in NAMESPACES}


def is_inside(namespaces, bare):
    """None of them is one that a process without walls has there."""
    return all(namespaces[name] != bare[name] for name in NAMESPACES)


class ExecWatch:
    """with ExecWatch(FILE) as watch: …; watch.starts: the namespaces of each process that started it."""

    def __init__(self, path):
        self.path = str(path)
        self.starts = []

    def __enter__(self):
        self.fd = _libc.fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK, os.O_RDONLY)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "fanotify_init")
        mark = _libc.fanotify_mark(self.fd, FAN_MARK_ADD, ctypes.c_uint64(FAN_OPEN_EXEC_PERM), AT_FDCWD,
                                   self.path.encode())
        if mark < 0:
            raise OSError(ctypes.get_errno(), f"fanotify_mark {self.path}")
        self.stop, self.stopped = os.pipe()
        self.thread = threading.Thread(target=self.answer)
        self.thread.start()
        return self

    def __exit__(self, *_):
        os.close(self.stopped)
        self.thread.join()
        os.close(self.fd)
        os.close(self.stop)

    def answer(self):
        while True:
            ready, _, _ = select.select([self.fd, self.stop], [], [])
            if self.stop in ready:
                return
            data = os.read(self.fd, 4096)
            while data:
                length, _, _, _, _, file, pid = EVENT.unpack_from(data)
                try:
                    self.starts.append(namespaces_of(pid))
                finally:
                    os.write(self.fd, struct.pack("=iI", file, FAN_ALLOW))
                    os.close(file)
                data = data[length:]
