"""A terminal answers a program's questions when it is asked, or later: never into the person's shell."""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest
from sanitized import counts_memory
from terminals import at_terminal, run_at, shell, started, tmux, wait_until  # noqa: F401

# By setting mode 2048 the terminal tells its size, and by the others whatever happens just then.
QUESTION = re.compile(rb"\x1b\[(5n|6n|c|\?2048h|\?1003[hl]|[>=]3u)")
ANSWERS = {
    b"5n": b"\x1b[0n", b"6n": b"\x1b[12;34R", b"c": b"\x1b[?62;22c", b"?2048h": b"\x1b[48;24;80;480;800t",
    b"?1003h": b"\x1b[M !!", b"?1003l": b"\x1b[M !!", b">3u": b"\x1b[13;1:3u", b"=3u": b"\x1b[13;1:3u",
}


def live(person, delay, until, seconds=60):
    """The terminal answers in order and so much later, until this was seen; what was seen."""
    queue, asked, end = [], person.at, time.monotonic() + seconds
    until = re.compile(until.encode(), re.DOTALL)
    while not (match := until.search(person.seen, person.at)):
        assert time.monotonic() < end, person.seen[person.at :]
        person.read(0.002)
        for question in QUESTION.finditer(person.seen, asked):
            queue.append((time.monotonic() + delay + 0.002 * len(queue), ANSWERS[question[1]]))
            asked = question.end()
        while queue and queue[0][0] <= time.monotonic():
            person.send(queue.pop(0)[1])
    person.at = match.end()
    return match


# Straight after a command: keys that it has left for the shell.
THEN_READ = r"; read -t 1 -n 20 x; printf '\nstray<%q>\n' " + '"$x"\n'
STRAY = r"\r\nstray<(.*?)>.*?%% "
ASKS = "import os, tty; tty.setraw(0); os.write(1, {!r})"
STOPS = ASKS + "; os.kill(0, 19); os.write(1, b'on again')"


@pytest.mark.parametrize("delay", [0.02, 0.25, 0.6])
@pytest.mark.parametrize("what", [
    b"\x1b[5n" + b"\x1b[6n" * 20, b"\x1b[6n\x1b[5n" * 5, b"\x1b[c",
    b"\x1b[?2048h", b"\x1b[?2048h\x1b[?2048l", b"\x1b[?1003h", b"\x1b[?1003;1006h\x1b[?1003;1006l", b"\x1b[>3u", b"\x1b[=3u\x1b[=0u",
])
def test_no_answer_reaches_the_shell(shell, place, what, delay):
    """Also if the program asks what Ringwall asks to know that all is answered."""
    (place.work / "ask.py").write_text(ASKS.format(what))
    person = shell()
    person.send("$rw run -- /usr/bin/python3 ask.py" + THEN_READ)
    assert live(person, delay, STRAY)[1] == b"''"


@pytest.mark.parametrize("delay", [0.02, 0.25])
def test_no_answer_reaches_the_shell_after_a_replay(shell, place, delay):
    cast = place.work / "a.cast"
    lines = {"version": 2, "width": 80, "height": 24}, [0, "o", "\x1b[5n" + "\x1b[6n" * 20]
    cast.write_text("".join(json.dumps(line) + "\n" for line in lines))
    person = shell()
    person.send("$rw replay a.cast" + THEN_READ)
    assert live(person, delay, STRAY)[1] == b"''"


def test_no_answer_reaches_the_shell_of_one_who_watched(shell, run_at, place):
    script = "import os, time\nprint('up'); input()\nos.write(1, b'\\x1b[5n\\x1b[6n\\x1b[6n'); time.sleep(60)"
    (place.work / "ask.py").write_text(script)
    run = run_at("run", "--name", "here", "--", "/usr/bin/python3", "ask.py")
    run.expect("up")
    person = shell()
    person.send("$rw attach --watch here" + THEN_READ)
    person.expect("2J.*up")
    run.send("\n")
    person.expect(r"\x1b\[6n\x1b\[6n")
    person.at = person.seen.index(b"\x1b[5n")
    person.send(b"\x03")
    assert live(person, 0.25, STRAY)[1] == b"''"


@pytest.mark.parametrize("delay", [0.02, 0.25])
def test_no_answer_reaches_the_shell_while_it_is_stopped(shell, place, delay):
    (place.work / "ask.py").write_text(STOPS.format(b"\x1b[5n" + b"\x1b[6n" * 20))
    person = shell()
    person.send("$rw run -- /usr/bin/python3 ask.py" + THEN_READ)
    assert live(person, delay, "Stopped.*?" + STRAY)[1] == b"''"
    person.send("fg" + THEN_READ)
    assert live(person, delay, "on again.*?" + STRAY)[1] == b"''"


