#!/usr/bin/python3 -B
"""Compares Ringwall with its peers: attacks beaten, work unbroken, cost, and growth.

    bench/compare.py build/ringwall [--only attacks|work|cost|growth]... [--peers build/peers] [--docs docs/compare]

Each part writes its results as JSON below --docs when it is through, so that a part can be run again alone; the pages
and the plot are made anew from all that is there. A peer that cannot run here is shown with the reason.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import compare_readme
import compare_room
import compare_tables
import own_machine

TOP = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("attacks", "work", "cost", "growth")
PATIENCE_SECONDS = 60  # for one run of a case; some peers wait for what never comes


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], choices=[*PARTS, "tables"], help="may be repeated")
    parser.add_argument("--peers", type=pathlib.Path, default=TOP / "build/peers")
    parser.add_argument("--work-tools", type=pathlib.Path, default=TOP / "build/work-tools")
    parser.add_argument("--docs", type=pathlib.Path, default=TOP / "docs/compare")
    parser.add_argument("--cases", action="append", default=[], help="of the corpora only these cases or classes")
    parser.add_argument("--row", action="append", default=[], help="of cost and growth only these rows; the others stay")
    # They wait more than they compute.
    parser.add_argument("--jobs", type=int, default=3, help="cases of the corpora at a time (3)")
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that it works, measures nothing")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is not a program; `make build` makes it")
    options.parts = [part for part in options.only or PARTS if part != "tables"]
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{len(names) or os.cpu_count()} x {names[0] if names else platform.machine()}"


def facts_of_host():
    release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release", encoding="utf-8") if "=" in line)
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "kernel": platform.release(),
        "system": release.get("PRETTY_NAME", "").strip('"'),
        "processors": processor(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "busy": round(os.getloadavg()[0], 1),
    }


def corpus(kind, sides, room, options):
    """Runs a corpus behind every wall that can run; what came of it."""
    names = [name for name, side in sides.items() if "cannot" not in side and name != "bare"]
    if kind == "work":  # the question of the default setting is what it stops
        names = [name for name in names if not sides[name]["is_default"]]
    told = room / f"{kind}.json"
    words = [sys.executable, "-B", TOP / "tests/corpora/run.py", kind, "--with", ",".join(names), "--json", told]
    words += ["--jobs", str(options.jobs), "--patience", str(PATIENCE_SECONDS), "--progress", f"compare: {kind}", "--heavy"]
    words += [word for case in options.cases for word in ("--only", case)]
    # Its status says whether Ringwall did what it must, which `make test` judges; here that is one column.
    subprocess.run(words, check=False)
    result = json.loads(told.read_text())
    for case in result["cases"]:
        for verdict in case.get("walls", {}).values():
            for name in ("why", "seconds", "in_all"):  # of the rows of cost, and none of this table's business
                verdict.pop(name, None)
    return {"cases": result["cases"], "patience": PATIENCE_SECONDS}


def measured(script, room, options):
    """Cost and growth are measured by programs of their own, as an ordinary user."""
    told = room / f"{script}.json"
    words = [sys.executable, "-B", room / f"src/bench/{script}.py", "--room", room, "--json", told]
    words += ["--quick"] if options.quick else []
    words += [word for row in options.row for word in ("--row", row)]
    done = subprocess.run(words, check=False)
    if done.returncode != 0 or not told.exists():
        raise RuntimeError(f"{script}.py gave {done.returncode}")
    return json.loads(told.read_text())


def renewed(old, new):
    """The rows with those that were measured again in their places."""
    fresh = {row["name"]: row for row in new}
    return [fresh.pop(row["name"], row) for row in old] + list(fresh.values())


def run_part(part, sides, room, options):
    begin = time.monotonic()
    say(f"compare: {part} …")
    if part in ("attacks", "work"):
        result = corpus(part, sides, room, options)
    else:
        result = measured({"cost": "compare_cost", "growth": "growth"}[part], room, options)
    file = options.docs / f"{part}.json"
    if options.row and file.exists() and "rows" in result:
        result["rows"] = renewed(json.loads(file.read_text(encoding="utf-8"))["rows"], result["rows"])
    result = {"host": facts_of_host(), "sides": sides} | result
    file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    say(f"compare: {part} took {time.monotonic() - begin:.0f} s")


def compare(options):
    failed = 0
    if options.parts:
        with compare_room.opened(options.binary, options.peers, options.work_tools) as room:
            sides = compare_room.sides()
            for name, side in sides.items():
                if "cannot" in side:
                    say(f"compare: {name} cannot run here: {side['cannot']}")
            for part in options.parts:
                try:
                    run_part(part, sides, room, options)
                except (RuntimeError, OSError, ValueError) as error:
                    failed = 1
                    say(f"compare: {part} failed: {error}")
    found = compare_tables.write(options.docs)
    compare_tables.show(options.docs)
    if found and options.docs.resolve() == TOP / "docs/compare":
        readme = TOP / "README.md"
        readme.write_text(compare_readme.renewed(readme.read_text(encoding="utf-8"), found), encoding="utf-8")
    return failed


if __name__ == "__main__":
    chosen = parse_arguments()
    chosen.docs.mkdir(parents=True, exist_ok=True)
    needed = [TOP, chosen.binary, chosen.peers, chosen.work_tools, chosen.docs]
    sys.exit(own_machine.run(lambda: compare(chosen), needed))
