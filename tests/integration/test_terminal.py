"""The caller's terminal is as it was when a run ends, and stays his while it goes on."""

import re

import pytest
from terminals import at_terminal, quoted  # noqa: F401

LEAVES_IT_RAW = {
    "by its end": "stty raw -echo",
    "by a signal": "stty raw -echo; kill -9 $$",
    "by a failure": "stty raw -echo; exit 3",
}
TAKES = """
import fcntl, termios
for name in ("TIOCEXCL", "TIOCSTI"):
    try:
        fcntl.ioctl(0, getattr(termios, name), b"x")
        print(name, "TAKEN")
    except OSError as error:
        print(name, "refused", error.errno)
"""


@pytest.fixture
def script(at_terminal):
    """What a shell script of the caller's writes at a terminal of its own."""
    return lambda text: at_terminal("/bin/sh", "-c", text).until_end().decode()


def modes_around(script, command):
    out = script(f"stty -g; {command}; stty -g")
    found = re.findall(r"[0-9a-f]+(?::[0-9a-f]+){10,}", out)
    assert len(found) == 2, out
    return found


@pytest.mark.parametrize("how", LEAVES_IT_RAW)
def test_modes_of_the_terminal_are_put_back(ringwall, script, how):
    before, after = modes_around(script, quoted(ringwall, "run", "--", "sh", "-c", LEAVES_IT_RAW[how]))
    assert after == before


def test_modes_are_put_back_after_a_killed_run(ringwall, script):
    """By SIGTERM of the front end, while the terminal is raw."""
    run = quoted(ringwall, "run", "--", "sh", "-c", "stty raw -echo; touch raw; exec sleep 60")
    command = f"{run} </dev/tty & p=$!; until test -e raw; do sleep 0.02; done; kill -TERM $p; wait $p; echo status $?"
    # In the background of a script there is no job control, so it may set the terminal.
    before, after = modes_around(script, command)
    assert after == before


@pytest.mark.parametrize("how", LEAVES_IT_RAW)
def test_modes_are_put_back_after_exec_too(ringwall, script, how):
    run = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    try:
        command = quoted(ringwall, "exec", "here", "--", "sh", "-c", LEAVES_IT_RAW[how])
        before, after = modes_around(script, command)
    finally:
        run.communicate(b"\n", 60)
    assert after == before


def test_raw_mode_works_while_the_command_runs(ringwall, script):
    out = script(quoted(ringwall, "run", "--", "sh", "-c", "stty raw -echo; stty -a"))
    assert "-icanon" in out and "-echo" in out


def test_raw_mode_inside_is_not_seen_outside(ringwall, at_terminal, place):
    """The two terminals have modes of their own: a cooked one inside, a raw one outside."""
    run = at_terminal(*ringwall.command(["run", "--", "sh", "-c", "stty -a; read x"]))
    run.expect(r" icanon .* echo ")
    assert run.is_raw()
    run.send("\n")
    assert run.status() == 0


def test_the_terminal_cannot_be_taken_for_oneself(ringwall, script, place):
    (place.work / "takes.py").write_text(TAKES)
    run = quoted(ringwall, "run", "--", "/usr/bin/python3", "takes.py")
    out = script(f"{run}; : </dev/tty && echo mine")
    assert "TIOCEXCL refused 1\r\n" in out and "TIOCSTI refused 1\r\n" in out and "mine" in out
    assert "TIOCEXCL TAKEN" in script("/usr/bin/python3 takes.py")
