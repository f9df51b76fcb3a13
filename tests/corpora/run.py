#!/usr/bin/python3 -B
"""Runs a corpus: every case bare, where it must succeed, and then behind each wall.

    run.py attacks|work [--with ringwall,...] [--only NAME]... [--json FILE] [--jobs 2] [--mutants some|all] [--seconds]
           [--heavy] [--patience 180] [--second-tries 3]

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
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import case as cases  # noqa: E402
import judge  # noqa: E402
import lab_journal  # noqa: E402
import launch  # noqa: E402
import turns  # noqa: E402
import walls  # noqa: E402

WANTED = {
    "attacks": {"bare": ("through",), "ringwall": ("stopped", "refused"), "mutant": ("through",)},
    "work": {"bare": ("works",), "ringwall": ("works",)},
}
BETWEEN_LINES_SECONDS = 20
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
    parser.add_argument("--patience", type=int, default=launch.PATIENCE_SECONDS, help="seconds, then a run `hangs` (180)")
    parser.add_argument("--second-tries", type=int, default=3, help="most runs that failed beside others and are tried again, alone (docs/decisions/0022)")
    parser.add_argument("--progress", default="", help="a word: tell on stderr under it how far we are")
    return parser.parse_args(words)


def mutants_of(chosen, how):
    """Which cases are run without their walls as well."""
    able = [case for case in chosen if case.get("WALLS") and how != "none"]
    if how == "some":
        able = {(case.group, case.get("WALLS")): case for case in reversed(able)}.values()
    return set(map(repr, able))


def run_case(kind, path, name, patience):
    """In a process of its own, behind one wall: what came of it."""
    launch.PATIENCE_SECONDS = patience
    begin = time.monotonic()
    verdict = judge.judged(cases.Case(kind, path), walls.by_name()[name])
    spent = {"seconds": round(verdict.seconds, 3), "in_all": round(time.monotonic() - begin, 3)}
    return {"result": verdict.word, "why": verdict.why} | spent


def failures_of(kind, results):
    for wall, told in results.items():
        if told["result"] not in WANTED[kind].get(wall, (told["result"],)):
            yield wall, told


class Report:
    """What is shown while it goes on, and in the end."""

    def __init__(self, kind, count, label=""):
        self.kind, self.count, self.label, self.ready = kind, count, label, 0
        self.entries, self.failed = [], 0
        self.begin = self.told = time.monotonic()

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
        self.tell()

    def tell(self):
        """How far we are: one line that changes on a terminal, else a line now and then for who asked for it."""
        if sys.stdout.isatty() and not self.label:
            print(f"\r{self.ready} of {self.count}", end="", flush=True)
        if not self.label:
            return
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if is_terminal or now - self.told > BETWEEN_LINES_SECONDS or self.ready == self.count:
            self.told = now
            text = f"{self.label}: {self.ready} of {self.count} cases, {now - self.begin:.0f} s"
            print(f"\r{text}\x1b[K" if is_terminal else text, end="" if is_terminal else "\n", file=sys.stderr, flush=True)

    def clear(self):
        for stream in (sys.stdout, sys.stderr) if self.label else (sys.stdout,):
            if stream.isatty():
                print("\r\x1b[K", end="", file=stream, flush=True)


class Runs:
    """The cases that need no other surroundings: some runs of any case behind any wall at a time."""

    def __init__(self, pool, names, arguments, report):
        self.pool, self.names, self.arguments, self.report = pool, names, arguments, report
        self.waiting = {}  # (case, wall) of a run that was not finished
        self.second_tries = []  # runs that failed beside others, for when these have ended
        self.tried_again = set()
        self.results = {}  # of cases that still have such runs

    def submit(self, case, name):
        run = self.pool.submit(run_case, case.kind, case.path, name, self.arguments.patience)
        self.waiting[run] = case, name

    def take(self, run):
        case, name = self.waiting.pop(run)
        found = self.results.setdefault(repr(case), {})
        failed = run.exception()  # the harness's own mistake is one case's failure, and no other's
        told = {"result": "broken", "why": repr(failed), "seconds": 0, "in_all": 0} if failed else run.result()
        if any(failures_of(case.kind, {name: told})) and self.may_try_again(case, name):
            return
        found[name] = told
        wanted = WANTED[case.kind]["bare"]
        # Bare first: who is broken shows nothing elsewhere.
        if name == "bare" and found[name]["result"] in wanted:
            for other in self.names[repr(case)]:
                self.submit(case, other)
        if len(found) == len(self.names[repr(case)]) + 1 or name == "bare" and found[name]["result"] not in wanted:
            order = ("bare", *self.names[repr(case)])
            self.report.add(case, {other: found[other] for other in order if other in found})

    def may_try_again(self, case, name):
        """Whether a run that failed comes once more, by itself; several failures are no accident."""
        if (repr(case), name) in self.tried_again or len(self.tried_again) >= self.arguments.second_tries:
            return False
        self.tried_again.add((repr(case), name))
        self.second_tries.append((case, name))
        return True

    def finish(self):
        while self.waiting:
            for run in concurrent.futures.wait(self.waiting, return_when="FIRST_COMPLETED").done:
                self.take(run)

    def run(self, chosen):
        for case in chosen:
            if missing := case.missing():
                self.report.add(case, missing=missing)
            else:
                self.submit(case, "bare")
        self.finish()
        while self.second_tries:
            case, name = self.second_tries.pop()
            self.report.clear()
            print(f"SECOND TRY, ALONE: {case} {name}", flush=True)
            with turns.turn(alone=True):
                self.submit(case, name)
                self.finish()


def run_here(chosen, names, arguments, report):
    mutants = mutants_of(chosen, arguments.mutants)
    behind = {repr(case): [*names, "mutant"] if repr(case) in mutants else names for case in chosen}
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
        Runs(pool, behind, arguments, report).run(chosen)


def run_in_lab(kind, chosen, arguments, report):
    """The cases that need a network, by this same program in the lab."""
    room = os.environ["RINGWALL_CORPUS_BUILD"]
    told = f"{room}/lab.json"
    words = [sys.executable, "-B", str(HERE.parent / "network/in_lab.py"), sys.executable, "-B", __file__, kind]
    words += ["--with", arguments.walls, "--jobs", str(arguments.jobs), "--json", told]
    words += ["--mutants", arguments.mutants, "--patience", str(arguments.patience)]
    words += ["--second-tries", str(arguments.second_tries)]
    words += ["--progress", f"{arguments.progress}, in the lab"] if arguments.progress else []
    words += [word for case in chosen for word in ("--only", repr(case))]
    said = Path(room, "lab.log")
    with open(said, "w") as log, subprocess.Popen(words, stdout=log, stderr=subprocess.PIPE, text=True) as lab:
        for line in lab.stderr:  # the lab's servers talk there too
            shown = arguments.progress and line.startswith(arguments.progress)
            print(line, end="", file=sys.stderr if shown else log, flush=True)
    if not os.path.exists(told):
        raise RuntimeError(f"the lab did not come up:\n{said.read_text()}")
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
        (told["in_all"], f"{entry['class']}/{entry['name']}", wall)
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
    start, report = time.monotonic(), Report(arguments.kind, len(chosen), arguments.progress)
    in_lab = [case for case in chosen if case.get("LAB") and not lab_journal.here()]
    with tempfile.TemporaryDirectory(prefix="corpus") as room:
        os.environ["RINGWALL_CORPUS_BUILD"] = room
        if in_lab:
            run_in_lab(arguments.kind, in_lab, arguments, report)
        run_here([c for c in chosen if c not in in_lab], names, arguments, report)
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
