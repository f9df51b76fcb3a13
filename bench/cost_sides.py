"""The sides of a cost: every wall that can run here, in its best setting, and none; and how a row is told."""

import os
import statistics
import subprocess
import types

import compare_room  # noqa: F401  # puts the adapters within reach
import measure
import place
import walls
from report import CannotMeasure


class Workspace:
    """What adapters ask of a host, for one folder on the disk of the measurements."""

    def __init__(self, name, options, **needs):
        self.home = options.room / "home"
        self.root = self.runtime = self.home
        self.work = options.disk / name
        self.work.mkdir(parents=True, exist_ok=True)
        self.log = str(self.home / "stderr")
        self.env = place.clean_environment(self.home)
        # What an adapter asks of a case.
        self.case = types.SimpleNamespace(options=needs, get=lambda name, otherwise=None: otherwise)

    def environment(self):
        return self.env

    def fill_in(self, text):
        return text

    def commands(self, words):
        """{side: command line} of every wall that can be measured; the workspace becomes our folder."""
        os.chdir(self.work)
        made = {}
        for name, wall in walls.by_name().items():
            if name == "mutant" or getattr(wall, "is_default", False) or reason_of(wall):
                continue
            if name == "sandbox-runtime":  # firejail's account was given to all of us at the start
                wall.prepare(self, self.case)
            plain = [str(word) for word in words]
            command = plain if name == "bare" else wall.command(self, self.case, plain)
            made[name] = [absolute(command[0]), *command[1:]]
        return made


_reasons = {}


def reason_of(wall):
    """As can_run, but asked once, and not of what only root can prepare, who has done so."""
    if wall.name not in _reasons:
        _reasons[wall.name] = None if wall.name == "firejail" and os.path.exists("/usr/bin/firejail") else wall.can_run()
    return _reasons[wall.name]


def unable():
    """{side: reason} of those that no row can measure."""
    return {name: reason for name, reason in _reasons.items() if reason and not name.endswith("-default")}


def absolute(program):
    """The workspace is our folder."""
    return os.path.abspath(program) if "/" in program else f"/usr/bin/{program}"


def rounds_of(options, rounds):
    return 2 if options.quick else rounds


def take_turns(sides, rounds, warm_up=1):
    """As measure.take_turns, but a side that fails is left out, with the reason: (times, reasons)."""
    reasons = {}
    for name, side in sides.items():
        try:
            side()
        except (CannotMeasure, OSError, ValueError, subprocess.SubprocessError) as error:
            reasons[name] = " ".join(str(error).split())[-300:]
    good = {name: side for name, side in sides.items() if name not in reasons}
    return measure.take_turns(good, rounds, warm_up - 1), reasons


def side_of(values):
    low, _, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {"median": statistics.median(values), "low": low, "high": high, "rounds": len(values)}


def row_of(name, title, says, unit, times, reasons, scale=1.0, more_is_better=False):
    """A row from {side: [value, ...]}: medians and spread, and Ringwall's ratios."""
    sides = {side: side_of([value * scale for value in values]) for side, values in times.items()}
    sides |= {side: {"cannot": reason} for side, reason in (unable() | reasons).items()}
    row = {"name": name, "title": title, "says": says, "unit": unit, "sides": sides, "more_is_better": more_is_better}
    ours = times.get("ringwall")
    peers = {side: sides[side]["median"] for side in times if side not in ("bare", "ringwall") and "median" in sides[side]}
    if ours and times.get("bare"):
        row["to_bare"] = ratio(ours, times["bare"], more_is_better)
    if ours and peers:
        best = (max if more_is_better else min)(peers, key=peers.get)
        row |= {"best_peer": best, "to_best_peer": ratio(ours, times[best], more_is_better)}
    return row


def ratio(ours, theirs, more_is_better):
    """Above one is always worse for us."""
    pairs = [(b / a if more_is_better else a / b) for a, b in zip(ours, theirs) if a and b]
    return statistics.median(pairs) if pairs else None


def output(argv, env, patience=300):
    done = subprocess.run(
        argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=patience
    )
    if done.returncode != 0:
        raise CannotMeasure(f"gave {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout
