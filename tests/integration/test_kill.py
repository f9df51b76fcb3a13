"""The kill switch: everything inside ends within a second, whatever it does, from outside only."""

import os
import signal
import time

import pytest
from terminals import at_terminal, run_at  # noqa: F401

AT_MOST_SECONDS = 1.0

STUBBORN = {
    "ignores signals": "trap '' TERM INT HUP QUIT USR1 USR2; while :; do sleep 1; done",
    "stopped": "kill -STOP $$; sleep 100",
    "fork storm": "f() { while :; do (sleep 30 &) ; done; }; f & f & f & f & wait",
    "own sessions": "for i in 1 2 3 4 5; do setsid sh -c 'trap \"\" TERM HUP; sleep 100' & done; wait",
    "traced": """exec /usr/bin/python3 -c '
import ctypes, os, time
if os.fork() == 0:
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    os.kill(os.getpid(), 19)
    time.sleep(100)
os.wait()
time.sleep(100)'""",
    "busy": "for i in 1 2 3 4; do (while :; do :; done) & done; wait",
}


@pytest.fixture(params=STUBBORN, ids=[name.replace(" ", "-") for name in STUBBORN])
def stubborn(request, ringwall, place):
    process = ringwall.start(
        "run", "--name", "bad", "--processes", "400", "--", "bash", "-c", f"echo up; touch done; {STUBBORN[request.param]}"
    )
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("bad")
    time.sleep(0.3)
    return process


def check_gone(place, started):
    place.wait_until_gone()
    assert time.monotonic() - started < AT_MOST_SECONDS + 0.5


def test_kill_ends_everything(ringwall, place, stubborn):
    started = time.monotonic()
    ringwall("kill", "bad").ok()
    took = time.monotonic() - started
    stubborn.communicate(timeout=120)
    check_gone(place, started)
    assert took < AT_MOST_SECONDS
    assert stubborn.returncode == 128 + signal.SIGKILL
    assert (place.work / "done").exists()  # the workspace stays
    log = ringwall("log", "bad").ok()
    assert "kill" in log and "ended" in log and "none changed" in ringwall("log", "--verify", "bad").ok()
    ringwall("exec", "bad", "--", "true").refused("no run named")


@pytest.mark.parametrize("kind", STUBBORN, ids=lambda kind: kind.replace(" ", "-"))
def test_kill_of_a_run_at_a_terminal(ringwall, run_at, place, kind):
    """Whose output nobody reads, too."""
    flood = "(while :; do echo flood; done) & "
    person = run_at("run", "--name", "bad", "--processes", "400", "--", "bash", "-c", f"echo up; {flood}{STUBBORN[kind]}")
    person.expect("up\r\n")
    ringwall.wait_for_run("bad")
    time.sleep(0.3)
    started = time.monotonic()
    ringwall("kill", "bad").ok()
    took = time.monotonic() - started
    assert person.status() == 128 + signal.SIGKILL
    check_gone(place, started)
    assert took < AT_MOST_SECONDS
    assert "none changed" in ringwall("log", "--verify", "bad").ok()


@pytest.mark.alone
@pytest.mark.parametrize("request_stop", [False, True], ids=["signal", "stop"])
def test_a_signal_or_a_stop_ends_it_too(ringwall, place, request_stop):
    process = ringwall.start("run", "--name", "bad", "--", "bash", "-c", f"echo up; {STUBBORN['ignores signals']}")
    process.stdout.readline()
    pid = ringwall.wait_for_run("bad")["pid"]
    started = time.monotonic()
    if request_stop:
        ringwall("stop", "bad", "--time", "1s").ok()
    else:
        os.kill(pid, signal.SIGTERM)
    process.communicate(timeout=120)
    place.wait_until_gone()
    assert time.monotonic() - started < (2.0 if request_stop else AT_MOST_SECONDS)


def test_a_supervisor_that_does_not_listen_is_killed_with_its_run(ringwall, place):
    process = ringwall.start("run", "--name", "deaf", "--", "sh", "-c", "echo up; sleep 100")
    process.stdout.readline()
    pid = ringwall.wait_for_run("deaf")["pid"]
    os.kill(pid, signal.SIGSTOP)
    started = time.monotonic()
    ringwall("kill", "deaf").ok()
    process.communicate(timeout=120)
    place.wait_until_gone()
    assert time.monotonic() - started < 2
    assert ringwall("ls").ok() == ""


def test_kill_all(ringwall, place):
    runs = []
    for i in range(4):
        runs.append(ringwall.start("run", "--name", f"r{i}", "--", "sh", "-c", "echo up; sleep 100"))
        runs[-1].stdout.readline()
    for i in range(4):
        ringwall.wait_for_run(f"r{i}")
    ringwall("kill", "--all").ok()
    for process in runs:
        process.communicate(timeout=120)
        assert process.returncode == 137
    place.wait_until_gone()
    assert ringwall("ls").ok() == ""
    ringwall("kill", "--all").ok()


def test_a_stop_lets_it_end_by_itself(ringwall):
    process = ringwall.start("run", "--name", "tidy", "--", "bash", "-c", "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.1; done")
    process.stdout.readline()
    ringwall.wait_for_run("tidy")
    ringwall("stop", "tidy").ok()
    out, _ = process.communicate(timeout=120)
    assert out == b"bye\n" and process.returncode == 7


def test_what_kill_says_to_nonsense(ringwall):
    ringwall("kill").refused("which run")
    ringwall("kill", "nobody").refused("no run named")
    ringwall("stop", "x", "--all").refused("--all")
    ringwall("stop", "x", "--time", "soon").refused("soon")


def test_nothing_inside_can_kill_or_bring_back(ringwall, place):
    """The command is there inside too, and finds no run."""
    script = "ringwall kill --all; ringwall kill in; ringwall ls; echo still here"
    result = ringwall.sh(script, "--name", "in")
    assert "still here" in result.out
