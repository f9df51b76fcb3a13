"""A run without a terminal of its own is a job of its caller's shell all the same."""

import subprocess

import pytest
from terminals import at_terminal, shell, wait_until  # noqa: F401

COUNTS = "i=0; while :; do i=$((i+1)); echo $i >count; sleep 0.02; done"
AWAY = "</dev/null >/dev/null 2>&1"


class Count:
    """What a run counts on in its workspace, as long as it goes on."""

    def __init__(self, place):
        self.file = place.work / "count"

    def read(self):
        return self.file.read_text() if self.file.exists() else ""

    def goes_on(self):
        before = self.read()
        wait_until(lambda: self.read() not in ("", before))

    def stands(self):
        """For ten times as long as it takes to count on."""
        before = self.read()
        subprocess.run(["sleep", "0.3"])
        return self.read() == before


@pytest.fixture
def count(place):
    return Count(place)


@pytest.fixture
def prompt(shell):
    return shell()


@pytest.mark.parametrize("way", ["alone", "setsid", "pipe"])
def test_stop_and_go_on(prompt, count, way):
    """Also what has left its process group stands still."""
    script = {"setsid": f"setsid sh -c '{COUNTS}' & wait"}.get(way, COUNTS)
    away = "</dev/null 2>&1 | cat >/dev/null" if way == "pipe" else AWAY
    prompt.send(f'$rw run -- sh -c "{script.replace("$", chr(92) + "$")}" {away}\n')
    count.goes_on()
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    wait_until(count.stands)
    prompt.send("bg\n")
    prompt.expect("&\r\n%% ")
    count.goes_on()
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    count.goes_on()
    prompt.send(b"\x03")
    prompt.expect("%% ")
    prompt.send("echo still $((2+3))\n")
    prompt.expect("still 5\r\n")


def test_a_stopped_job_can_be_ended(prompt, count, ringwall):
    prompt.send(f"$rw run -- sh -c '{COUNTS}' {AWAY}\n")
    count.goes_on()
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    prompt.send("kill %1\n")
    wait_until(lambda: ringwall("ls").out == "")


def test_exec_stops_and_goes_on(prompt, count, ringwall):
    ringwall("run", "-d", "--name", "here", "--", "sleep", "600").ok()
    prompt.send(f"$rw exec here -- sh -c '{COUNTS}' {AWAY}\n")
    count.goes_on()
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    wait_until(count.stands)
    prompt.send("fg\n")
    prompt.expect("rw exec[^\n]*\r\n")
    count.goes_on()
    prompt.send(b"\x03")
    prompt.expect("%% ")
    ringwall("kill", "here").ok()