GOES_ON_ASKING = """
import os, time, tty
tty.setraw(0)
while True: os.write(1, b"\\x1b[5n\\x1b[6n\\x1b[c"); time.sleep(0.02)
"""


@pytest.mark.parametrize("victim", ["supervisor", "relay"])
def test_no_answer_reaches_the_shell_of_a_run_that_was_killed(shell, ringwall, place, victim):
    """Nobody is left who knows how many questions were asked."""
    (place.work / "ask.py").write_text(GOES_ON_ASKING)
    person = shell()
    start = person.at
    person.send("$rw run -- /usr/bin/python3 ask.py" + THEN_READ)
    person.expect(r"(\x1b\[5n.*?){20}")
    (run,) = json.loads(ringwall("ls", "--json").ok())
    (relay,) = [pid for pid in children_of(run["pid"]) if named(pid).startswith("ringwall-relay")]
    os.kill(relay if victim == "relay" else run["pid"], signal.SIGKILL)
    person.at = start  # all that was asked is answered, late
    assert live(person, 0.25, STRAY)[1] == b"''"
    assert ringwall("ls").ok() == ""  # and sweeps what SIGKILL left


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def named(pid):
    return Path(f"/proc/{pid}/cmdline").read_text()


def test_who_is_in_the_back_cannot_ask(shell, place):
    """The terminal would answer to the shell, which is in front."""
    (place.work / "ask.py").write_text(
        "import os, time\nos.write(1, b'back \\x1b[6n\\x1b[5n\\x1b]11;?\\a asked\\n')\n"
        "input(); os.write(1, b'front \\x1b[6n asked\\n'); time.sleep(0.1)\n"
    )
    person = shell()
    person.send("$rw run -- /usr/bin/python3 ask.py &\n")
    assert b"\x1b" not in person.expect("back .*? asked").group()
    # It wants to read, and stops.
    wait_until(lambda: person.send("\n") or b"Stopped" in person.expect("%% ").string, what="a stop")
    person.send("fg\n\n")
    person.expect(r"front \x1b\[6n asked")
    person.send(b"\x1b[5;9R")
    live(person, 0, "%% ")


SENDS = b"\x1b[?2048h\x1b[?1003;1006;25h\x1b[>31u\x1b[?2004l\x1b[>4;2m\x1b=\x1bc\x1b[!p\x1b[?1h"


def test_who_is_in_the_back_changes_no_keys(shell, place):
    """The person's shell has the keyboard, and needs bracketed paste; what was wished for comes with the keyboard."""
    (place.work / "b.py").write_text(
        f"import os\nos.write(1, b'back ' + {SENDS!r} + b'\\x1b[>1u\\x1b[?1003h wished\\n')\n"
        "input(); os.write(1, b'front \\x1b[?1004h done\\n')\n"
    )
    person = shell()
    person.send("$rw run -- /usr/bin/python3 b.py &\n")
    assert person.expect("back .*? wished").group() == b"back \x1b[?25h wished"
    wait_until(lambda: person.send("\n") or b"Stopped" in person.expect("%% ").string, what="a stop")
    assert not re.search(rb"\x1b\[(\?(2048|1003|1006|2004|1)[hl]|[<>=])|\x1b[=>c]", person.seen)
    person.send("fg\n\n")
    back = person.expect(r"front (\x1b\[\?1004h) done").string
    assert b"\x1b[?1003h" in back and b"\x1b[>1u" in back


def test_who_ends_in_the_back_changes_no_keys(shell, place):
    (place.work / "draw.py").write_text(f"import os, time\nos.write(1, {MODES!r}); os.kill(0, 19); time.sleep(0.3); print('in the back')")
    person = shell()
    person.send("$rw run -- /usr/bin/python3 draw.py\n")
    person.expect("Stopped.*?%% ")
    person.send("bg; wait; echo go''ne\n")
    assert not re.search(rb"\x1b\[(\?(1003|1006|2004)[hl]|[<>=])", person.expect("in the back.*gone").group())


def test_who_loses_the_relay_in_the_back_changes_no_keys(shell, ringwall):
    person = shell()
    person.send("$rw run -- sh -c 'echo up; sleep 60' &\n")
    person.expect("%% up\r")
    (run,) = json.loads(ringwall("ls", "--json").ok())
    children = Path(f"/proc/{run['pid']}/task/{run['pid']}/children").read_text().split()
    (relay,) = [int(pid) for pid in children if Path(f"/proc/{pid}/cmdline").read_text().startswith("ringwall-relay")]
    os.kill(relay, signal.SIGKILL)
    person.send("wait; echo go''ne\n")
    ended = person.expect("relay of the terminal.*gone").group()
    assert b"\x1b[?25h" in ended and not re.search(rb"\x1b\[(\?(1003|2004|1)l|[<>])|\x1b>", ended), ended


