"""Rows `exec-view*`: what it costs that denied programs are taken away, at each exec and at the start."""

import os
import subprocess

import measure
from report import Row

NAMES = ["exec-view", "exec-view-start"]
PROGRAMS = 3000
STARTS = 500
WARM_UP = 3
# Starts /bin/true, which lies in the overlaid folder, and says how long that took.
STARTER = f"""
import os, time
begin = time.perf_counter()
for _ in range({STARTS}):
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {{}}), 0)
print(time.perf_counter() - begin)
"""
DENY = ["--deny-program", "wget", "--deny-program", "busybox"]


def exec_row(place, options):
    """Both sides are inside: only the view differs."""
    workspace = place.workspace("exec-view")
    os.chdir(workspace)

    def timer(flags):
        words = [place.binary, "run", *flags, "--", "/usr/bin/python3", "-I", "-c", STARTER]
        return lambda: float(subprocess.check_output(words, env=place.env)) * measure.MS * 1e3

    sides = {"denied": timer(DENY), "any": timer([])}
    result = measure.compare(measure.take_turns(sides, max(options.rounds // 6, 5), 1), "denied", "any")
    medians = result["median_ms"]
    measured = f"{STARTS} x /bin/true: {medians['denied']:.1f} ms, nothing denied {medians['any']:.1f} ms"
    os.chdir(place.room)
    return Row("exec-view", measured, result["ratio"], 1.02, "x", result)


def start_row(place, options):
    """With a warm cache, beside the programs of this host."""
    workspace = place.workspace("exec-view-start")
    tools = place.workspace("exec-tools")
    for n in range(PROGRAMS):
        path = tools / f"tool{n}"
        path.write_text(f"#!/bin/sh\n# {n}\n", encoding="utf-8")
        path.chmod(0o755)
    os.chdir(workspace)

    def timer(flags):
        words = [place.binary, "run", "--ro", str(tools), *flags, "--", "/bin/true"]
        return lambda: measure.time_program(words, place.env, place.log)

    sides = {"denied": timer(DENY), "any": timer([])}
    result = measure.compare(measure.take_turns(sides, options.rounds, WARM_UP), "denied", "any")
    medians = result["median_ms"]
    more = medians["denied"] - medians["any"]
    measured = f"{PROGRAMS} programs more: {medians['denied']:.2f} ms, nothing denied {medians['any']:.2f} ms"
    os.chdir(place.room)
    return Row("exec-view-start", measured, more, 15.0, "ms", result)


def row(name, place, options):
    return start_row(place, options) if name == "exec-view-start" else exec_row(place, options)
