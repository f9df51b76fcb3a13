"""Rows `record-*`: what the record costs, one event and a whole build."""

import os
import shutil
import subprocess

import loads
import measure
from report import CannotMeasure, Row
from row_work import STOPWATCH, WARM_UP, read_stopwatch

NAMES = ["record-append", "record-build"]
MOST_MICROSECONDS = 20.0  # 50,000 events a second
CEILING_BUILD = 1.01


def tool(options, name):
    path = os.path.join(options.tools or "", name)
    if not options.tools or not os.access(path, os.X_OK):
        raise CannotMeasure(f"{name} is not in --tools; `make bench` builds it")
    return path


def append_row(place, options):
    argv = [tool(options, "record-bench")]
    spent = []
    for number in range(5):
        folder = place.workspace(f"record-{number}")
        done = subprocess.run([*argv, str(folder)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotMeasure(f"record-bench gave {done.returncode}: {done.stderr}")
        spent.append(float(done.stdout))
        shutil.rmtree(folder)
    best = min(spent)
    measured = f"{1e6 / best:,.0f} events a second on one core"
    return Row("record-append", measured, best, MOST_MICROSECONDS, "us", {"microseconds": spent})


def build_row(place, options):
    mutant = tool(options, "ringwall-mutant")
    load = loads.LOADS[0]
    workspace = place.workspace("record-build")
    (workspace / "tmp").mkdir()
    shutil.copy(STOPWATCH, workspace / "stopwatch.py")
    load.generate(workspace, place.env)
    os.chdir(workspace)
    watched = ["/usr/bin/python3", "-I", "stopwatch.py", str(load.repeat), load.fresh, *load.command]
    argv = [mutant, "run", "--", *watched]
    # The same binary on both sides: only the record differs.
    sides = {
        "record": lambda: read_stopwatch(argv, {**place.env, "RINGWALL_TAKE_AWAY": ""}),
        "none": lambda: read_stopwatch(argv, {**place.env, "RINGWALL_TAKE_AWAY": "record"}),
    }
    times = measure.take_turns(sides, options.work_rounds, WARM_UP)
    result = measure.compare(times, "record", "none")
    low, high = result["quartiles"]
    measured = f"{load.name}, half of the rounds {low:.3f} to {high:.3f}"
    os.chdir(place.room)
    shutil.rmtree(workspace)
    return Row("record-build", measured, result["ratio"], CEILING_BUILD, "x", result)


def row(name, place, options):
    return append_row(place, options) if name == "record-append" else build_row(place, options)
