"""Rows `hook` and `hook-p99`: one call of an agent's hook, process start included, beside the starts of node and python."""

import json
import os
import statistics

import measure
from report import Row

NAMES = ["hook", "hook-p99"]
CEILINGS = {"hook": 3.0, "hook-p99": 8.0}
WARM_UP = 5
FEWEST = 200  # of which the slowest in a hundred is more than one

CALL = {
    "session_id": "s",
    "transcript_path": "/t",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "cd src && npm test -- --watch=false 2>&1 | tail -20", "timeout": 120000},
    "tool_use_id": "t",
}


def yardsticks():
    found = {"node -e 0": ["/usr/bin/node", "-e", "0"], "python3 -c pass": ["/usr/bin/python3", "-c", "pass"]}
    return {name: argv for name, argv in found.items() if os.access(argv[0], os.X_OK)}


def measure_sides(place, rounds):
    workspace = place.workspace("hook")
    payload = place.home / "call.json"
    payload.write_text(json.dumps({**CALL, "cwd": str(workspace)}), encoding="utf-8")
    os.chdir(workspace)
    hook = [place.binary, "hook", "--agent", "claude", "--event", "PreToolUse"]
    sides = {"hook": lambda: measure.time_program(hook, place.env, place.log, payload)}
    for name, argv in yardsticks().items():
        sides[name] = lambda argv=argv: measure.time_program(argv, place.env, place.log)
    return measure.take_turns(sides, rounds, WARM_UP)


_times = {}


def row(name, place, options):
    if not _times:
        _times.update(measure_sides(place, max(options.rounds, FEWEST)))
        os.chdir(place.room)
    spent = sorted(_times["hook"])
    judged = {
        "hook": statistics.median(spent),
        "hook-p99": spent[min(len(spent) - 1, len(spent) * 99 // 100)],
    }[name]
    medians = {side: statistics.median(times) / measure.MS for side, times in _times.items()}
    measured = ", ".join(f"{side} {spent:.2f} ms" for side, spent in medians.items())
    details = {"median_ms": medians, "rounds": len(spent)}
    return Row(name, measured, judged / measure.MS, CEILINGS[name], "ms", details)
