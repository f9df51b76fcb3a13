"""Who attaches to a run hears its messages as the person does who started it."""

import pytest
from terminals import DETACH, at_terminal, run_at, started, tmux, wait_until  # noqa: F401

WIDE = (24, 300)
DELETES = "echo up; touch up; read x; rm -f many/[1-3]?; read x"
FLAGS = ("--deleted-files", "20")
PAUSED = r"ringwall: paused: the run here has deleted \d+ files.*--deleted-files\r\n"


@pytest.fixture
def many(place):
    folder = place.work / "many"
    folder.mkdir()
    for i in range(300):
        (folder / str(i)).write_text("x")


def attach(run_at, *flags):
    person = run_at("attach", *flags, "here", size=WIDE)
    person.expect("2J.*up")
    return person


def test_everybody_who_looks_hears_of_a_limit(started, run_at, place, many):
    started("sh", "-c", DELETES, flags=FLAGS)
    wait_until((place.work / "up").exists)
    person, onlooker = attach(run_at), attach(run_at, "--watch")
    person.send("go\n")
    person.expect(PAUSED)
    onlooker.expect(PAUSED)


def test_who_comes_back_hears_of_a_limit(ringwall, run_at, many):
    person = run_at("run", "--name", "here", *FLAGS, "--", "sh", "-c", DELETES)
    person.expect("up")
    person.send(DETACH)
    assert person.status() == 0
    person = attach(run_at)
    person.send("go\n")
    person.expect(PAUSED)
    ringwall("kill", "here").ok()
    assert person.status() == 137


def test_who_comes_later_hears_why_it_stands_still(ringwall, started, run_at, place, many):
    started("sh", "-c", DELETES, flags=FLAGS)
    wait_until((place.work / "up").exists)
    person = attach(run_at)
    person.send("go\n")
    person.expect(PAUSED)
    person.send(DETACH)
    assert person.status() == 0
    person = attach(run_at)
    person.expect(r"here is paused, since it has deleted \d+ .* \(--deleted-files\); let it go on: ringwall resume here")
    # Another pause has nothing to do with it.
    ringwall("resume", "here").ok()
    wait_until(lambda: "paused" not in ringwall("ls").out)
    person.send(DETACH)
    assert person.status() == 0
    ringwall("pause", "here").ok()
    person = attach(run_at)
    person.expect("here is paused; let it go on: ringwall resume here")
    assert b"since" not in person.seen


def test_a_narrow_terminal_shows_all_of_it(ringwall, started, tmux, place, many):
    started("sh", "-c", DELETES.replace("read x;", "", 1), flags=FLAGS)
    wait_until(lambda: "paused" in ringwall("ls").out)
    pane = tmux.open(ringwall.command(["attach", "here"]), size=(24, 50))
    pane.expect("(?s)^up\n.*here is paused.*resume here")
    pane.keys("C-\\", "C-\\")
    pane.expect("ended 0")


def test_time_that_is_up_is_told(started, run_at, place):
    started("sh", "-c", "echo up; touch up; sleep 600", flags=("--timeout", "8s"))
    wait_until((place.work / "up").exists)
    person = attach(run_at)
    person.expect("ringwall: ended: .*--timeout\r\n")
    assert person.status() == 124
