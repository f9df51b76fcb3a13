"""ringwall top: all runs on one screen, one key for each thing that a person does to them.

Screens are looked at in tmux, where another program says what a terminal shows; what becomes of the
terminal itself is looked at on a pty.
"""

import fcntl
import json
import os
import re
import signal
import struct
import termios
import time

import pytest

from terminals import at_terminal, is_running, quoted, run_at, shell, tmux, wait_until  # noqa: F401

SIZES = [(24, 80), (50, 200)]
PLACE = "203.0.113.7:443"  # an address for documents: nobody is there
ASKS = """
import socket, time
while True:
    try:
        with socket.create_connection(("203.0.113.7", 443)) as line:
            line.recv(1)
    except OSError:
        pass
    time.sleep(0.1)
"""
LOOK_SECONDS = 0.9  # a key that comes sooner was pressed before the request was seen


@pytest.fixture
def runs(ringwall):
    """runs(NAME, WORDS…, flags=): a run that nobody looks at; all are killed after the test."""
    supervisors = []

    def start(name, *words, flags=(), **more):
        ringwall("run", "-d", "--name", name, *flags, "--", *(words or ["sleep", "1000"]), **more).ok()
        supervisors.append(ringwall.wait_for_run(name))
        return supervisors[-1]

    yield start
    ringwall("kill", "--all")
    # Nothing inside is left by now; its supervisor has the workspace to look through and the record to close.
    wait_until(lambda: not any(is_running(run["pid"]) for run in supervisors))


@pytest.fixture
def asking(runs):
    return lambda name="asks", **more: runs(name, "/usr/bin/python3", "-c", ASKS, flags=["--ask"], **more)


@pytest.fixture
def top(tmux, ringwall):
    """top(WORDS…, size=): it in a pane, once it shows something."""

    def start(*words, size=(24, 80)):
        pane = tmux.open(quoted(ringwall, "top", *words), size)
        pane.expect("ringwall top  ")
        pane.expect("NAME +AGENT +STATE")
        return pane

    return start


def press(pane, key):
    time.sleep(LOOK_SECONDS)
    pane.keys(key)


@pytest.mark.parametrize("size", SIZES)
def test_the_screen(runs, asking, top, size):
    asking()
    runs("quiet")
    pane = top(size=size)
    pane.expect("2 runs, 1 request waits for you")
    pane.expect(r"> asks +python3 +asks ")
    pane.expect(r"  quiet +sleep +detached ")
    pane.expect(rf"waits +> 1: {PLACE} for python3, 1?\d\d s left")
    pane.expect(r"processes +\d+ python3")
    lines = pane.text().rstrip("\n").split("\n")
    assert len(lines) == size[0] and max(map(len, lines)) <= size[1]
    assert lines[-1].startswith("j k select") and lines[-2].startswith("a once")
    assert "alternate=1" in pane.screen() and "shown=0" in pane.screen()
    pane.keys("j")
    pane.expect(r"> quiet ")
    pane.expect(r"processes +\d+ sleep")
    pane.keys("Up")
    pane.expect(r"> asks ")
    pane.keys("?")
    pane.expect("approve it for one hour")
    pane.keys("?", "q")
    pane.expect("ended 0")
    assert "alternate=0" in pane.screen() and "shown=1" in pane.screen()


KNOCKS = """
import socket, time
for number in range(25):
    try:
        socket.getaddrinfo(f"host{number}.example.net", 443)
    except OSError:
        pass
    time.sleep(0.1)
time.sleep(1000)
"""


def test_the_curve_of_the_risk(runs, top):
    """Low at the start, higher at the end, and the level that holds."""
    runs("calm")
    runs("knocks", "/usr/bin/python3", "-c", KNOCKS, flags=["--allow", "granted.example.com"])
    pane = top()
    pane.expect(r"> calm ")
    pane.expect(r"risk +▁+ 0\.00 normal")
    pane.keys("j")
    pane.expect(r"> knocks ")
    pane.expect(r"risk +▁+[▂-█]*[▃-█] 0\.[3-5]\d caution")


