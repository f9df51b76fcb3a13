"""Row `many`: many sandboxes alive at the same time, then none, and nothing left of them."""

import os
import pathlib
import select
import subprocess
import time

import processes
from report import CannotMeasure, Row

NAMES = ["many"]
CEILING_LEFT = 0
PATIENCE_SECONDS = 180
COMMAND = ["/bin/sh", "-c", "echo up; read line; exit 0"]


def registry_entries(place):
    """Entries of runs, wherever the registry is."""
    folders = [pathlib.Path(place.home, ".local/state/ringwall/run")]
    if "XDG_RUNTIME_DIR" in place.env:
        folders.append(pathlib.Path(place.env["XDG_RUNTIME_DIR"], "ringwall"))
    return {str(entry) for folder in folders if folder.is_dir() for entry in folder.iterdir()}


def leftovers(place, workspace):
    """What a run might leave behind, by kind."""
    processes.reap_adopted()
    mounts = pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    return {
        "processes": {f"{p.pid} {p.name}" for p in processes.descendants(os.getpid())},
        "mounts": set(mounts.splitlines()),
        "registry": registry_entries(place),
        "workspace": {str(path) for path in workspace.rglob("*")},
    }


def start_all(place, count, stdin, stdout):
    with open(place.log, "wb") as log:
        return [
            subprocess.Popen(
                [place.binary, "run", "--", *COMMAND],
                env=place.env,
                stdin=stdin,
                stdout=stdout,
                stderr=log,
            )
            for _ in range(count)
        ]


def wait_until_up(pipe, count):
    """Reads one line from each sandbox; how many came in time."""
    seen, deadline = b"", time.monotonic() + PATIENCE_SECONDS
    while seen.count(b"\n") < count:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            break
        data = os.read(pipe, 65536)
        if not data:  # all have ended
            break
        seen += data
    return seen.count(b"\n")


def run_all(place, count):
    """Starts all, waits until all are up at once, lets all end; (seconds up, seconds ended)."""
    stdin, release = os.pipe()
    up_pipe, stdout = os.pipe()
    begin = time.monotonic()
    runs = []
    try:
        runs = start_all(place, count, stdin, stdout)
        os.close(stdin)
        os.close(stdout)
        up = wait_until_up(up_pipe, count)
        seconds_up = time.monotonic() - begin
    finally:
        os.close(release)  # the end of their input is what all of them wait for
    codes = [run.wait(PATIENCE_SECONDS) for run in runs]
    seconds_ended = time.monotonic() - begin
    os.close(up_pipe)
    bad = [code for code in codes if code != 0]
    if up < count or bad:
        with open(place.log, encoding="utf-8", errors="replace") as log:
            said = log.read().strip()[:2000]
        raise CannotMeasure(
            f"{up} of {count} were up at once, {len(bad)} gave another exit status than 0\n{said}"
        )
    return seconds_up, seconds_ended


def row(_name, place, options):
    workspace = place.workspace("many")
    os.chdir(workspace)
    run_all(place, 1)  # makes the folders that stay: private home, state
    before = leftovers(place, workspace)
    seconds_up, seconds_ended = run_all(place, options.sandboxes)
    # At once and not a moment later: when the last run has returned, nothing may be left.
    after = leftovers(place, workspace)
    left = {kind: sorted(after[kind] - before[kind]) for kind in after}
    value = sum(len(entries) for entries in left.values())
    kinds = ", ".join(f"{len(entries)} {kind}" for kind, entries in left.items() if entries)
    measured = f"{options.sandboxes} at once, up in {seconds_up:.2f} s, ended at {seconds_ended:.2f} s"
    if kinds:
        measured += f"; left: {kinds}"
    details = {"left": left, "seconds_up": seconds_up, "seconds_ended": seconds_ended}
    return Row("many", measured, value, CEILING_LEFT, "left", details)
