"""Rows of the comparison's cost: the memory of one sandbox, and many alive at the same time."""

import os
import select
import signal
import subprocess
import time

import processes
from cost_sides import Workspace, rounds_of, row_of, take_turns
from report import CannotMeasure

MANY = 200
PATIENCE_SECONDS = 240
SETTLE_SECONDS = 0.5
SLOW_SECONDS = 10
COMMAND = ["/bin/sh", "-c", "echo up; read line"]


class Runs:
    """So many runs of one command line, all waiting for the end of their input."""

    def __init__(self, argv, here, count):
        self.processes = []
        self.count = count
        stdin, self.release = os.pipe()
        self.up_pipe, stdout = os.pipe()
        with open(here.log, "wb") as log:
            for _ in range(count):
                made = subprocess.Popen(argv, env=here.env, stdin=stdin, stdout=stdout, stderr=log, start_new_session=True)
                self.processes.append(made)
        os.close(stdin)
        os.close(stdout)
        self.log = here.log

    def wait_until_up(self):
        seen, deadline = b"", time.monotonic() + PATIENCE_SECONDS
        while seen.count(b"up\n") < self.count:
            has_ended = any(made.poll() is not None for made in self.processes)
            if not select.select([self.up_pipe], [], [], 0 if has_ended else 0.2)[0]:
                if has_ended or time.monotonic() > deadline:
                    break
                continue
            data = os.read(self.up_pipe, 65536)
            if not data:  # all have ended
                break
            seen += data
        if seen.count(b"up\n") < self.count:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                said = log.read().strip().splitlines()
            # Each of those that failed said much the same.
            last = f"; the last line said: {said[-1][:200]}" if said else ""
            raise CannotMeasure(f"{seen.count(b'up')} of {self.count} were up at once{last}")

    def end(self):
        os.close(self.release)
        deadline = time.monotonic() + PATIENCE_SECONDS
        for made in self.processes:
            try:
                made.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(made.pid, signal.SIGKILL)
                made.wait()
        os.close(self.up_pipe)


def everybody():
    """Who runs below whoever adopts our orphans."""
    return {p.pid: p for p in processes.descendants(int(os.environ["RINGWALL_REAPER"])) if p.state != "Z"}


def memory_mb(before):
    """Of all that came since, with shared pages divided; of those that we may not look into the resident memory."""
    new = [p for pid, p in everybody().items() if pid not in before]
    return sum(processes.pss_kb(p.pid) or p.rss_kb for p in new) / 1024


def memory(name, options):
    here = Workspace(name, options)

    def held(argv):
        def look():
            before = everybody()
            runs = Runs(argv, here, 1)
            try:
                runs.wait_until_up()
                time.sleep(SETTLE_SECONDS)
                return memory_mb(before)
            finally:
                runs.end()

        return look

    times, reasons = take_turns({side: held(argv) for side, argv in here.commands(COMMAND).items()}, rounds_of(options, 5))
    says = "of all processes that a sandbox around a waiting shell consists of, the shell too; shared pages divided (PSS)"
    return row_of(name, "memory", says, "MB", times, reasons)


def many(name, options):
    here = Workspace(name, options)
    count = 10 if options.quick else MANY

    def seconds(argv):
        def spend():
            begin = time.monotonic()
            runs = Runs(argv, here, count)
            try:
                runs.wait_until_up()
                return time.monotonic() - begin
            finally:
                runs.end()

        return spend

    times, reasons = {}, {}
    for _ in range(1 if options.quick else 3):
        for side, argv in here.commands(COMMAND).items():
            if side in reasons or times.get(side, [0])[0] > SLOW_SECONDS:
                continue
            try:
                spent = seconds(argv)()
                times.setdefault(side, []).append(spent)
            except (CannotMeasure, OSError) as error:
                reasons[side] = str(error)
    return row_of(name, f"{count} at once", "until all of them run; who is slow is measured once", "s", times, reasons)


ROWS = {"memory": memory, "many": many}
