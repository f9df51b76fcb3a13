"""`ringwall verify`: every promise holds, and a missing wall is noticed.

The promises themselves have their tests in tests/promises; here it is the command that is tested.
"""

import itertools
import json
import os
import pty
import select
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from conftest import IS_ROOT

PROMISES = range(1, 40)


def numbers(report, *results):
    return [row["number"] for row in report["rows"] if row["result"] in results]


def traces(place):
    """What a check may leave behind: folders, homes, queues, keys."""
    left = [str(path) for path in Path("/tmp").glob("ringwall-verify-*") if is_ours(path)]
    left += [str(path) for path in place.state.glob("verify-*")]
    left += [str(path) for path in place.state.glob("homes/verify-*")]
    if os.path.isdir("/dev/mqueue"):
        left += [str(path) for path in Path("/dev/mqueue").glob("ringwall-verify*") if is_ours(path)]
    if os.path.exists("/proc/keys"):
        keys = [line.split() for line in Path("/proc/keys").read_text().splitlines() if " verify-" in line]
        left += [key[0] for key in keys if key[5] == str(os.getuid())]
    return left


def is_ours(path):
    try:
        return path.stat().st_uid == os.getuid()
    except OSError:
        return False


@pytest.fixture
def clean(place):
    before = set(traces(place))
    yield
    # Another check of the same user may be going on; what is left of ours stays.
    end = time.monotonic() + 30
    while (left := set(traces(place)) - before) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left, f"left behind: {left}"


pytestmark = pytest.mark.usefixtures("clean", "knows_programs")  # two promises are about programs


def test_every_promise_is_kept(ringwall):
    done = ringwall("verify", "--json")
    report = json.loads(done.out)
    assert numbers(report, "fail") == [], done
    assert done.status == 0, done
    assert [row["number"] for row in report["rows"]] == [f"P{n:02}" for n in PROMISES]
    assert numbers(report, "pass", "skip") == [f"P{n:02}" for n in PROMISES]
    counts = report["counts"]
    assert counts["kept"] + counts["skipped"] == len(PROMISES)
    assert all(row["evidence"] for row in report["rows"] if row["result"] == "pass")


def test_table_fits_a_hundred_columns(ringwall):
    out = ringwall("verify").ok()
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100, out
    assert "\x1b" not in out
    assert sum(line.startswith("P") and line[1:3].isdigit() for line in lines) == 39
    assert " kept, 0 failed" in lines[-1], lines[-1]


def test_colours_on_a_terminal(ringwall):
    master, slave = pty.openpty()
    process = ringwall.start("verify", stdout=slave, env={"TERM": "xterm"})
    os.close(slave)
    out = read_terminal(master)
    process.communicate(timeout=120)
    assert b"\x1b[32mPASS\x1b[0m" in out, out


def read_terminal(master):
    out = b""
    while select.select([master], [], [], 30)[0]:
        try:
            out += os.read(master, 65536)
        except OSError:  # nobody holds the other end any more
            break
    os.close(master)
    return out


@pytest.mark.parametrize("flags", [[], ["--ask"]], ids=["", "that asks"])
def test_a_run_that_is_going_on(ringwall, place, flags):
    (place.work / "file").write_text("content")
    run = ringwall.start("run", "--name", "trusted", *flags, "--", "sleep", "60")
    try:
        ringwall.wait_for_run("trusted")
        done = ringwall("verify", "trusted", "--json")
        report = json.loads(done.out)
        assert numbers(report, "fail") == [], done
        assert done.status == 0, done
        assert "trusted" in report["subject"]
        asked = {"P23", "P24", "P25"} if flags else set()
        skipped = {row["number"] for row in report["rows"] if row["result"] == "skip"}
        assert asked <= skipped and skipped - asked <= {"P26", "P27"}
        assert json.loads(ringwall("inspect", "trusted", "--json").ok())["waiting"] == []
        own = {row["number"] for row in report["rows"] if "own run" in row["evidence"]}
        assert own == {"P10", "P11", "P12", "P20", "P21", "P29", "P30", "P31", "P32", "P33", "P35", "P36", "P37", "P38", "P39"}
        # It goes on, and nothing was left in its workspace.
        assert ringwall("exec", "trusted", "--", "true").status == 0
        assert sorted(os.listdir(place.work)) == ["file"]
    finally:
        run.terminate()
        run.communicate(timeout=120)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode", "copilot", "goose"])
