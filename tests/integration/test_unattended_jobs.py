"""A run without a terminal of its own is a job of its caller's shell all the same."""

import signal
import subprocess

import pytest
from terminals import at_terminal, quoted, shell, wait_until  # noqa: F401

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


def start_ignoring(ringwall, name, *words):
    """As nohup does."""
    return ringwall.start(*words, preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_IGN))


@pytest.mark.parametrize("name", ["HUP", "INT", "QUIT", "TERM"])
def test_what_the_caller_ignores_stays_ignored(ringwall, count, name):
    process = start_ignoring(ringwall, f"SIG{name}", "run", "--name", "here", "--", "sh", "-c", COUNTS)
    count.goes_on()
    process.send_signal(getattr(signal, f"SIG{name}"))
    assert ringwall("ls", "--names").ok() == "here"
    count.goes_on()
    assert process.poll() is None
    # Another signal ends it as ever.
    other = signal.SIGTERM if name != "TERM" else signal.SIGHUP
    process.send_signal(other)
    process.communicate(timeout=60)
    assert process.returncode == 128 + other


def test_exec_ignores_what_the_caller_ignores(ringwall, count):
    ringwall("run", "-d", "--name", "here", "--", "sleep", "600").ok()
    process = start_ignoring(ringwall, "SIGHUP", "exec", "here", "--", "sh", "-c", COUNTS)
    count.goes_on()
    for _ in range(2):
        process.send_signal(signal.SIGHUP)
        count.goes_on()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    ringwall("kill", "here").ok()


def test_nohup_outlives_the_window(prompt, count, ringwall):
    prompt.send(f"nohup $rw run --name here -- sh -c '{COUNTS}' {AWAY} &\n")
    count.goes_on()
    prompt.hang_up()
    prompt.process.wait(60)
    count.goes_on()
    assert ringwall("ls", "--names").ok() == "here"
    ringwall("kill", "here").ok()


def test_an_interrupt_passes_by_what_a_script_left_in_the_back(at_terminal, ringwall, count):
    """A shell without job control has it ignore what is typed."""
    command = quoted(ringwall, "run", "--name", "here", "--", "sh", "-c", COUNTS)
    script = f"{command} {AWAY} & trap 'echo heard' INT; echo up; wait; wait"
    person = at_terminal("bash", "--norc", "-c", script)
    person.expect("up\r\n")
    count.goes_on()
    person.send(b"\x03")
    person.expect("heard\r\n")
    assert ringwall("ls", "--names").ok() == "here"
    count.goes_on()
    ringwall("kill", "here").ok()
    person.until_end()