@pytest.mark.parametrize("size", SIZES)
def test_answers(asking, ringwall, top, size):
    asking()
    pane = top(size=size)
    pane.expect("> 1: ")
    press(pane, "r")
    pane.expect(f"{PLACE} rejected once")
    pane.expect(rf"refused +\d\d:\d\d:\d\d blocked +{PLACE} for python3: you rejected it")
    pane.expect("> 2: ")
    press(pane, "s")
    pane.expect(f"{PLACE} approved until the run ends")
    wait_until(lambda: json.loads(ringwall("inspect", "--json").ok())["allow"] == [PLACE])
    pane.expect(r"> asks +python3 +detached ")


def test_once_is_no_grant(asking, ringwall, top):
    asking()
    pane = top()
    pane.expect("> 1: ")
    press(pane, "a")
    pane.expect(f"{PLACE} approved once")
    pane.expect(r"> asks +python3 +detached ")
    assert json.loads(ringwall("inspect", "--json").ok())["allow"] == []


def test_always_is_written_down(asking, place, top):
    asking()
    pane = top()
    pane.expect("> 1: ")
    press(pane, "A")
    pane.expect(f"{PLACE} approved always")
    policy = place.home / ".config/ringwall/policy.toml"
    assert re.search(rf'\[network\]\nallow = \["{PLACE}"\]', policy.read_text())


def test_one_hour_and_a_rejection_for_the_session(asking, ringwall, top):
    asking()
    pane = top()
    pane.expect("> 1: ")
    press(pane, "h")
    pane.expect("approved for one hour")
    assert json.loads(ringwall("inspect", "--json").ok())["allow"] == [PLACE]
    ringwall("kill", "--all").ok()
    pane.expect("no run is going on")
    asking("other")
    pane.expect("> other .*asks")
    press(pane, "R")
    pane.expect("rejected until the run ends")
    assert json.loads(ringwall("inspect", "--json").ok())["deny"] == [PLACE]


def test_a_key_for_a_request_that_was_not_seen_answers_nothing(asking, ringwall, top):
    """Who presses while one request takes the place of another has not decided over it."""
    asking()
    pane = top()
    pane.expect("> 1: ")
    press(pane, "r")
    pane.expect("> 2: ")
    pane.keys("A")
    pane.expect("this request has just come")
    assert json.loads(ringwall("inspect", "--json").ok())["waiting"][0]["id"] == 2


def test_pause_stop_and_kill(runs, ringwall, top):
    for name in ("a", "b", "c"):
        runs(name)
    pane = top("b")
    pane.expect("> b ")
    press(pane, "p")
    pane.expect("b paused")
    pane.expect("> b +sleep +paused")
    pane.keys("p")
    pane.expect("b goes on")
    pane.keys("K")
    pane.expect("kill b and everything in it\\? y n")
    pane.keys("n")
    pane.expect("not killed")
    assert ringwall("ls", "--names").ok() == "a\nb\nc"
    pane.keys("K", "y")
    wait_until(lambda: ringwall("ls", "--names").ok() == "a\nc")
    pane.expect("> c ")
    press(pane, "x")
    wait_until(lambda: ringwall("ls", "--names").ok() == "a")
    pane.expect("> a ")


def test_what_is_pasted_is_no_key(runs, ringwall, tmux, top):
    runs("a")
    pane = top()
    pane.expect("> a ")
    time.sleep(LOOK_SECONDS)
    tmux("set-buffer", "Kyq")
    tmux("paste-buffer", "-p", "-t", pane.name)
    pane.keys("?")
    pane.expect("approve it for one hour")
    assert ringwall("ls", "--names").ok() == "a"


def test_any_size_will_do(asking, top):
    asking()
    pane = top()
    pane.expect("> 1: ")
    for size, sign in [((3, 10), "(?m)^j k selec"), ((1, 2), "j"), ((8, 60), "1: 203"), ((60, 220), "1: 203.*left")]:
        pane.resize(*size)
        pane.expect(sign)
    pane.keys("q")
    pane.expect("ended 0")


def test_names_chosen_inside_do_not_reach_the_terminal(runs, top):
    rename = "import ctypes; ctypes.CDLL(None).prctl(15, b'x\\x1b[31mred\\x07', 0, 0, 0); input()"
    script = f"/usr/bin/python3 -c \"{rename}\" </dev/zero & sleep 1000"
    runs("evil", "sh", "-c", "sleep 1000 & " + script)
    pane = top()
    pane.expect("processes")
    assert "<('colour', ['31'])>" not in pane.screen()