def test_an_agent_that_is_going_on(ringwall, place, agent):
    """What its profile sets and Ringwall serves inside is no breach; what else lies there is one."""
    folder = place.home / "bin"
    folder.mkdir()
    (folder / agent).write_text("#!/bin/sh\nexec sleep 60\n")
    (folder / agent).chmod(0o755)
    env = {"PATH": f"{folder}:/usr/bin:/bin"}
    run = ringwall.start("run", "--name", "trusted", "--", agent, env=env)
    try:
        ringwall.wait_for_run("trusted")
        done = ringwall("verify", "trusted", "--json")
        assert numbers(json.loads(done.out), "fail") == [], done
    finally:
        run.terminate()
        run.communicate(timeout=120)


def test_an_empty_name_is_no_run(ringwall):
    assert "empty" in ringwall("verify", "").refused("empty").err


def test_unknown_run(ringwall):
    run = ringwall.start("run", "--name", "trusted", "--", "sleep", "60")
    try:
        ringwall.wait_for_run("trusted")
        assert "trusted" in ringwall("verify", "trustde").refused("trustde").hint()
    finally:
        run.terminate()
        run.communicate(timeout=120)
    ringwall("verify", "nobody").refused("nobody")


def test_unknown_flag(ringwall):
    assert "--json" in ringwall("verify", "--jsn").refused("--jsn").hint()


def test_a_home_that_changes_during_a_run_is_noticed(ringwall, place):
    """P12: who litters here stands for a Ringwall that did."""
    done = threading.Event()

    def litter():
        for number in itertools.count():
            (place.home / f"litter{number}").touch()
            if done.wait(0.01):
                return

    thread = threading.Thread(target=litter)
    thread.start()
    try:
        report = json.loads(ringwall.start("verify", "--json").communicate(timeout=120)[0])
    finally:
        done.set()
        thread.join()
        for path in place.home.glob("litter*"):
            path.unlink()
    row = next(row for row in report["rows"] if row["number"] == "P12")
    assert row["result"] == "fail" and "litter" in row["evidence"], report
    assert numbers(report, "fail") == ["P12"], report


def test_missing_walls_are_noticed(mutant):
    done = mutant("landlock,new-root")("verify", "--json")
    if IS_ROOT:
        # Root's stand-in inside cannot even enter a workspace that is not mapped to it.
        assert done.status == 125, done
        return
    report = json.loads(done.out)
    failed = numbers(report, "fail")
    assert "P07" in failed, done
    assert done.status == len(failed)


@pytest.mark.parametrize(
    "walls,promises",
    [
        ("own-terminal", "P20 P21"),
        ("terminal-filter", "P21"),
        ("lifeline,pid-namespace", "P32 P37"),
        ("system-calls", "P35"),
        ("record", "P35"),
        ("record", "P36"),
        ("private-home", "P38"),
        ("denied-programs", "P30"),
        ("noexec-writable,landlock", "P31"),
        ("exec-stop", "P31"),
        ("exec-calls", "P31"),
        ("helper-walls", "P39"),
        ("helper-walls,landlock", "P39"),
    ],
)
def test_checks_from_outside_can_fail(mutant, walls, promises):
    done = mutant(walls)("verify", "--json")
    assert set(promises.split()) <= set(numbers(json.loads(done.out), "fail")), done
    assert done.status > 0


def test_nothing_is_planted_in_a_real_home(mutant, place):
    """With the walls gone, what P38 plants would land in the person's own home."""
    (place.home / ".bashrc").write_text("mine\n")
    mutant("landlock,new-root,private-home")("verify")
    assert (place.home / ".bashrc").read_text() == "mine\n"
    assert not (place.home / ".bash_profile").exists()
    assert not (place.home / ".claude").exists()


@pytest.mark.parametrize("delay", [0.02, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_leaves_nothing(ringwall, place, delay, number):
    process = ringwall.start("verify", start_new_session=True)
    time.sleep(delay)
    process.send_signal(number)
    process.communicate(timeout=120)
    assert process.returncode in (130, -number)
    place.wait_until_gone()
    # A registry entry of a run that was killed is removed by whoever looks next.
    ringwall("ls").ok()


def test_no_home_is_a_refusal(ringwall):
    """125: nothing was verified."""
    ringwall("verify", env={"HOME": "/nowhere"}).refused("/nowhere")


def test_output_to_a_closed_pipe(ringwall):
    process = ringwall.start("verify", stdout=subprocess.PIPE)
    process.stdout.close()
    process.stdout = None
    process.communicate(timeout=120)
