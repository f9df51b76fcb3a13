"""The processes of each run, found on the host.

Every process of Ringwall's own carries the name under which its run was started, and every process
inside carries a variable: nothing of a run can hide, whoever its parent is by now.
"""

import os
import re
import threading
import time

VARIABLE = b"RINGWALL_SOAK="
LONGEST_NAME = 15  # of a process, by the kernel
SHOWN = 60


class Process:
    def __init__(self, pid, name, state, parent, session):
        self.pid = pid
        self.name = name
        self.state = state
        self.parent = parent
        self.session = session
        self.mark = None

    def describe(self):
        words = read(f"/proc/{self.pid}/cmdline").replace(b"\0", b" ").decode("ascii", "replace")
        shown = "".join(c if c.isprintable() else " " for c in words)[:SHOWN].strip()
        return f"{self.pid} ({self.name}, {self.state}, child of {self.parent}) {shown}"


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def look_at(pid):
    """The process, or None if it is gone."""
    stat = read(f"/proc/{pid}/stat")
    if not stat:
        return None
    head, tail = stat.rsplit(b")", 1)
    fields = tail.split()
    name = head.split(b"(", 1)[1].decode("utf-8", "replace")
    return Process(pid, name, fields[0].decode(), int(fields[1]), int(fields[3]))


def make_mark(number):
    """The name of a run of this soak, and of its processes."""
    mark = f"s{number}-{os.getpid()}"
    assert len(mark) <= LONGEST_NAME, mark
    return mark


def mark_of(process):
    """The run of this soak that it belongs to, or None."""
    candidates = [process.name]
    for entry in read(f"/proc/{process.pid}/environ").split(b"\0"):
        if entry.startswith(VARIABLE):
            candidates.append(entry[len(VARIABLE) :].decode("ascii", "replace"))
    own = re.compile(rf"s\d+-{os.getpid()}")
    return next((mark for mark in candidates if own.fullmatch(mark)), None)


def number_inside(pid):
    """Its number in its sandbox, None for a process of the host."""
    for line in read(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"NSpid:"):
            numbers = line.split()[1:]
            return int(numbers[-1]) if len(numbers) > 1 else None
    return None


class Table:
    """All processes of all runs, looked up once for every worker that asks at about that time."""

    AGE = 0.015

    def __init__(self):
        self._lock = threading.Lock()
        self._strangers = set()  # numbers seen the last time, of no run
        self._known = {}
        self._time = 0.0

    def of(self, mark, fresh=False):
        """The processes of one run, those that only wait to be reaped too."""
        with self._lock:
            if fresh or time.monotonic() - self._time > self.AGE:
                self._scan()
            return list(self._known.get(mark, ()))

    def all(self):
        with self._lock:
            self._strangers.clear()
            self._scan()
            return [process for processes in self._known.values() for process in processes]

    def _scan(self):
        strangers, known = set(), {}
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            pid = int(name)
            if pid in self._strangers:
                strangers.add(pid)
                continue
            process = look_at(pid)
            if process is None:
                continue
            process.mark = mark_of(process)
            if process.mark is not None:
                known.setdefault(process.mark, []).append(process)
            elif process.parent != os.getpid():  # a child of ours may be about to start a run
                strangers.add(pid)
        self._strangers, self._known, self._time = strangers, known, time.monotonic()