def test_a_supervisor_that_does_not_answer(runs, ringwall, top):
    stopped = runs("deaf")["pid"]
    runs("well")
    pane = top("deaf")
    pane.expect("> deaf +sleep +detached")
    os.kill(stopped, signal.SIGSTOP)
    try:
        pane.expect("> deaf +sleep +no answer")
        pane.keys("j")
        pane.expect("> well +sleep +detached")
        pane.keys("k")
        pane.expect("> deaf ")
        pane.keys("p")  # nobody hears it, and nothing hangs
        once = ringwall("top", "--once")
        assert re.search("deaf +no answer", once.ok()) and "well" in once.out
        pane.keys("K", "y")
        wait_until(lambda: not is_running(stopped))
        pane.expect("1 run ")
    finally:
        if is_running(stopped):
            os.kill(stopped, signal.SIGCONT)


def test_a_run_that_crashed_leaves_the_screen(runs, top):
    crashed = runs("crashed")["pid"]
    runs("well")
    pane = top()
    pane.expect("2 runs")
    os.kill(crashed, signal.SIGKILL)
    pane.expect("1 run ")
    pane.expect("> well ")


def test_new_runs_are_seen(runs, top):
    pane = top()
    pane.expect("no run is going on")
    runs("new")
    pane.expect("> new +sleep")


# The terminal


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_gives_the_terminal_back(runs, run_at, number):
    runs("a")
    fresh = os.openpty()
    before = termios.tcgetattr(fresh[0])
    for end in fresh:
        os.close(end)
    terminal = run_at("top")
    terminal.expect("NAME")
    assert terminal.is_raw()
    os.kill(terminal.pid, number)
    terminal.expect(r"\x1b\[\?7h\x1b\[\?25h\x1b\[\?1049l")
    assert terminal.process.wait(60) == 128 + number
    assert terminal.modes() == before


def test_ctrl_z_and_back(runs, shell):
    runs("a")
    terminal = shell()
    terminal.send("$rw top\n")
    terminal.expect("NAME")
    for stop in (lambda: terminal.send(b"\x1a"), lambda: os.kill(terminal.in_front(), signal.SIGTSTP)):
        stop()
        terminal.expect(r"\x1b\[\?1049l.*Stopped.*%% ")
        terminal.send("fg\n")
        terminal.expect(r"\x1b\[\?1049h.*NAME")
    terminal.send("q")
    terminal.expect(r"\x1b\[\?1049l.*%% ")
    terminal.send("echo status=$?\n")
    terminal.expect("status=0")


def test_ctrl_c_leaves(runs, run_at):
    runs("a")
    terminal = run_at("top")
    terminal.expect("NAME")
    terminal.send(b"\x03")
    assert terminal.status() == 0


def test_a_closed_window_ends_it(runs, run_at):
    terminal = run_at("top")
    terminal.expect("NAME")
    terminal.hang_up()
    assert terminal.process.wait(60) == 128 + signal.SIGHUP


def test_a_terminal_that_takes_nothing_hangs_nobody(runs, run_at):
    """Like Ctrl-S: what is written fills the terminal, and nobody reads it."""
    runs("a")
    terminal = run_at("top")
    terminal.expect("NAME")
    for step in range(200):  # each is a whole picture
        size = struct.pack("HHHH", 50, 150 + step % 50, 0, 0)
        fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, size)
        time.sleep(0.005)
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.process.wait(60) == 128 + signal.SIGTERM
    assert not terminal.is_raw()


def test_only_what_has_changed_is_written(runs, run_at):
    runs("a")
    terminal = run_at("top")
    terminal.expect("NAME")
    time.sleep(1)
    terminal.read()
    before = len(terminal.seen)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        terminal.read(0.1)
    # The clock, and how long the run goes on: two lines a second.
    assert len(terminal.seen) - before < 2 * 4 * 250
    assert b"\x1b[2J" not in terminal.seen[before:]


@pytest.mark.parametrize("value, coloured", [("1", False), (None, True)])
def test_colours(asking, run_at, value, coloured):
    asking()
    terminal = run_at("top", env={"NO_COLOR": value})
    terminal.expect("> 1: ")
    assert (b"\x1b[33m" in terminal.seen) == coloured


# Without a terminal


