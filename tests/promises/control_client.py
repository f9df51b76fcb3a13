"""A client of a run's control socket: has pid 1 of the sandbox start a process inside."""

import array
import fcntl
import os
import select
import socket
import struct
import time

SPAWN, TRY_ACTS, FINISHED, CANNOT_RUN, REFUSED, ACT, DONE = 2, 8, 18, 19, 20, 25, 26
MESSAGE = struct.Struct("=IiHH580s")  # type, value, rows, columns, text and more
ALL_SEALS = 0x1 | 0x2 | 0x4 | 0x8
F_ADD_SEALS = 1033


def runs_folder():
    """conftest.py gives the runs a runtime folder of their own."""
    return os.path.join(os.environ["XDG_RUNTIME_DIR"], "ringwall")


class CannotRun(Exception):
    pass


def encode(builtin, arguments, folder=""):
    """For a process without a terminal."""
    parts = [builtin, folder, *arguments]
    return b"-" + b"".join(struct.pack("=I", len(p.encode())) + p.encode() for p in parts)


def message(kind, value=0):
    return MESSAGE.pack(kind, value, 0, 0, b"")


def parse(answer):
    """(type, value, text)"""
    kind, value, _, _, text = MESSAGE.unpack(answer)
    return kind, value, text.split(bytes(1))[0].decode()


def memory_file(content):
    fd = os.memfd_create("request", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(fd, content)
    fcntl.fcntl(fd, F_ADD_SEALS, ALL_SEALS)
    return fd


def connect(name, still_starting, seconds=60):
    """Waits until the run has its control socket; None if it ends before."""
    path = os.path.join(runs_folder(), name, "control")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            connection.connect(path)
            return connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
        if not still_starting():
            return None
        time.sleep(0.005)
    return None


def spawn(connection, builtin, arguments, seconds=60):
    """Returns (exit status, output)."""
    payload = memory_file(encode(builtin, arguments))
    read_end, write_end = os.pipe()
    null = os.open("/dev/null", os.O_RDWR)
    fds = array.array("i", [payload, null, write_end, write_end])
    connection.sendmsg(
        [message(SPAWN)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)]
    )
    for fd in (payload, null, write_end):
        os.close(fd)
    output, status = b"", None
    end = time.monotonic() + seconds
    with os.fdopen(read_end, "rb", buffering=0) as answers:
        waits = [answers, connection]
        while waits:
            ready, _, _ = select.select(waits, [], [], max(0, end - time.monotonic()))
            if not ready:
                raise CannotRun("no answer in time; so far: " + output.decode())
            if answers in ready:
                piece = answers.read(65536)
                output += piece
                if not piece:
                    waits.remove(answers)
            if connection in ready:
                answer = connection.recv(MESSAGE.size)
                if len(answer) != MESSAGE.size:
                    raise CannotRun("the run ended; so far: " + output.decode())
                kind, value, text = parse(answer)
                if kind in (CANNOT_RUN, REFUSED):
                    raise CannotRun(f"{value} {text}")
                status = os.waitstatus_to_exitcode(value)
                waits.remove(connection)
    return status, output.decode()


def try_acts(connection, seconds=60):
    """{what the helpers tried, such as "relay: open a file": the error met, 0 if it worked}"""
    connection.settimeout(seconds)
    connection.sendall(message(TRY_ACTS))
    acts = {}
    while True:
        kind, value, text = parse(connection.recv(MESSAGE.size))
        if kind == DONE:
            return acts
        if kind != ACT:
            raise CannotRun(text)
        acts[text] = value
