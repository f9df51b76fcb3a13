"""Walls taken away, one by one and together: the probe names what still held, or fails.

The walls are left out by a build for tests; the released binary does not know how.
"""

import contextlib
import os

import caller_terminal
import layers
import promises
import pytest
import sandbox_run


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id()) for row in layers.ROWS])
def test_mutation(outside, leaky_descriptors, row):
    with contextlib.ExitStack() as stack:
        terminal = None
        if row.promise == "P20":
            terminal = stack.enter_context(caller_terminal.CallerTerminal())
        run = stack.enter_context(
            sandbox_run.Run(
                outside, take_away=row.away, pass_fds=leaky_descriptors, terminal=terminal
            )
        )
        if row.finding == "refused":
            with pytest.raises(sandbox_run.DidNotStart, match="cannot be built"):
                run.probe(row.promise)
            return
        answer = run.probe(row.promise)[row.promise]
    acts = answer["acts"]
    assert answer["finding"] == row.finding, answer
    for act in row.through:
        assert acts.get(act.format(home=outside.home)) == "", (act, acts)
    for act, met in row.still.items():
        assert acts.get(act.format(home=outside.home)) == met, (act, acts)


@pytest.mark.parametrize("promise", promises.PROMISES, ids=promises.test_id)
def test_some_mutation_breaches(promise):
    findings = {row.finding for row in layers.ROWS if row.promise == promise}
    assert "breached" in findings


def test_without_user_namespace_the_run_is_refused(outside):
    with sandbox_run.Run(outside, take_away=["user-namespace"]) as run:
        with pytest.raises(sandbox_run.DidNotStart, match="cannot be built"):
            run.probe("P01")


def test_released_binary_takes_nothing_away(outside, leaky_descriptors, monkeypatch):
    walls = ["landlock", "system-calls", "environment", "private-home", "socket-masks"]
    monkeypatch.setenv("RINGWALL_TAKE_AWAY", ",".join(walls))
    with sandbox_run.Run(outside, pass_fds=leaky_descriptors) as run:
        for promise in ("P04", "P07", "P13", "P19"):
            assert run.probe(promise)[promise]["finding"] == "held"
    with open(os.environ["RINGWALL_BIN"], "rb") as binary:
        content = binary.read()
    # The probe that looks for the variable knows its name; the list of walls is not read.
    assert b"a test without this wall" not in content