def test_without_a_terminal_it_says_what_to_do(ringwall, run_at):
    assert "ringwall top --once" in ringwall("top").refused("no terminal").hint()
    dumb = run_at("top", env={"TERM": "dumb"})
    dumb.expect("TERM names no terminal.*ringwall top --once")
    assert dumb.status() == 125
    assert "ringwall ls" in ringwall("top", "nobody", "--once").refused("no run named nobody").hint()


def test_one_picture(runs, asking, ringwall):
    assert "no run is going on" in ringwall("top", "--once").ok()
    assert json.loads(ringwall("top", "--json").ok()) == []
    asking()
    runs("quiet")
    wait_until(lambda: PLACE in ringwall("top", "--once", "asks").ok())
    assert "\x1b" not in ringwall("top", "--once").out
    first, second = json.loads(ringwall("top", "--json").ok())
    assert (first["name"], first["state"], first["waiting"][0]["destination"]) == ("asks", "asks", PLACE)
    assert (second["name"], second["state"], second["agent"]) == ("quiet", "detached", "sleep")
    assert [process["name"] for process in second["processes"]] == ["sleep"]


# The desktop

SENDS = """#!/bin/sh
for word; do printf '%s\\n' "$word"; done >>"${HOME%/*}/notified"
pwd >>"${HOME%/*}/notified"
"""


def write_program(folder, text):
    folder.mkdir(exist_ok=True)
    program = folder / "notify-send"
    program.write_text(text)
    program.chmod(0o755)
    return program


def desktop(*folders, **more):
    path = ":".join([*map(str, folders), "/usr/local/bin:/usr/bin:/bin"])
    return {"PATH": path, "DISPLAY": ":7", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", **more}


def test_a_notification_when_something_waits(asking, place, top):
    write_program(place.root / "own", SENDS)
    asking(env=desktop(place.root / "own"))
    seen = place.root / "notified"
    wait_until(lambda: seen.exists() and seen.read_text().endswith("/\n"))
    words = seen.read_text()
    assert "Ringwall: asks waits for you" in words and PLACE in words and "ringwall approve asks 1" in words
    pane = top()
    pane.expect("> 1: ")
    press(pane, "r")
    pane.expect("> 2: ")
    time.sleep(0.5)
    assert seen.read_text() == words, "one in ten seconds is enough"


def test_a_notifier_that_hangs_holds_up_nothing(asking, place, ringwall, top):
    write_program(place.root / "own", "#!/bin/sh\necho $$ >${HOME%/*}/notified\nexec sleep 1000\n")
    asking(env=desktop(place.root / "own"))
    seen = place.root / "notified"
    wait_until(lambda: seen.exists() and seen.read_text().endswith("\n"))
    assert json.loads(ringwall("inspect", "--json").ok())["waiting"]
    ringwall("kill", "--all").ok()
    wait_until(lambda: not is_running(seen.read_text().strip()))


@pytest.mark.parametrize("case", ["no display", "no bus", "in the workspace", "a link into the workspace"])
def test_no_notification(asking, place, ringwall, case):
    own = place.root / "own"
    env = desktop(own)
    if case == "in the workspace":
        write_program(place.work / "bin", SENDS)
        env = desktop(place.work / "bin")
    elif case == "a link into the workspace":
        own.mkdir()
        (own / "notify-send").symlink_to(write_program(place.work / "bin", SENDS))
    else:
        write_program(own, SENDS)
        env["DISPLAY" if case == "no display" else "DBUS_SESSION_BUS_ADDRESS"] = None
    asking(env=env)
    wait_until(lambda: json.loads(ringwall("inspect", "--json").ok())["waiting"])
    time.sleep(0.5)
    assert not (place.root / "notified").exists()


# The shell


@pytest.mark.parametrize("words, offered", [("to", "top"), ("top --", "--once --json --help"), ("top q", "quiet")])
def test_completion(runs, ringwall, bare, place, words, offered):
    runs("quiet")
    script = ringwall("completion", "bash").ok()
    (place.links / "ringwall").symlink_to(ringwall.command([])[0])
    ask = f"COMP_WORDS=(ringwall {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _ringwall"
    path = f"{place.links}:/usr/bin:/bin"
    assert bare("bash", "-c", f'{script}\n{ask}; echo "${{COMPREPLY[@]}}"', env={"PATH": path}).ok() == offered
