"""Rows `work-*`: real work inside against the same work outside, timed by a clock beside it."""

import os
import pathlib
import shutil
import subprocess

import loads
import measure
from report import CannotMeasure, Row

NAMES = [load.name for load in loads.LOADS]
WARM_UP = 1
STOPWATCH = pathlib.Path(__file__).with_name("stopwatch.py")


def read_stopwatch(argv, env):
    done = subprocess.run(
        argv,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    words = done.stdout.split()
    if done.returncode != 0 or words[:1] != ["nanoseconds"]:
        raise CannotMeasure(
            f"{os.path.basename(argv[0])} gave {done.returncode}: {' '.join(argv)}\n"
            f"{done.stdout}{done.stderr}".strip()
        )
    return int(words[1])


def row(name, place, options):
    load = next(load for load in loads.LOADS if load.name == name)
    workspace = place.workspace(load.name)
    (workspace / "tmp").mkdir()
    shutil.copy(STOPWATCH, workspace / "stopwatch.py")
    load.generate(workspace, place.env)
    os.chdir(workspace)
    watched = ["/usr/bin/python3", "-I", "stopwatch.py", str(load.repeat), load.fresh, *load.command]
    sides = {
        "inside": lambda: read_stopwatch([place.binary, "run", *load.options, "--", *watched], place.env),
        "outside": lambda: read_stopwatch(watched, place.env),
    }
    times = measure.take_turns(sides, options.work_rounds, WARM_UP)
    result = measure.compare(times, "inside", "outside")
    medians = {side: spent / load.repeat for side, spent in result["median_ms"].items()}
    low, high = result["quartiles"]
    measured = (
        f"inside {medians['inside']:.1f} ms, outside {medians['outside']:.1f} ms, "
        f"half of the rounds {low:.3f} to {high:.3f}"
    )
    result["median_ms"] = medians
    # The next load needs the memory more than this one's files do.
    os.chdir(place.room)
    shutil.rmtree(workspace)
    return Row(name, measured, result["ratio"], load.ceiling, "x", result)
