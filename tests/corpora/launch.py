"""Starts the command line of a wall as a person would, and says how it ended."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import threading
import time
from dataclasses import dataclass

PATIENCE_SECONDS = 180  # after that a run counts as one that does not end
BEGAN = "rw-case-began"
# The person's shell on a terminal: after the command it reads one line, which the person or somebody else has typed.
SHELL = '"$@"; status=$?; printf "\\nrw-shell-ready\\n"; IFS= read -r line; printf "rw-typed:%s:\\n" "$line"; exit $status'


@dataclass
class Done:
    """How a run ended. `began`: the act itself was started. `typed`: the line that the person's shell read after it."""

    status: int
    out: str
    err: str
    seconds: float
    began: bool = True
    ended: bool = True
    typed: str = ""


def announced(words):
    """The same command, which first says that it runs: a wall that never starts it stops nothing."""
    return ["/bin/sh", "-c", f'echo {BEGAN}; exec "$@"', "sh", *words]


def text(data):
    return data.decode("utf-8", "surrogateescape")


def finish(status, out, err, start, ended=True):
    began = BEGAN in out
    out = out.replace(f"{BEGAN}\r\n", "").replace(f"{BEGAN}\n", "")
    typed = out.partition("rw-typed:")[2].partition(":")[0]
    return Done(status, out, err, time.monotonic() - start, began, ended, typed)


def what_was_said(process):
    """Until now: a process that was left behind may hold the pipes for good."""
    try:
        return process.communicate(timeout=2)
    except subprocess.TimeoutExpired as late:
        process.stdout.close()
        process.stderr.close()
        return late.stdout or b"", late.stderr or b""


def on_pipes(words, host, caller, meanwhile):
    start = time.monotonic()
    process = subprocess.Popen(
        words, cwd=host.work, env=host.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=caller, start_new_session=True, close_fds=False,
    )  # fmt: skip
    meanwhile(process)
    ended = True
    try:
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        ended = process.poll() is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        out, err = what_was_said(process)
        process.wait()
    return finish(process.returncode, text(out), text(err), start, ended)


def read_all(master, heard, has_begun):
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:
            return  # the last of its users is gone
        heard += more
        if b"rw-shell-ready" in heard and not has_begun.is_set():
            has_begun.set()
            os.write(master, b"end\n")


def on_terminal(words, host, caller, meanwhile):
    start = time.monotonic()
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))

    def begin():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        caller()

    process = subprocess.Popen(
        ["/bin/sh", "-c", SHELL, "sh", *words], cwd=host.work, env=host.environment(), stdin=slave,
        stdout=slave, stderr=slave, preexec_fn=begin, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    heard = bytearray()
    reader = threading.Thread(target=read_all, args=(master, heard, threading.Event()), daemon=True)
    reader.start()
    meanwhile(process)
    ended = True
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        ended = False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    # All that was written is read, however busy the machine is; a process that was left behind may hold the terminal.
    end = time.monotonic() + PATIENCE_SECONDS
    while ended and reader.is_alive() and select.select([master], [], [], 0)[0] and time.monotonic() < end:
        time.sleep(0.01)
    reader.join(1 if ended else 0)
    os.close(master)
    return finish(process.returncode, text(bytes(heard)), "", start, ended)


def run(words, host, case):
    """Runs WORDS as the person of the host, in the workspace."""

    def caller():
        host.become()
        case.get("as_caller", lambda host: None)(host)

    def meanwhile(process):
        act = case.get("meanwhile")
        if act:
            threading.Thread(target=act, args=(host, process), daemon=True).start()

    return (on_terminal if case.get("TERMINAL") else on_pipes)(words, host, caller, meanwhile)
