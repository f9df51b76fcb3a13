#!/usr/bin/python3 -B
"""Each cost of Ringwall against the size of its work, with the fitted exponent: one part of bench/compare.py.

    bench/growth.py --room DIR --json FILE [--row NAME]... [--quick]

What is fitted is what a size adds to the cost of the least one. Nothing may grow faster than its work.
"""

import contextlib
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import time

import compare_cost
import cost_many
import cost_runs
import measure
import network_side
from cost_sides import Workspace, output, rounds_of

HERE = pathlib.Path(__file__).resolve().parent
LINEAR = 1.15  # a fitted exponent above this is told as worse than linear
CONSTANT = 0.25  # what adds less than this share of the least cost does not grow
# Each name is refused, and that is written down.
RECORD = """
import socket, sys
for number in range(int(sys.argv[1])):
    try:
        socket.getaddrinfo(f"host{number}.example.com", 443)
    except OSError:
        pass
"""
# So many refusals would stop a run, as they should.
CALM = ["--risk-boundary", "0", "--risk-stability", "0", "--risk-intent", "0", "--risk-exposure", "0"]


def exponent(points):
    """Fitted to what each size adds to the least; None if there is nothing to be fitted."""
    base = points[0]["median"]
    logs = [(math.log(p["size"]), math.log(p["median"] - base)) for p in points[1:] if p["median"] > base]
    if len(logs) < 2:
        return None
    mean_x, mean_y = (statistics.fmean(values) for values in zip(*logs))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def verdict(points):
    base, value = points[0]["median"], exponent(points)
    if points[-1]["median"] - base < CONSTANT * base:
        return "constant"
    if value is None:
        return "too noisy to be fitted"
    return f"{value:.2f}" + (" WORSE THAN LINEAR" if value > LINEAR else "")


def row_of(name, title, says, sizes, options, cost, unit="ms", rounds=7):
    """COST(size) gives a function that measures once; sizes take turns, so that a slower hour slows all alike."""
    sizes = sizes[:3] if options.quick else sizes
    times = measure.take_turns({size: cost(size) for size in sizes}, rounds_of(options, rounds), 1)
    points = []
    for size in sizes:
        low, _, high = statistics.quantiles(times[size], n=4)
        points.append({"size": size, "median": statistics.median(times[size]), "low": low, "high": high})
    return {
        **{"name": name, "title": title, "says": says, "unit": unit, "points": points},
        **{"exponent": exponent(points), "verdict": verdict(points)},
    }


def run_words(*flags):
    return [os.environ["RINGWALL_BIN"], "run", *flags, "--"]


def spent(argv, here, folder=None):
    def spend():
        os.chdir(folder or here.work)
        return measure.time_program(argv, here.env, here.log) / measure.MS

    return spend


def files(name, options):
    here = Workspace(name, options)

    def cost(size):
        folder = here.work / str(size)
        folder.mkdir()
        cost_runs.fill(folder, size)
        return spent([*run_words(), "/bin/true"], here, folder)

    sizes = [1, 2_000, 10_000, 50_000, 200_000]
    row = row_of(name, "start: files in the workspace", "/bin/true", sizes, options, cost)
    os.chdir(here.home)
    shutil.rmtree(here.work)
    return row


def policy(lists, size):
    """A policy whose lists have so many entries each."""
    text = ""
    for section, key, pattern in lists:
        text += f"[{section}]\n{key} = [{', '.join(chr(34) + pattern.format(n) + chr(34) for n in range(size))}]\n"
    return text


def rules(name, options):
    lists = {
        "rules-hosts": [("network", "allow", "h{}.example.com")],
        "rules-files": [("files", "protect", "tool{}.rc")],
    }[name]
    here = Workspace(name, options)

    def cost(size):
        file = here.home / f"{name}-{size}.toml"
        file.write_text(policy(lists, size), encoding="utf-8")
        file.chmod(0o600)
        return spent([*run_words("--policy", str(file)), "/bin/true"], here)

    title = "start: rules for hosts" if name == "rules-hosts" else "start: rules for files"
    return row_of(name, title, f"{lists[0][0]}.{lists[0][1]}", [1, 30, 100, 300, 1_000], options, cost)


def sandboxes(name, options):
    here = Workspace(name, options)
    os.chdir(here.work)

    def cost(size):
        def spend():
            begin = time.monotonic()
            runs = cost_many.Runs([*run_words(), *cost_many.COMMAND], here, size)
            try:
                runs.wait_until_up()
                return (time.monotonic() - begin) * 1e3
            finally:
                runs.end()

        return spend

    return row_of(name, "sandboxes at once", "until all run", [1, 10, 30, 100, 300], options, cost, rounds=3)


def log(name, options):
    """Homes with the records of so many runs, each of which was refused many names; then all are read."""
    here = Workspace(name, options)
    os.chdir(here.work)
    title, flag = LOGS[name]

    def cost(size):
        home = here.home / f"{name}{size}"
        home.mkdir()
        env = here.env | {"HOME": str(home)}
        ask = [*run_words("--allow", "api.example.com", *CALM), "/usr/bin/python3", "-I", "-c", RECORD, str(NAMES)]
        for _ in range(size):
            subprocess.run(ask, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        argv = [os.environ["RINGWALL_BIN"], "log", flag]
        return lambda: measure.time_program(argv, env, here.log) / measure.MS

    return row_of(name, title, f"ringwall log {flag}, {NAMES} refused names in each", [1, 4, 16, 64], options, cost)


NAMES = 60
LOGS = {"log-list": ("log: records listed", "--list"), "log-check": ("log: records checked", "--verify")}


def connections(name, options):
    here = Workspace(name, options)
    os.chdir(here.work)
    network_side.wait_for(network_side.PORT)
    shutil.copy(options.disk / "stream", here.work / "stream")
    server, port = network_side.SERVER, network_side.PORT

    way, title, sizes = CONNECTIONS[name]

    def cost(size):
        argv = [*run_words("--allow", f"{server}:{port}"), "./stream", way, server, str(port), str(size)]

        def spend():
            begin = time.monotonic()
            output(argv, here.env)
            return (time.monotonic() - begin) * 1e3

        return spend

    return row_of(name, title, "a byte there and back on each", sizes, options, cost, rounds=5)


CONNECTIONS = {
    "connections": ("connect", "connections, one after another", [1, 100, 400, 1_600, 6_400]),
    "connections-at-once": ("hold", "connections at once", [1, 100, 250, 500, 1_000]),
}


@contextlib.contextmanager
def far_server(disk):
    subprocess.run(["cc", "-O2", "-o", disk / "stream", HERE / "stream.c", "-lpthread"], check=True)
    (disk / "stream").chmod(0o755)
    yield f"{disk}/stream serve {network_side.PORT}"


NETWORK = {"connections": connections, "connections-at-once": connections}
ROWS = {
    **{"files": files, "rules-hosts": rules, "rules-files": rules, "sandboxes": sandboxes, "log-list": log, "log-check": log},
    **NETWORK,
}


if __name__ == "__main__":
    compare_cost.Measurement(__file__, ROWS, NETWORK, far_server).main()
