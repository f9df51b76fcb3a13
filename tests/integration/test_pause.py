"""Who comes to a run that stands still is told why nothing happens."""

import pytest
from terminals import DETACH, at_terminal, run_at, started, wait_until  # noqa: F401


@pytest.mark.parametrize("flags", [(), ("--watch",)])
def test_who_attaches_to_a_paused_run_is_told(ringwall, started, run_at, place, flags):
    script = "touch up; echo up; while read x; do echo got $x; done"
    started("sh", "-c", script)
    wait_until((place.work / "up").exists)
    ringwall("pause", "here").ok()
    person = run_at("attach", *flags, "here")
    person.expect("2J.*up.*here is paused; let it go on: ringwall resume here")
    ringwall("resume", "here").ok()
    if not flags:
        person.send("typed\n")
        person.expect("got typed")
    person.send(b"\x03" if flags else DETACH)
    assert person.status(3) == 0
    person = run_at("attach", *flags, "here")
    person.expect("2J.*up")
    person.send(b"\x03" if flags else DETACH)
    assert b"paused" not in person.until_end()


def test_a_pause_that_changes_nothing_says_so(ringwall, started):
    started("sleep", "60")
    for command, told in (
        ("resume", "ringwall: here is not paused\n"),
        ("pause", ""),
        ("pause", "ringwall: here is paused already\n"),
        ("resume", ""),
    ):
        done = ringwall(command, "here")
        assert (done.status, done.err) == (0, told), command
