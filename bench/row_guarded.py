"""Rows `guarded-*`: what looking for protected files costs, and how long a planted one lies there."""

import os
import statistics
import subprocess
import time

import measure
from report import CannotMeasure, Row

NAMES = ["guarded-start", "guarded-walk", "guarded-plant", "guarded-plant-worst"]
FILES = 50_000
FILES_PER_FOLDER = 20
RUNS = 30
PLANTS = 6  # of each run: who goes on planting waits longer each time, and is ended
WARM_UP = 3
# Plants a file each time that it is gone, from within.
PLANTER = f"""
import os, time
for n in range({PLANTS}):
    name = f"d{{n}}"
    os.mkdir(name)
    with open(name + "/.envrc", "w") as file: file.write("x")
    while os.path.exists(name + "/.envrc"): time.sleep(0.0002)
    time.sleep(0.002)
"""


def large_workspace(place):
    workspace = place.workspace("guarded")
    for n in range(FILES):
        folder = workspace / f"folder{n // FILES_PER_FOLDER}"
        if n % FILES_PER_FOLDER == 0:
            folder.mkdir()
        (folder / f"file{n}.txt").write_text("content\n", encoding="utf-8")
    return workspace


def timer(place, workspace, argv):
    def spend():
        os.chdir(workspace)
        return measure.time_program(argv, place.env, place.log)

    return spend


def start_row(place, options):
    """With a warm index, where an earlier run has kept everything for undo."""
    large, empty = large_workspace(place), place.workspace("guarded-empty")
    command = [place.binary, "run", "--", "/bin/true"]
    timer(place, large, [place.binary, "run", "--undo-wait", "60s", "--", "/bin/true"])()
    sides = {"large": timer(place, large, command), "empty": timer(place, empty, command)}
    result = measure.compare(measure.take_turns(sides, options.rounds, WARM_UP), "large", "empty")
    medians = result["median_ms"]
    measured = f"50,000 files {medians['large']:.2f} ms, empty {medians['empty']:.2f} ms"
    os.chdir(place.room)
    return Row("guarded-start", measured, result["ratio"], 2.0, "x", result)


def walk_row(place, options):
    """Without an index, against find."""
    large = place.workspaces / "guarded"
    if not large.exists():
        large = large_workspace(place)
    explain = [place.binary, "run", "--explain", "--", "/bin/true"]
    index = os.path.join(place.env["HOME"], ".local/state/ringwall/index")

    def walk():
        subprocess.run(["rm", "-rf", index], check=True)
        return timer(place, large, explain)()

    sides = {"walk": walk, "find": timer(place, large, ["/usr/bin/find", "."])}
    rounds = max(options.rounds // 6, 1)
    result = measure.compare(measure.take_turns(sides, rounds, 1), "walk", "find")
    medians = result["median_ms"]
    measured = f"first search {medians['walk']:.1f} ms, find {medians['find']:.1f} ms"
    os.chdir(place.room)
    return Row("guarded-walk", measured, result["ratio"], 3.0, "x", result)


def watch_run(place, workspace):
    command = [place.binary, "run", "-w", str(workspace), "--", "/usr/bin/python3", "-I", "-c", PLANTER]
    process = subprocess.Popen(command, cwd=workspace, env=place.env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spent, number, since = [], 0, None
    while process.poll() is None and number < PLANTS:
        there = os.path.lexists(workspace / f"d{number}/.envrc")
        now = time.monotonic()
        if there and since is None:
            since = now
        if since is not None and not there:
            spent.append((now - since) * 1e3)
            since, number = None, number + 1
        elif os.path.exists(workspace / f"d{number + 1}"):
            spent.append(0.0)  # shorter than between two looks
            since, number = None, number + 1
        time.sleep(0.00005)
    process.wait()
    return spent


def watch_plants(name, place):
    """Milliseconds that each planted file lay there, seen from outside."""
    spent = []
    for number in range(RUNS):
        spent += watch_run(place, place.workspace(f"{name}-{number}"))
    if len(spent) < RUNS * PLANTS // 2:
        raise CannotMeasure(f"only {len(spent)} plants were seen")
    return spent


def plant_row(name, place):
    spent = watch_plants(name, place)
    worst = name.endswith("worst")
    measured = f"{len(spent)} plants: median {statistics.median(spent):.2f} ms, worst {max(spent):.1f} ms"
    value = max(spent) if worst else statistics.median(spent)
    return Row(name, measured, value, 20.0 if worst else 1.0, "ms", {"milliseconds": spent})


def row(name, place, options):
    if name == "guarded-start":
        return start_row(place, options)
    if name == "guarded-walk":
        return walk_row(place, options)
    return plant_row(name, place)
