"""The caller's terminal is as it was when a run ends, and stays his while it goes on."""

import re

import pexpect
import pytest

LEAVES_IT_RAW = {
    "by its end": "stty raw -echo",
    "by a signal": "stty raw -echo; kill -9 $$",
    "by a failure": "stty raw -echo; exit 3",
}
NO_TAKING = """
import fcntl, os, termios
try:
    fcntl.ioctl(0, termios.TIOCEXCL)
    print("TAKEN")
except OSError as error:
    print("refused", error.errno)
"""


def at_terminal(place, script):
    """What a shell script of the caller's writes at a terminal of its own."""
    child = pexpect.spawn(
        "/bin/sh", ["-c", script], cwd=str(place.work), env=place.environment({"TERM": "xterm"}), timeout=10
    )
    child.expect(pexpect.EOF)
    child.close()
    return child.before.decode()


def quoted(ringwall, *args):
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in ringwall.command(args))


def modes_around(place, command):
    out = at_terminal(place, f"stty -g; {command}; stty -g")
    found = re.findall(r"[0-9a-f]+(?::[0-9a-f]+){10,}", out)
    assert len(found) == 2, out
    return found


@pytest.mark.parametrize("how", LEAVES_IT_RAW)
def test_modes_of_the_terminal_are_put_back(ringwall, place, how):
    before, after = modes_around(place, quoted(ringwall, "run", "--", "sh", "-c", LEAVES_IT_RAW[how]))
    assert after == before


def test_modes_are_put_back_after_a_killed_run(ringwall, place):
    """By SIGTERM of the supervisor, while the terminal is raw."""
    run = quoted(ringwall, "run", "--", "sh", "-c", "stty raw -echo; touch raw; exec sleep 60")
    command = f"{run} & p=$!; until test -e raw; do sleep 0.02; done; kill -TERM $p; wait $p"
    # In the background of a script there is no job control, so it may set the terminal.
    before, after = modes_around(place, command)
    assert after == before


@pytest.mark.parametrize("how", LEAVES_IT_RAW)
def test_modes_are_put_back_after_exec_too(ringwall, place, how):
    run = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    try:
        command = quoted(ringwall, "exec", "here", "--", "sh", "-c", LEAVES_IT_RAW[how])
        before, after = modes_around(place, command)
    finally:
        run.communicate(b"\n", 10)
    assert after == before


def test_raw_mode_works_while_the_command_runs(ringwall, place):
    out = at_terminal(place, quoted(ringwall, "run", "--", "sh", "-c", "stty raw -echo; stty -a"))
    assert "-icanon" in out and "-echo" in out


def test_the_terminal_cannot_be_taken_for_oneself(ringwall, place):
    out = at_terminal(place, quoted(ringwall, "run", "--", "/usr/bin/python3", "-c", NO_TAKING) + "; : </dev/tty && echo mine")
    assert "refused 1\r\n" in out and "mine" in out and "TAKEN" not in out
    assert "TAKEN" in at_terminal(place, "/usr/bin/python3 -c '" + NO_TAKING.replace("'", '"') + "'")