MODES = b"\x1b[?1049h\x1b[?1003h\x1b[?1006h\x1b[>1u\x1b[?2004hpicture"


@pytest.mark.parametrize("stop", ["by itself", "by a key"])
def test_modes_are_left_while_it_is_stopped(shell, place, stop):
    """And entered again, with the screen that was there."""
    end = "os.kill(0, 19); " if stop == "by itself" else ""
    (place.work / "draw.py").write_text(f"import os\nos.write(1, {MODES!r}); {end}os.write(1, b'ready'); input()")
    person = shell()
    person.send("$rw run -- /usr/bin/python3 draw.py\n")
    person.expect("picture")
    if stop == "by a key":
        person.expect("ready")
        person.send(b"\x1a")
    left = person.expect(".*?Stopped.*?%% ").group()
    for off in (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[<1u", b"\x1b[?2004l"):
        assert off in left, left
    person.send("fg\n")
    back = person.expect("picture.*?ready").group()
    shown = person.seen[person.seen.rindex(b"fg\r\n") :]
    assert b"ready" in back
    for on in (b"\x1b[?1049h", b"\x1b[?1003h", b"\x1b[?1006h", b"\x1b[>1u", b"\x1b[?2004h"):
        assert on in shown, shown
    person.send("\n")
    assert b"\x1b[?1003l" in person.expect("%% ").string[person.seen.rindex(b"ready") :]


def test_modes_are_not_entered_again_in_the_back(shell, place):
    (place.work / "draw.py").write_text(f"import os, time\nos.write(1, {MODES!r}); os.kill(0, 19); time.sleep(0.3); print('in the back', flush=True); time.sleep(60)")
    person = shell()
    person.send("$rw run -- /usr/bin/python3 draw.py\n")
    person.expect("Stopped.*?%% ")
    person.send("bg\n")
    assert b"\x1b[?1003h" not in person.expect("in the back").string[person.at - 200 :].split(b"bg\r\n")[-1]
    person.send("fg\n")
    person.expect(r"\x1b\[\?1049h.*\x1b\[\?1003h")

    def interrupted():  # the picture is there before it is in front
        person.send(b"\x03")
        person.read(0.2)
        return b"%% " in person.seen[person.at :]

    wait_until(interrupted)


# A program that a reset does not impress: see the table of tracked_modes_test.cc.


@pytest.mark.parametrize("reset", ["\\033c", "\\033[!p"])
def test_a_reset_does_not_hide_what_is_on(ringwall, tmux, reset):
    """tmux does not obey a soft reset, and a hard one leaves it on the alternate screen."""
    pane = tmux.open(["env", "PS1=> ", "rw=" + ringwall.command([])[0], "bash", "--norc", "--noprofile"])
    pane.expect(">")
    pane.type(f"$rw run -- printf '\\033[?1049h\\033[?1003h\\033[?25l\\033(0{reset}'; echo lqk\r")
    pane.expect("\nlqk\n")
    assert "shown=1 alternate=0 mouse=0" in pane.screen()


# Nobody is there.

FLOOD = """
import os, select, time, tty
tty.setraw(0)
os.set_blocking(1, False)
end, asked = time.monotonic() + 2, 0
while time.monotonic() < end:
    try: asked += os.write(1, b"\\x1b[6n" * 250) // 4
    except BlockingIOError: time.sleep(0.001)
os.set_blocking(1, True)
open("new", "w").write(str(asked))
os.rename("new", "asked")
seen = b""
while not seen.endswith(b"key"): seen += os.read(0, 65536)
open("new", "w").write(str(len(seen)))
os.rename("new", "read")
time.sleep(60)
"""


def memory_of(pid):
    return int(re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


@counts_memory
def test_answers_that_nobody_reads_are_bounded(started, run_at, place):
    run = started("/usr/bin/python3", "-c", FLOOD)
    children = Path(f"/proc/{run}/task/{run}/children").read_text().split()
    (relay,) = [pid for pid in children if "ringwall-relay" in Path(f"/proc/{pid}/cmdline").read_text()]
    before = memory_of(relay)
    wait_until((place.work / "asked").exists)
    assert int((place.work / "asked").read_text()) > 20000
    assert memory_of(relay) < before + 16384
    # What is typed later arrives.
    person = run_at("attach", "here")
    wait_until(person.is_raw)
    person.send("key")
    wait_until((place.work / "read").exists)
    assert 3 < int((place.work / "read").read_text()) < 32768
    os.kill(run, signal.SIGTERM)
    assert person.status(3) == 143
