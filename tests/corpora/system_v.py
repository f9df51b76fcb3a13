"""Segments and queues that a program of the person's has made; they are removed with the host."""

import ctypes
import os
import sys

LIBC = ctypes.CDLL("libc.so.6", use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
PRIVATE, CREATE, REMOVE = 0, 0o1000, 0
MODE = 0o600


def as_person(host, work):
    """work() in a child that is the person of the host; the number it returns."""
    end, other = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            host.become()
            os.write(other, str(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(other)
    with os.fdopen(end) as told:
        number = told.read()
    if os.waitpid(pid, 0)[1] or int(number) < 0:
        raise OSError("no such object could be made")
    return int(number)


def segment(host, text):
    def make():
        number = LIBC.shmget(PRIVATE, 4096, CREATE | MODE)
        ctypes.memmove(LIBC.shmat(number, None, 0), text.encode() + b"\0", len(text) + 1)
        return number

    number = as_person(host, make)
    host.closing.append(lambda: LIBC.shmctl(number, REMOVE, None))
    return number


def queue(host, text):
    def make():
        number = LIBC.msgget(PRIVATE, CREATE | MODE)
        message = (1).to_bytes(8, sys.byteorder) + text.encode()
        LIBC.msgsnd(number, message, len(text), 0)
        return number

    number = as_person(host, make)
    host.closing.append(lambda: LIBC.msgctl(number, REMOVE, None))
    return number


def posix_queue(host, text):
    """The name of a queue that holds one message."""
    name = f"{text[::-1]}"

    def make():
        attributes = (ctypes.c_long * 8)(0, 4, 200)
        made = LIBC.mq_open(f"/{name}".encode(), os.O_CREAT | os.O_RDWR, MODE, attributes)
        return -1 if made < 0 else LIBC.mq_send(made, text.encode(), len(text), 0)

    as_person(host, make)
    host.closing.append(lambda: LIBC.mq_unlink(f"/{name}".encode()))
    return name
