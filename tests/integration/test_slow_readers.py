"""Who does not read what Ringwall says, or what a run shows, holds up neither limits nor signals."""

import fcntl
import os
import select
import signal
from pathlib import Path

import pytest
from terminals import at_terminal, run_at, wait_until  # noqa: F401

TIOCGPTPEER = 0x5441
PLANTED = "sub/.git/hooks/pre-commit"
PLANT = f"mkdir -p sub/.git/hooks; echo x >{PLANTED}; while [ -e {PLANTED} ]; do sleep 0.02; done; touch taken; "


class FullPipe:
    """A pipe that there is no room in, until somebody reads."""

    def __init__(self):
        self.ours, self.theirs = os.pipe()
        # Opened anew: who is started must find it as a shell makes it.
        filler = os.open(f"/proc/self/fd/{self.theirs}", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True:
                os.write(filler, b"." * 4096)
        except BlockingIOError:
            os.close(filler)

    def read_all(self):
        os.close(self.theirs)
        seen = b""
        while more := os.read(self.ours, 65536):
            seen += more
        return seen.decode().lstrip(".")


@pytest.fixture
def full():
    return FullPipe()


def start(ringwall, full, *words, flags=()):
    return ringwall.start("run", *flags, "--", *words, stdin=None, stdout=full.theirs, stderr=full.theirs)


def test_time_is_up_though_nobody_reads(ringwall, full):
    process = start(ringwall, full, "sleep", "60", flags=("--timeout", "1s"))
    assert process.wait(20) == 124


@pytest.mark.parametrize("name", ["TERM", "HUP"])
def test_signals_end_it_though_nobody_reads(ringwall, full, place, name):
    process = start(ringwall, full, "sh", "-c", PLANT + "sleep 60", flags=("--name", "here"))
    wait_until((place.work / "taken").exists)
    assert ringwall("ls", "--names").ok() == "here"
    number = getattr(signal, f"SIG{name}")
    process.send_signal(number)
    assert process.wait(20) == 128 + number


def test_deletions_stop_though_nobody_reads(ringwall, full, place):
    many = place.work / "many"
    many.mkdir()
    for i in range(300):
        (many / str(i)).write_text("x")
    script = PLANT + "rm -f many/*; sleep 60"
    process = start(ringwall, full, "sh", "-c", script, flags=("--name", "here", "--deleted-files", "20"))
    wait_until(lambda: "paused" in ringwall("ls").out)
    ringwall("kill", "here").ok()
    assert process.wait(20) == 137


def test_who_reads_later_reads_it_all(ringwall, full, place):
    process = start(ringwall, full, "sh", "-c", PLANT)
    wait_until((place.work / "taken").exists)
    said = full.read_all()
    assert process.wait(60) == 0
    assert said.count("took away") == 1, said
    assert said.startswith("ringwall: "), said


def test_a_file_gets_messages_behind_what_is_there(ringwall, place):
    log = place.root / "log"
    log.write_text("before\n")
    with open(log, "a") as file:
        process = ringwall.start("run", "--", "sh", "-c", PLANT + "echo after >&2", stderr=file)
        assert process.communicate(timeout=60) is not None
    lines = log.read_text()
    assert lines.startswith("before\nringwall: ") and "after\n" in lines, lines


def test_a_start_in_the_background_ends_though_nobody_reads(ringwall, full, place):
    """It is refused for its record, which a file is in the way of."""
    records = place.state / "records"
    records.parent.mkdir(parents=True)
    records.write_text("")
    process = start(ringwall, full, "true", flags=("-d",))
    assert process.wait(20) == 125


def test_a_start_in_the_background_can_be_ended(ringwall):
    """By whoever has waited long enough for it; here its supervisor is stopped on the way."""
    for _ in range(50):
        process = ringwall.start("run", "-d", "--name", "here", "--", "sleep", "600")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        supervisor = wait_until(lambda: children.read_text() or process.poll() is not None)
        if supervisor is not True:
            os.kill(int(supervisor.split()[0]), signal.SIGSTOP)
            process.terminate()
            process.wait(20)
            os.kill(int(supervisor.split()[0]), signal.SIGCONT)
        if process.returncode == 128 + signal.SIGTERM:
            break
        ringwall("kill", "here")  # it was quicker
    assert process.returncode == 128 + signal.SIGTERM
    wait_until(lambda: ringwall("ls").out == "")


def test_learn_can_be_ended_though_nobody_reads(ringwall, full, place):
    process = ringwall.start("learn", "--", "touch", "ran", stdin=None, stdout=full.theirs, stderr=full.theirs)
    wait_until((place.work / "ran").exists)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: not children.read_text())
    process.terminate()
    assert process.wait(20) == 0


def fill(terminal):
    """Until there is no room: a window that hangs, or Ctrl-S."""
    slave = fcntl.ioctl(terminal.master, TIOCGPTPEER, os.O_WRONLY | os.O_NOCTTY)
    try:
        wait_until(lambda: not select.select([], [slave], [], 0)[1])
    finally:
        os.close(slave)


@pytest.mark.parametrize("name", ["TERM", "HUP"])
def test_signals_end_it_at_a_terminal_that_takes_nothing(ringwall, run_at, place, name):
    script = f"yes & while [ ! -e go ]; do sleep 0.02; done; {PLANT} sleep 60"
    person = run_at("run", "--name", "here", "--", "sh", "-c", script)
    fill(person)
    (place.work / "go").touch()
    wait_until((place.work / "taken").exists)
    number = getattr(signal, f"SIG{name}")
    os.kill(person.pid, number)
    assert person.process.wait(20) == 128 + number
    wait_until(lambda: ringwall("ls").out == "")


def test_time_is_up_at_a_terminal_that_takes_nothing(ringwall, run_at):
    person = run_at("run", "--timeout", "2s", "--", "yes")
    fill(person)
    assert person.process.wait(20) == 124
    wait_until(lambda: ringwall("ls").out == "")


def test_a_terminal_that_takes_it_later_shows_the_message(run_at, place):
    script = f"yes & while [ ! -e go ]; do sleep 0.02; done; {PLANT} kill $!; echo through"
    person = run_at("run", "--", "sh", "-c", script)
    fill(person)
    (place.work / "go").touch()
    wait_until((place.work / "taken").exists)
    person.expect("pre-commit")
    assert person.status() == 0
    assert b"through" in person.seen
