"""Rows `exec-stop` and `exec-stop-build`: what it costs to judge every program at its first
instruction, against the same work inside without."""

import os
import shutil
import subprocess

import loads
import measure
import row_work
from report import Row

NAMES = ["exec-stop", "exec-stop-build"]
CEILINGS = {"exec-stop": 1.40, "exec-stop-build": 1.05}
PROGRAMS = 500
NOBODYS = "sha256:" + "0" * 64  # a denial that nothing matches: all is hashed and runs

# Started as libc's posix_spawn does it; the clock is its own.
SPAWNER = """
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
extern char** environ;
int main(int count, char** words) {
  struct timespec from, to;
  char* program[] = {"/bin/true", NULL};
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int i = count > 1 ? atoi(words[1]) : 0; i > 0; i--) {
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, program[0], NULL, NULL, program, environ) != 0) return 1;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  printf("nanoseconds %lld\\n", (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec);
  return 0;
}
"""


def spawner(workspace):
    (workspace / "spawner.c").write_text(SPAWNER, encoding="utf-8")
    subprocess.run(["gcc", "-O2", "-o", "spawner", "spawner.c"], cwd=workspace, check=True)
    return ["./spawner", str(PROGRAMS)]


def build(workspace, env):
    load = next(load for load in loads.LOADS if load.generate is loads.generate_cpp)
    load.generate(workspace, env)
    shutil.copy(row_work.STOPWATCH, workspace / "stopwatch.py")
    return ["/usr/bin/python3", "-I", "stopwatch.py", str(load.repeat), load.fresh, *load.command]


def row(name, place, options):
    workspace = place.workspace(name)
    (workspace / "tmp").mkdir()
    is_build = name == "exec-stop-build"
    command = build(workspace, place.env) if is_build else spawner(workspace)
    os.chdir(workspace)
    run = [place.binary, "run"]
    judged = ["--deny-later", "--deny-program", NOBODYS]
    sides = {
        "stopped": lambda: row_work.read_stopwatch([*run, *judged, "--", *command], place.env),
        "free": lambda: row_work.read_stopwatch([*run, "--", *command], place.env),
    }
    times = measure.take_turns(sides, options.work_rounds, row_work.WARM_UP)
    result = measure.compare(times, "stopped", "free")
    low, high = result["quartiles"]
    medians = result["median_ms"]
    measured = (
        f"judged {medians['stopped']:.1f} ms, free {medians['free']:.1f} ms, "
        f"half of the rounds {low:.3f} to {high:.3f}"
    )
    os.chdir(place.room)
    shutil.rmtree(workspace)
    return Row(name, measured, result["ratio"], CEILINGS[name], "x", result)
