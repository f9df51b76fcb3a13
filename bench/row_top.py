"""Row `top`: what `ringwall top` itself costs, with many runs on its screen."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

import row_many
from report import CannotMeasure, Row

NAMES = ["top"]
SANDBOXES = 50
SETTLE_SECONDS = 2
SECONDS = 10
CEILING_PERCENT = 1.0  # of one core


def read_for(screen, seconds):
    """Takes what is painted, as a terminal does; the bytes."""
    seen, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if not select.select([screen], [], [], left)[0]:
            break
        try:
            seen += os.read(screen, 65536)
        except OSError:  # top has ended
            break
    return seen


def cpu_seconds(pid):
    """Of all its threads, as the scheduler counts it: clock ticks are too coarse for one percent."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def watch(place):
    """Runs top on a terminal of 50 lines; (share of a core, bytes painted a second)."""
    screen, its_end = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    top = subprocess.Popen(
        [place.binary, "top"],
        env=place.env | {"TERM": "xterm-256color"},
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
    )
    os.close(its_end)
    try:
        first = read_for(screen, SETTLE_SECONDS)
        if f"{SANDBOXES} runs".encode() not in first:
            raise CannotMeasure(f"top does not show {SANDBOXES} runs: {first[:2000]!r}")
        before, begin = cpu_seconds(top.pid), time.monotonic()
        painted = read_for(screen, SECONDS)
        spent, passed = cpu_seconds(top.pid) - before, time.monotonic() - begin
    finally:
        top.terminate()
        read_for(screen, 0.2)
        top.wait(10)
        os.close(screen)
    return spent / passed, len(painted) / passed


def row(_name, place, _options):
    os.chdir(place.workspace("top"))
    stdin, release = os.pipe()
    up_pipe, stdout = os.pipe()
    runs = []
    try:
        runs = row_many.start_all(place, SANDBOXES, stdin, stdout)
        os.close(stdin)
        os.close(stdout)
        up = row_many.wait_until_up(up_pipe, SANDBOXES)
        if up < SANDBOXES:
            raise CannotMeasure(f"{up} of {SANDBOXES} runs were up")
        share, painted = watch(place)
    finally:
        os.close(release)  # the end of their input is what all of them wait for
        for run in runs:
            run.wait(row_many.PATIENCE_SECONDS)
        os.close(up_pipe)
    percent = share * 100
    measured = f"{SANDBOXES} runs, 4 pictures a second for {SECONDS} s, {painted:.0f} bytes painted a second"
    return Row("top", measured, percent, CEILING_PERCENT, "% of a core", {"share": share, "painted": painted})
