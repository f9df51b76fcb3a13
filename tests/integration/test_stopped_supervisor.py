"""A supervisor that was stopped answers nothing: who asks is told so, and it can be ended."""

import os
import signal

import pytest
from terminals import at_terminal, run_at, started, wait_until  # noqa: F401

MANY = 40  # more than the kernel lets wait if it is not told otherwise


@pytest.fixture
def halted(started):
    supervisor = started("sleep", "600")
    os.kill(supervisor, signal.SIGSTOP)
    yield supervisor
    try:
        os.kill(supervisor, signal.SIGCONT)
    except ProcessLookupError:
        pass


@pytest.mark.parametrize("words", [("attach",), ("attach", "--watch"), ("exec",)], ids="-".join)
def test_nobody_waits_at_a_terminal_for_good(ringwall, run_at, halted, words):
    command = ("--", "true") if words == ("exec",) else ()
    person = run_at(*words, "here", *command)
    assert person.status(30) == 125
    assert b"does not answer" in person.seen and b"ringwall kill" in person.seen
    assert not person.is_raw()
    os.kill(halted, signal.SIGCONT)
    wait_until(lambda: "detached" in ringwall("ls").out)


@pytest.mark.parametrize("words", [("pause", "here"), ("resume", "here"), ("exec", "here", "--", "true")], ids=" ".join)
def test_nobody_waits_without_one(ringwall, halted, words):
    ringwall(*words, timeout=30).refused("does not answer", "fg")


def test_it_can_be_listed_and_ended_though_many_have_asked(ringwall, halted):
    asking = [ringwall.start("ls") for _ in range(MANY)]
    for process in asking:
        out, _ = process.communicate(timeout=30)
        assert b"no answer" in out
    ringwall("kill", "here", timeout=30).ok()
    wait_until(lambda: ringwall("ls").out == "")
