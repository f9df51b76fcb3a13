"""Row `memory`: what Ringwall's own processes outside the sandbox hold while a command sleeps."""

import os
import subprocess
import time

import processes
from report import CannotMeasure, Row

NAMES = ["memory"]
CEILING_MB = 8
SETTLE_SECONDS = 0.5
PATIENCE_SECONDS = 30


def wait_until_up(run, place):
    if run.stdout.readline() != b"up\n":
        run.wait(PATIENCE_SECONDS)
        with open(place.log, encoding="utf-8", errors="replace") as log:
            raise CannotMeasure(f"ringwall gave {run.returncode}\n{log.read().strip()}")


def look(run):
    """The processes outside the sandbox that this run consists of, with their memory."""
    mine = processes.descendants(os.getpid())
    outside = [p for p in mine if not p.inside and p.state != "Z"]
    if run.pid not in [p.pid for p in outside]:
        raise CannotMeasure("the run ended while it was being looked at")
    return [{"name": p.name, "rss_kb": p.rss_kb, "pss_kb": processes.pss_kb(p.pid)} for p in outside]


def row(_name, place, _options):
    os.chdir(place.workspace("memory"))
    with open(place.log, "wb") as log:
        # The command ends with its input, so nothing has to be killed.
        run = subprocess.Popen(
            [place.binary, "run", "--", "/bin/sh", "-c", "echo up; read line"],
            env=place.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    with run:
        try:
            wait_until_up(run, place)
            time.sleep(SETTLE_SECONDS)
            seen = look(run)
        finally:
            run.stdin.close()
    rss = sum(p["rss_kb"] for p in seen) / 1024
    shares = [p["pss_kb"] for p in seen]
    pss = "unreadable" if None in shares else f"{sum(shares) / 1024:.2f} MB"
    measured = f"{len(seen)} outside: RSS {rss:.2f} MB, PSS {pss}"
    return Row("memory", measured, rss, CEILING_MB, "MB", {"processes": seen})
