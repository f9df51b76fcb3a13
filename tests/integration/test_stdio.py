"""Descriptors 0, 1 and 2, one by one: a terminal is a terminal inside, all else is what it was, to the last byte."""

import hashlib
import itertools
import os
import socket
import subprocess
import threading
import time

import pytest
from terminals import at_terminal, quoted, run_at, wait_until  # noqa: F401

KINDS = ("terminal", "pipe", "file")
COMBINATIONS = list(itertools.product(KINDS, repeat=3))
# What each is, told in a file of the workspace; then a line from 0 and a line to 1 and 2.
LOOK = """
import os, stat, sys
def kind(fd):
    mode = os.fstat(fd).st_mode
    return "terminal" if os.isatty(fd) else "pipe" if stat.S_ISFIFO(mode) else "file" if stat.S_ISREG(mode) else "other"
with open("kinds", "w") as file: print(*map(kind, range(3)), file=file)
line = os.read(0, 100)
os.write(1, b"out " + line)
os.write(2, b"err " + line)
sys.exit(3)
"""


class Stream:
    """One of the three, outside: what is written to it, and what came of it."""

    def __init__(self, place, kind, number):
        self.kind, self.theirs, self.ours = kind, None, None
        if kind == "pipe":
            ends = os.pipe()
            self.theirs, self.ours = ends if number == 0 else ends[::-1]
            if number == 0:
                os.write(self.ours, b"a line\n")
        if kind == "file":
            self.path = place.root / f"stream{number}"
            self.path.write_bytes(b"a line\n" if number == 0 else b"")
            self.theirs = os.open(self.path, os.O_RDONLY if number == 0 else os.O_WRONLY)

    def written(self, terminal):
        os.close(self.theirs) if self.theirs is not None else None
        if self.kind == "terminal":
            return terminal
        if self.kind == "file":
            return self.path.read_bytes()
        with os.fdopen(self.ours, "rb") as file:
            return file.read()


@pytest.mark.parametrize("kinds", COMBINATIONS, ids="-".join)
def test_every_combination(ringwall, at_terminal, place, kinds):
    """Three descriptors of three kinds are inside what they are outside."""
    streams = [Stream(place, kind, number) for number, kind in enumerate(kinds)]
    names = ("stdin", "stdout", "stderr")
    options = {name: stream.theirs for name, stream in zip(names, streams) if stream.theirs is not None}
    run = at_terminal(*ringwall.command(["run", "--", "/usr/bin/python3", "-c", LOOK]), **options)
    if kinds[0] == "terminal":
        wait_until(lambda: (place.work / "kinds").exists() or run.process.poll() is not None)
        run.send("a line\n")
    assert run.process.wait(60) == 3
    terminal = run.until_end()
    assert (place.work / "kinds").read_text().split() == list(kinds)
    assert_written(streams[1], terminal, b"out a line")
    assert_written(streams[2], terminal, b"err a line")
    if kinds[0] == "pipe":
        os.close(streams[0].ours)


def assert_written(stream, terminal, line):
    seen = stream.written(terminal)
    if stream.kind == "terminal":
        assert line in seen
    else:
        assert seen == line + b"\n" and line not in terminal


# Much, both ways.

SIZE = 64 << 20
BACK_AND_FORTH = """
import os, sys, threading, hashlib
def read():
    seen = hashlib.sha256()
    while data := os.read(0, 1 << 16): seen.update(data)
    sys.stderr.write(seen.hexdigest())
reader = threading.Thread(target=read)
reader.start()
block = bytes(range(256)) * 256
for i in range({size} // len(block)): os.write(1, block) == len(block) or sys.exit(9)
os.close(1)
reader.join()
"""
OURS = bytes(reversed(range(256))) * 256
THEIRS = bytes(range(256)) * 256


