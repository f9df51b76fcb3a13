"""A further command of a run at a terminal: `ringwall exec`."""

import os
import re
import signal
import time
from pathlib import Path

import pytest
from test_attach import ECHO, children_of, init_of
from terminals import at_terminal, quoted, run_at, shell, wait_until  # noqa: F401


@pytest.fixture
def here(run_at):
    """A run called "here"."""
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    return person


def test_exec_has_a_terminal_of_its_own(here, run_at):
    run = run_at("exec", "here", "--", "sh", "-c", "tty; stty size; : </dev/tty && echo mine; exit 6", size=(31, 91))
    assert run.until_end() == b"/dev/pts/1\r\n31 91\r\nmine\r\n" and run.status() == 6


def test_a_shell_by_exec(here, run_at, place):
    run = run_at("exec", "here", "--", "bash", "--norc", "--noprofile", "--noediting", "-i", env={"PS1": None})
    run.expect(r"\$ ")
    run.send("sleep 100\n")
    wait_until(lambda: any(b"sleep\x00100" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in place.processes()))
    run.send(b"\x1a")
    run.expect(r"Stopped.*\$ ")
    run.send("jobs\n")
    run.expect(r"Stopped .*sleep 100.*\$ ")
    run.send("kill -9 %1; wait %1\n")
    run.expect(r"\$ ")
    run.resize(40, 100)
    wait_until(lambda: run.send("stty size\n") or b"40 100" in run.expect(r"\d+ \d+\r\n").group())
    run.send("exit 4\n")
    assert run.status() == 4 and not run.is_raw()


def test_control_c_ends_exec(here, run_at):
    run = run_at("exec", "here", "--", "sh", "-c", "echo up; exec sleep 60")
    run.expect("up\r\n")
    run.send(b"\x03")
    assert run.status(3) == 130


def test_exec_ends_with_its_front_end(ringwall, here, run_at, place):
    run = run_at("exec", "here", "--", "sh", "-c", "trap '' HUP TERM; echo up; while :; do sleep 1; done")
    run.expect("up\r\n")
    init = init_of(ringwall, "here")
    assert len(children_of(init)) == 2
    run.hang_up()
    run.process.wait(60)
    wait_until(lambda: len(children_of(init)) == 1)


@pytest.mark.parametrize("how", ["window", "killed"])
def test_the_jobs_of_a_shell_end_with_its_window(ringwall, here, run_at, place, how):
    """As outside: what nohup started goes on, and so does what left the session."""
    run = run_at("exec", "here", "--", "bash", "--norc", "--noprofile", "--noediting", "-i")
    run.expect(r"\$ ")
    init = init_of(ringwall, "here")
    for words, name in (("", "1001"), ("nohup ", "1002"), ("setsid ", "1003")):
        run.send(f"{words}sleep {name} >/dev/null 2>&1 &\n")
        run.expect(r"\$ ")
    run.send("sleep 1004\n")

    def jobs():
        lines = [Path(f"/proc/{pid}/cmdline") for pid in place.processes()]
        return {number for line in lines if line.exists() for number in re.findall(rb"^sleep\0(\d+)", line.read_bytes())}

    wait_until(lambda: len(jobs()) == 4)
    run.hang_up() if how == "window" else run.process.kill()
    run.process.wait(60)
    wait_until(lambda: jobs() == {b"1002", b"1003"}, 20)
    wait_until(lambda: not any(Path(f"/proc/{pid}/comm").read_text() == "bash\n" for pid in children_of(init)))


def test_the_jobs_of_a_shell_that_ends_go_on(here, run_at, place):
    run = run_at("exec", "here", "--", "bash", "--norc", "--noprofile", "--noediting", "-i")
    run.expect(r"\$ ")
    run.send("(while sleep 0.01; do echo x >>count; done) >/dev/null 2>&1 &\n")
    count = place.work / "count"
    wait_until(count.exists)
    run.send("exit 3\n")
    assert run.status() == 3
    before = count.stat().st_size
    wait_until(lambda: count.stat().st_size > before)


def test_exec_does_not_outlive_the_run(here, run_at):
    run = run_at("exec", "here", "--", "sh", "-c", "echo up; exec sleep 60")
    run.expect("up\r\n")
    here.send(b"\x04")
    assert here.status() == 9
    assert run.status(3) == 125 and not run.is_raw()
    assert b"\x1b[?1000l" not in run.seen  # its terminal is in order, and known to be


def test_twenty_execs_at_once(here, run_at):
    runs = [run_at("exec", "here", "--", "sh", "-c", f"tty; exit {i}") for i in range(20)]
    for i, run in enumerate(runs):
        assert re.fullmatch(rb"/dev/pts/\d+\r\n", run.until_end()) and run.status() == i


TAKE_TERMINALS = """
import os
taken = []
try:
    while True: taken.append(os.open("/dev/ptmx", os.O_RDWR))
except OSError:
    print("all taken", len(taken), flush=True)
input()
os.close(taken.pop())
input(print("one is free", flush=True))
"""


def test_exec_ends_where_no_terminal_is_left(run_at):
    """A program has them all, of its own devpts; it can keep nobody waiting."""
    run = run_at("run", "--name", "full", "--", "/usr/bin/python3", "-c", TAKE_TERMINALS)
    assert int(run.expect(r"all taken (\d+)")[1]) < 100  # so many are not the host's
    refused = run_at("exec", "full", "--", "tty")
    assert b"No space left on device" in refused.until_end(20) and refused.status() == 126 and not refused.is_raw()
    run.send("\n")
    run.expect("one is free")
    entered = run_at("exec", "full", "--", "tty")
    assert entered.until_end(20).startswith(b"/dev/pts/") and entered.status() == 0
    run.send("\n")
    assert run.status() == 0


def test_exec_started_in_the_back(here, shell):
    """It works there, and fg brings the keyboard."""
    person = shell()
    person.send("$rw exec here -- sh -c 'echo at work; read x; echo got $x' &\n")
    person.expect("at work\r+\n")
    person.send("echo mi''ne\n")
    person.expect("mine\r\n%% ")
    person.send("fg\n")
    person.expect("rw exec")
    wait_until(person.is_raw)
    person.send("b\n")
    person.expect("got b")
