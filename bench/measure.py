"""Timing: running a program with little of our own in the way, and sides taking turns.

The sides of a comparison take turns within one run and each ratio is taken within one turn, so that
a host which grows slower in between slows all sides alike.
"""

import os
import statistics
import time

from report import CannotMeasure

MS = 1e6  # nanoseconds
# The kernel goes on cleaning up after a program that does not wait for the end of its sandbox; the
# next one shall not pay for it.
QUIET_SECONDS = 0.02


def time_program(argv, env, log, stdin=os.devnull):
    """Nanoseconds from spawn to end; whatever the program says on stderr goes to the file log."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    time.sleep(QUIET_SECONDS)
    # Not subprocess: its own work per start would be a good part of what we measure.
    begin = time.monotonic_ns()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions)
    _, status = os.waitpid(pid, 0)
    end = time.monotonic_ns()
    if status != 0:
        raise CannotMeasure(explain_failure(argv, os.waitstatus_to_exitcode(status), log))
    return end - begin


def explain_failure(argv, code, log):
    with open(log, encoding="utf-8", errors="replace") as file:
        said = file.read().strip()
    return f"{os.path.basename(argv[0])} gave {code}: {' '.join(argv)}\n{said}"


def take_turns(sides, rounds, warm_up):
    """Calls each side once per round, each round beginning with another; {name: [time, ...]}."""
    names = list(sides)
    times = {name: [] for name in names}
    for number in range(-warm_up, rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            spent = sides[name]()
            if number >= 0:
                times[name].append(spent)
    return times


def compare(times, ours, theirs):
    """The median of the ratios within each round, with its quartiles and the sides' medians."""
    ratios = [a / b for a, b in zip(times[ours], times[theirs])]
    low, _, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    return {
        "ratio": statistics.median(ratios),
        "quartiles": [low, high],
        "median_ms": {name: statistics.median(spent) / MS for name, spent in times.items()},
        "rounds": len(ratios),
    }
