#!/usr/bin/python3 -B
"""Runs a corpus: every case bare, where it must succeed, and then behind each wall.

    run.py attacks|work [--with ringwall,...] [--only NAME]... [--json FILE] [--jobs 2] [--mutants some|all] [--seconds] [--heavy]

Each case gets a host of its own (host.py). The status is 0 only if every case did what it must: bare it works, behind
Ringwall an attack is stopped and work goes on. What others do is told, and no failure. --mutants runs attacks once more
with the walls that they name taken away, where they must get through; `some` takes one of each class for the same walls. Cases of the network run in the lab of
tests/network.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import case as cases  # noqa: E402
import judge  # noqa: E402
import lab_journal  # noqa: E402
import walls  # noqa: E402

WANTED = {
    "attacks": {"bare": ("through",), "ringwall": ("stopped", "refused"), "mutant": ("through",)},
    "work": {"bare": ("works",), "ringwall": ("works",)},
}
WORDS = {
    "bare": "the case itself is broken: it does not do bare what it says",
    "ringwall": "mend Ringwall, or the case if it asks for what no promise gives",
    "mutant": "stopped by another wall than those that WALLS names",
}


def options(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kind", choices=cases.KINDS)
    parser.add_argument("--with", dest="walls", default="ringwall", help="walls, by commas; bare is always run")
    parser.add_argument("--only", action="append", default=[], help="a case, a class, or CLASS/NAME")
    parser.add_argument("--json", help="a file for the results")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mutants", choices=["none", "some", "all"], default="none", help="see above")
    parser.add_argument("--heavy", action="store_true", help="run those too that take long (HEAVY)")
    parser.add_argument("--seconds", action="store_true", help="tell the slowest cases")
    return parser.parse_args(words)


def mutants_of(chosen, how):
    """Which cases are run without their walls as well."""
    able = [case for case in chosen if case.get("WALLS") and how != "none"]
    if how == "some":
        able = {(case.group, case.get("WALLS")): case for case in reversed(able)}.values()
    return set(map(repr, able))


def run_case(kind, path, names):
    """In a process of its own, behind each wall: what came of it. Bare first: who is broken shows nothing elsewhere."""
    case = cases.Case(kind, path)
    known = walls.by_name()
    results = {}
    for name in ("bare", *names):
        verdict = judge.judged(case, known[name])
        results[name] = {"result": verdict.word, "why": verdict.why, "seconds": round(verdict.seconds, 3)}
        if verdict.word not in WANTED[kind]["bare"] and name == "bare":
            break
    return results


def failures_of(kind, results):
    for wall, told in results.items():
        if told["result"] not in WANTED[kind].get(wall, (told["result"],)):
            yield wall, told


class Report:
    """What is shown while it goes on, and in the end."""

    def __init__(self, kind, count):
        self.kind, self.count, self.ready = kind, count, 0
        self.entries, self.failed = [], 0

    def add(self, case, results=None, missing=None):
        self.ready += 1
        facts = {"class": case.group, "name": case.name, "says": case.says, "options": case.options}
        if case.kind == "attacks":
            facts |= {"shape": case.get("SHAPE"), "promise": case.promise()}
        self.entries.append(facts | ({"not_run": missing} if missing else {"walls": results}))
        failed = list(failures_of(self.kind, results or {}))
        self.failed += bool(failed)
        for wall, told in failed:
            self.clear()
            why = "\n    ".join(told["why"].splitlines())
            print(f"{case} {wall}: {told['result']}; {WORDS.get(wall, '')}\n    {why}", flush=True)
        if missing:
            self.clear()
            print(f"{case} was not run: {missing}", flush=True)
        if sys.stdout.isatty():
            print(f"\r{self.ready} of {self.count}", end="", flush=True)

    def clear(self):
        if sys.stdout.isatty():
            print("\r\x1b[K", end="")


def run_here(kind, chosen, names, arguments, report):
    """The cases that need no other surroundings, some at a time."""
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
        waiting = {}
        mutants = mutants_of(chosen, arguments.mutants)
        for case in chosen:
            if missing := case.missing():
                report.add(case, missing=missing)
            else:
                mine = [*names, "mutant"] if repr(case) in mutants else names
                waiting[pool.submit(run_case, kind, case.path, mine)] = case
        for ready in concurrent.futures.as_completed(waiting):
            report.add(waiting[ready], ready.result())


def run_in_lab(kind, chosen, arguments, report):
    """The cases that need a network, by this same program in the lab."""
    room = os.environ["RINGWALL_CORPUS_BUILD"]
    told = f"{room}/lab.json"
    words = [sys.executable, "-B", str(HERE.parent / "network/in_lab.py"), sys.executable, "-B", __file__, kind]
    words += ["--with", arguments.walls, "--jobs", str(arguments.jobs), "--json", told]
    words += ["--mutants", arguments.mutants]
    words += [word for case in chosen for word in ("--only", repr(case))]
    done = subprocess.run(words, capture_output=True, text=True)
    if not os.path.exists(told):
        raise RuntimeError(f"the lab did not come up:\n{done.stdout}{done.stderr}")
    entries = {(e["class"], e["name"]): e for e in json.loads(Path(told).read_text())["cases"]}
    for case in chosen:
        entry = entries[case.group, case.name]
        report.add(case, entry.get("walls"), entry.get("not_run"))


def summary(report, names, seconds):
    run = [entry for entry in report.entries if "walls" in entry]
    left_out = len(report.entries) - len(run)
    print(f"{len(run)} cases were run in {seconds:.0f} s, {left_out} were not, {report.failed} failed")
    for name in ("bare", *names, "mutant"):
        words = [entry["walls"][name]["result"] for entry in run if name in entry["walls"]]
        counts = ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))
        if counts:
            print(f"  {name}: {counts}")


def slowest(report):
    times = [
        (told["seconds"], f"{entry['class']}/{entry['name']}", wall)
        for entry in report.entries
        for wall, told in entry.get("walls", {}).items()
    ]
    for seconds, name, wall in sorted(times, reverse=True)[:20]:
        print(f"  {seconds:6.2f} s  {name}  {wall}")


def write_json(path, kind, report, names):
    known = walls.by_name()
    facts = {
        "corpus": kind,
        "user": "root" if os.getuid() == 0 else "user",
        "kernel": platform.release(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "versions": {name: known[name].version() for name in names if name in known},
        "cases": sorted(report.entries, key=lambda e: (e["class"], e["name"])),
    }
    Path(path).write_text(json.dumps(facts, indent=1) + "\n")


def main(words):
    arguments = options(words)
    known, names = walls.by_name(), [n for n in arguments.walls.split(",") if n != "bare"]
    for name in names:
        if name not in known:
            sys.exit(f"run.py: no wall is called {name}; there are {', '.join(known)}")
        if reason := known[name].can_run():
            sys.exit(f"run.py: {name} cannot be run here: {reason}")
    found = cases.load(arguments.kind, arguments.only)
    # Who names a case wants it, however long it takes.
    chosen = [case for case in found if arguments.heavy or arguments.only or not case.get("HEAVY")]
    if not chosen:
        sys.exit(f"run.py: no case is called {arguments.only}")
    start, report = time.monotonic(), Report(arguments.kind, len(chosen))
    in_lab = [case for case in chosen if case.get("LAB") and not lab_journal.here()]
    with tempfile.TemporaryDirectory(prefix="corpus") as room:
        os.environ["RINGWALL_CORPUS_BUILD"] = room
        if in_lab:
            run_in_lab(arguments.kind, in_lab, arguments, report)
        run_here(arguments.kind, [c for c in chosen if c not in in_lab], names, arguments, report)
    report.clear()
    summary(report, names, time.monotonic() - start)
    if len(found) > len(chosen):
        print(f"  {len(found) - len(chosen)} heavy ones were left for --heavy: {', '.join(repr(c) for c in found if c not in chosen)}")
    if arguments.seconds:
        slowest(report)
    if arguments.json:
        write_json(arguments.json, arguments.kind, report, names)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