def digest_of(block):
    seen = hashlib.sha256()
    for _ in range(SIZE // len(block)):
        seen.update(block)
    return seen.hexdigest()


def feed(write, close):
    for _ in range(SIZE // len(OURS)):
        write(OURS)
    close()


def drain(read):
    seen = hashlib.sha256()
    while data := read(1 << 16):
        seen.update(data)
    return seen.hexdigest()


def exchange(process, write, close, read):
    """64 MiB each way at the same time, each ended by a half-close."""
    writer = threading.Thread(target=feed, args=(write, close))
    writer.start()
    came = drain(read)
    writer.join(30)
    err = process.stderr.read().decode()
    assert process.wait(60) == 0, err
    assert came == digest_of(THEIRS) and err == digest_of(OURS)


def test_much_through_pipes(ringwall):
    process = ringwall.start("run", "--", "/usr/bin/python3", "-c", BACK_AND_FORTH.format(size=SIZE))
    with process.stdin, process.stdout, process.stderr:
        exchange(process, process.stdin.write, process.stdin.close, process.stdout.read)


@pytest.mark.parametrize("command", ["run"])
def test_much_through_a_socket(ringwall, command):
    """One socket as both input and output: a relayed pair inside."""
    ours, theirs = socket.socketpair()
    words = ["/usr/bin/python3", "-c", BACK_AND_FORTH.replace("os.close(1)", "import socket; socket.socket(fileno=1).shutdown(1)").format(size=SIZE)]
    around = None
    if command == "exec":
        around = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read x")
        assert around.stdout.readline() == b"up\n"
        ringwall.wait_for_run("here")
    before = ["run", "--"] if command == "run" else ["exec", "here", "--"]
    process = ringwall.start(*before, *words, stdin=theirs, stdout=theirs)
    theirs.close()
    with ours, process.stderr:
        try:
            exchange(process, ours.sendall, lambda: ours.shutdown(socket.SHUT_WR), ours.recv)
        finally:
            around and around.communicate(b"\n", 60)


def test_a_half_close_of_the_output_leaves_the_input_open(ringwall):
    """The inside has said all it has to say, and listens on."""
    ours, theirs = socket.socketpair()
    listen = "import os, socket, sys\nsocket.socket(fileno=os.dup(0)).shutdown(socket.SHUT_WR)\nn = 0\nwhile data := os.read(0, 1 << 16): n += len(data)\nsys.stderr.write(str(n))"
    process = ringwall.start("run", "--", "/usr/bin/python3", "-c", listen, stdin=theirs, stdout=theirs)
    theirs.close()
    with ours, process.stderr:
        assert ours.recv(1) == b""
        for _ in range(64):
            ours.sendall(OURS)
        ours.shutdown(socket.SHUT_WR)
        assert process.stderr.read() == str(64 * len(OURS)).encode()
    assert process.wait(60) == 0


def test_much_into_a_terminal_run_by_a_pipe(ringwall, at_terminal, place):
    """Keys and pipes do not mix: input comes by a pipe, output goes to a file, messages to a terminal."""
    block = bytes(range(256)) * 4096
    reader, writer = os.pipe()
    with open(place.root / "out", "wb") as out:
        run = at_terminal(*ringwall.command(["run", "--", "cat"]), stdin=reader, stdout=out)
    os.close(reader)
    with os.fdopen(writer, "wb") as file:
        for _ in range(16):
            file.write(block)
    assert run.status() == 0 and (place.root / "out").read_bytes() == block * 16


# Ends.


def shell_status(ringwall, bare, script):
    """How a pipeline of bash ends, bare and with every `rw` inside."""
    words = lambda run: ["bash", "-c", f"rw() {{ {run} \"$@\"; }}; {script}; echo ${{PIPESTATUS[*]}} >&2"]  # noqa: E731
    return bare(*words("")).err.split("\n")[-2], bare(*words(quoted(ringwall, "run", "--"))).err.split("\n")[-2]


@pytest.mark.parametrize(
    "script",
    [
        "rw yes | head -n 1",  # SIGPIPE
        "rw sh -c 'trap \"\" PIPE; seq 1000000 || exit 7' | true",  # EPIPE
        "seq 1000000 | rw true",  # the writer outside is told
        "rw cat </dev/null | cat",
        "echo x | rw cat | cat",
        "rw sh -c 'exec >&-; cat' </dev/null | cat",  # a half-close
    ],
)
def test_a_pipeline_ends_as_without(ringwall, bare, script):
    outside, inside = shell_status(ringwall, bare, script)
    assert inside == outside


def test_the_reader_sees_the_end_while_the_command_goes_on(ringwall):
    """A command that closes its output has closed it for everybody."""
    process = ringwall.start("run", "--", "sh", "-c", "echo x; exec >&- 2>&-; read line")
    assert process.stdout.read() == b"x\n"
    assert process.poll() is None
    process.stdin.write(b"\n")
    process.stdin.close()
    assert process.wait(60) == 0
    process.stderr.close()


def test_the_same_at_a_terminal(ringwall, at_terminal, place):
    """Only messages go to the terminal; neither the front end nor the supervisor keeps the pipe open."""
    reader, writer = os.pipe()
    run = at_terminal(*ringwall.command(["run", "--", "sh", "-c", "echo x; exec >&-; until test -e go; do sleep 0.01; done"]), stdout=writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == b"x\n"
    assert run.process.poll() is None
    (place.work / "go").touch()
    assert run.status() == 0


def test_the_writer_outside_is_told_at_a_terminal(ringwall, at_terminal, place):
    """The command has closed its input: nobody else holds it, so writing fails."""
    reader, writer = os.pipe()
    run = at_terminal(*ringwall.command(["run", "--", "sh", "-c", "exec <&-; echo closed; until test -e go; do sleep 0.01; done"]), stdin=reader)
    os.close(reader)
    run.expect("closed\r\n")
    # It was given to the command a moment before the supervisor let go of it.
    with pytest.raises(BrokenPipeError):
        for _ in range(500):
            os.write(writer, b"x")
            time.sleep(0.01)
    os.close(writer)
    (place.work / "go").touch()
    assert run.status() == 0


def test_a_fifo_and_a_file_keep_their_place(ringwall, place):
    """A file is shared with the caller: who reads next reads on where the command stopped."""
    (place.work / "lines").write_text("one\ntwo\nthree\n")
    run = quoted(ringwall, "run", "--", "sh", "-c", "read x; echo inside $x")
    done = subprocess.run(
        ["sh", "-c", f"(read a; {run}; read b; echo outside $a $b) <lines"], cwd=place.work, env=place.environment(), capture_output=True, timeout=120
    )
    assert done.stdout == b"inside two\noutside one three\n"


def test_append_stays_append(ringwall, place):
    (place.work / "log").write_text("first\n")
    with open(place.work / "log", "ab") as log:
        process = ringwall.start("run", "--", "sh", "-c", "echo second; echo between >>log; echo third", stdout=log)
        assert process.wait(60) == 0
    process.communicate()
    assert (place.work / "log").read_text() == "first\nsecond\nbetween\nthird\n"


def test_the_writer_is_told_when_the_inside_has_closed_its_socket(ringwall):
    ours, theirs = socket.socketpair()
    ours.settimeout(3)
    process = ringwall.start("run", "--", "sh", "-c", "exec <&- >&-; echo closed >&2; exec sleep 60", stdin=theirs, stdout=theirs)
    theirs.close()
    try:
        with ours, process.stderr:
            assert process.stderr.readline() == b"closed\n"
            assert ours.recv(1) == b""
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                for _ in range(64):
                    ours.sendall(OURS)
    finally:
        process.terminate()
        assert process.wait(60) == 143


def test_much_through_a_socket_by_exec(ringwall):
    ours, theirs = socket.socketpair()
    words = ["/usr/bin/python3", "-c", BACK_AND_FORTH.replace("os.close(1)", "import socket; socket.socket(fileno=1).shutdown(1)").format(size=SIZE)]
    around = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read x")
    assert around.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    process = ringwall.start("exec", "here", "--", *words, stdin=theirs, stdout=theirs)
    theirs.close()
    with ours, process.stderr:
        try:
            exchange(process, ours.sendall, lambda: ours.shutdown(socket.SHUT_WR), ours.recv)
        finally:
            around.communicate(b"\n", 60)
