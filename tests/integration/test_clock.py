"""Clocks that jump: a laptop that slept, a machine that hears the time of the network for the first time.

Ringwall's processes get another clock than the kernel's, and it is set while they run; files keep the kernel's.
"""

import json
import re
import subprocess
import time

import pytest
from limit_events import end, wait_for_limit
from other_clock import OtherClock

HOUR = 3600
YEAR = 365 * 24 * HOUR


@pytest.fixture
def clock(place):
    return OtherClock(place.root / "clock")


def test_the_clock_of_these_tests_can_be_set(ringwall, clock, place):
    """Else nothing below would show anything."""
    clock.set(10 * YEAR)
    ringwall("run", "--name", "later", "true", env=clock.env).ok()
    first = json.loads(ringwall("log", "--json", "later").ok().splitlines()[0])
    assert int(first["time"][:4]) >= time.gmtime().tm_year + 9, first


def test_growth_is_seen_after_the_clock_was_set_back(ringwall, clock):
    clock.set(HOUR)
    script = "echo up; read go; for i in $(seq 60); do head -c 4M /dev/zero > $i; sleep 0.05; done; sleep 30"
    process = ringwall.start(
        "run", "--json", "--name", "here", "--workspace-size", "20M", "--", "sh", "-c", script, env=clock.env, stdin=subprocess.PIPE
    )
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    clock.set(0)
    process.stdin.write(b"go\n")
    process.stdin.flush()
    assert wait_for_limit(process)[0]["limit"] == "workspace_size"
    end(process)


@pytest.mark.parametrize("jump", [-YEAR, HOUR, YEAR])
def test_time_limits_and_the_record_do_not_jump(ringwall, clock, jump):
    started = time.monotonic()
    process = ringwall.start("run", "--name", "here", "--timeout", "2s", "--", "sh", "-c", "echo up; sleep 60", env=clock.env)
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    clock.set(jump)
    (run,) = json.loads(ringwall("ls", "--json", env=clock.env).ok())
    assert run["name"] == "here"
    assert not re.search(r"\s-\d", ringwall("ls", env=clock.env).ok())
    process.communicate(timeout=120)
    assert 1.9 < time.monotonic() - started < 10
    assert "none changed" in ringwall("log", "--verify", "here").ok()
    kinds = [json.loads(line)["event"] for line in ringwall("log", "--json", "here").ok().splitlines()]
    assert kinds[0] == "run_started" and kinds[-1] == "run_ended", kinds


@pytest.mark.parametrize("jump", [-YEAR, YEAR])
def test_nothing_of_a_living_run_is_cleaned_away(ringwall, clock, place, jump):
    process = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read x; echo $x >~/.cache/still; cat ~/.cache/still", stdin=subprocess.PIPE)
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    clock.set(jump)
    ringwall("clean", env=clock.env).ok()
    ringwall("run", "--name", "other", "true", env=clock.env).ok()
    out, _ = process.communicate(b"alive\n", timeout=120)
    assert (out, process.returncode) == (b"alive\n", 0)
    assert "none changed" in ringwall("log", "--verify", "here").ok()
