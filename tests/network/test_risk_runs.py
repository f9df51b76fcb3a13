"""Runs of tests/corpus/risk that go wrong, played once more: the level is reached, and what it promises is done."""

import json
import subprocess
import sys
import time

import pytest
from conftest import HERE

sys.path.insert(0, str(HERE.parent / "corpus/risk"))

import project  # noqa: E402
from lab import names  # noqa: E402
from scenarios import PASTE, SCENARIOS, flags_of  # noqa: E402

PACE = 20  # so much faster than they were recorded
LEVELS = ["normal", "caution", "restricted", "isolated", "killed"]
# As in src/risk/corpus_test.cc.
LEAST = {
    "cleanup-gone-wrong": "restricted",
    "exfiltration": "isolated",
    "probing": "isolated",
    "runaway-loop": "restricted",
    "hidden-instructions": "restricted",
}
PATIENCE_SECONDS = 240


class Played:
    def __init__(self, ringwall, place, lab, name, flags):
        self.ringwall, self.place, self.name = ringwall, place, name
        project.name_hosts(lab.folder, names.WEB)
        project.make(place.work)
        agent = project.copy_agent(place.root / "agent")
        words = ["run", *flags_of(name, "1s"), *flags, "--ro", place.root / "agent", "--", *agent, name, PACE]
        self.process = ringwall.start(*words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def lines(self):
        return [json.loads(line) for line in self.ringwall("log", self.name, "--json").out.splitlines()]

    def highest(self):
        return max([line["level"] for line in self.lines() if line["event"] == "risk_level"], key=LEVELS.index, default="normal")

    def stands_still(self):
        described = self.ringwall("inspect", self.name, "--json")
        return described.status == 0 and json.loads(described.out)["paused"]

    def until_it_stands_or_ends(self):
        end = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and not self.stands_still():
            assert time.monotonic() < end, f"{self.name} goes on and on"
            time.sleep(0.1)

    def end(self):
        if self.process.poll() is None:
            self.ringwall("kill", self.name)
        self.process.wait(60)


@pytest.fixture
def play(ringwall, place, lab):
    """play(NAME, *FLAGS): the run, when it stands still or has ended."""
    played = []

    def start(name, *flags):
        played.append(Played(ringwall, place, lab, name, flags))
        played[-1].until_it_stands_or_ends()
        return played[-1]

    yield start
    for run in played:
        run.end()


def check_that_nothing_leaves(lab):
    got = len([host for host in lab.hosts() if host == PASTE])
    assert 0 < got < 400
    time.sleep(1)
    assert len([host for host in lab.hosts() if host == PASTE]) == got, "it is isolated"


@pytest.mark.parametrize("name", LEAST)
def test_it_is_narrowed_or_stopped(play, lab, name):
    run = play(name)
    highest = run.highest()
    assert LEVELS.index(highest) >= LEVELS.index(LEAST[name]), highest
    assert (highest == "isolated") <= run.stands_still(), "what is isolated stands still"
    if name == "exfiltration":
        check_that_nothing_leaves(lab)
    run.end()
    assert "the same" in run.ringwall("risk", "replay", name).ok()


def test_without_levels_everything_leaves(play, lab):
    off = [word for level in LEVELS[1:] for word in (f"--risk-{level}", "none")]
    run = play("exfiltration", *off)
    assert run.process.wait(60) == 0 and run.highest() == "normal"
    assert len([host for host in lab.hosts() if host == PASTE]) == 400


def test_every_run_that_goes_wrong_is_played():
    assert set(LEAST) == {name for name, scenario in SCENARIOS.items() if scenario.levels}
