"""A run at a terminal has a terminal of its own that is like the person's; and it is whole again after it."""

import hashlib
import os
import re
import signal
import subprocess
import termios
import time

import pytest
from terminals import FULL_SCREEN, at_terminal, quoted, run_at, shell, wait_until  # noqa: F401

LOOK = """
import fcntl, os, struct, sys, termios
size = struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, b" " * 8))[:2]
print("NAME", *[os.ttyname(fd) for fd in range(3)], os.fstat(os.open("/dev/tty", os.O_RDWR)).st_rdev == os.stat("/dev/tty").st_rdev)
print("SIZE", *size, "TERM", os.environ.get("TERM"))
print("GROUP", os.tcgetpgrp(0) == os.getpgrp(), "MODES", termios.tcgetattr(0), "END")
"""
SIZES = [(24, 80), (50, 200), (1, 1), (500, 500)]


def modes_of(text):
    return re.search(rb"MODES (.*?) END", text, re.DOTALL)[1].replace(b"\r\n", b"")


def test_the_terminal_inside_is_like_the_persons(run_at, at_terminal):
    bare = at_terminal("/usr/bin/python3", "-c", LOOK).until_end()
    run = run_at("run", "--", "/usr/bin/python3", "-c", LOOK)
    inside = run.until_end()
    assert run.status() == 0
    assert b"NAME /dev/pts/0 /dev/pts/0 /dev/pts/0 True\r\n" in inside
    assert b"SIZE 24 80 TERM xterm-256color" in inside and b"GROUP True" in inside
    assert modes_of(inside) == modes_of(bare)


def test_modes_that_the_person_has_set_hold_inside_too(at_terminal, ringwall):
    look = quoted(ringwall, "run", "--", "stty", "-a")
    out = at_terminal("sh", "-c", f"stty -echoctl -ixon intr ^G erase ^H tostop; stty -a; {look}").until_end()
    lines = out.split(b"\r\n")
    half = len(lines) // 2
    assert lines[:half] == lines[half : 2 * half] and b"intr = ^G" in lines[1]


def test_only_its_own_terminal_is_there(run_at):
    out = run_at("run", "--", "sh", "-c", "ls -1 /dev/pts; tty; : </dev/tty && echo mine").until_end()
    assert out == b"0\r\nptmx\r\n/dev/pts/0\r\nmine\r\n"


@pytest.mark.parametrize("size", SIZES)
def test_the_size_is_that_of_the_window(run_at, size):
    assert run_at("run", "--", "stty", "size", size=size).until_end() == b"%d %d\r\n" % size


@pytest.mark.parametrize("size", [(0, 0), (0, 80), (24, 0)])
def test_a_window_without_a_size_gets_a_usual_one(run_at, size):
    """As on a serial line: full-screen programs would divide by it."""
    run = run_at("run", "--", "stty", "size", size=size)
    assert run.until_end() == b"24 80\r\n" and run.status() == 0


WATCH_SIZE = """
import os, signal
signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"%d %d\\n" % os.get_terminal_size()[::-1]))
os.write(1, b"up\\n")
while True: signal.pause()
"""


def test_resizing_reaches_the_inside(run_at):
    run = run_at("run", "--", "/usr/bin/python3", "-c", WATCH_SIZE)
    run.expect("up\r\n")
    for rows, columns in [(30, 100), (50, 200), (10, 20), (24, 80)]:
        run.resize(rows, columns)
        run.expect(f"{rows} {columns}\r\n")


def test_of_a_hundred_resizes_the_last_one_holds(run_at):
    run = run_at("run", "--", "/usr/bin/python3", "-c", WATCH_SIZE)
    run.expect("up\r\n")
    for rows in range(100, 1, -1):
        run.resize(rows, 80)
    run.expect(r"\b2 80\r\n")


def test_a_resize_before_the_first_byte_is_not_lost(run_at):
    """Until the front end listens, the size that was asked for first may be old already."""
    for rows in range(30, 40):
        run = run_at("run", "--", "bash", "-c", f"until [ \"$(stty size)\" = '{rows} 99' ]; do sleep 0.01; done; echo now")
        run.resize(rows, 99)
        run.expect("now")


def test_keys_come_one_by_one_in_raw_mode(run_at):
    read = "import os, sys, tty; tty.setraw(0); print('up', end='', flush=True)\nwhile (b := os.read(0, 1)) != b'q': print(b[0], end=',', flush=True)"
    run = run_at("run", "--", "/usr/bin/python3", "-c", read)
    run.expect("up")
    # Not 28, which may begin the detach keys, alone.
    for byte in [*range(0, 28), *range(29, 113), *range(114, 256)]:
        run.send(bytes([byte]))
        run.expect(rf"{byte},")
    run.send("q")
    assert run.status() == 0


def test_the_line_editor_of_the_kernel_is_there(run_at):
    """Echo, erase, end of input: done by the terminal inside, once."""
    run = run_at("run", "--", "sh", "-c", "echo up; cat")
    run.expect("up\r\n")
    run.send("wrong\x7f\x7f\x7f\x7f\x7fright\n\x04")
    assert run.until_end() == b"wrong" + b"\b \b" * 5 + b"right\r\nright\r\n"
    assert run.status() == 0


def test_control_c_ends_a_command(run_at):
    run = run_at("run", "--", "sh", "-c", "echo up; exec sleep 60")
    run.expect("up\r\n")
    run.send(b"\x03")
    assert run.status(2) == 130


def test_a_command_may_catch_control_c(run_at):
    run = run_at("run", "--", "bash", "-c", "trap 'echo caught; exit 4' INT; echo up; while :; do sleep 0.01; done")
    run.expect("up\r\n")
    run.send(b"\x03")
    run.expect("caught\r\n")
    assert run.status() == 4


# Not bash: it forgets a signal that comes between its look for traps and its read.
CATCH_QUIT = """
import os, signal
signal.signal(signal.SIGQUIT, lambda *_: os.write(1, b"caught\\n"))
os.write(1, b"up\\n")
while line := os.read(0, 100): os.write(1, b"got " + line)
os._exit(6)
"""


@pytest.mark.alone
def test_control_backslash_passes_once(run_at):
    """The second one in a row would detach."""
    run = run_at("run", "--", "/usr/bin/python3", "-c", CATCH_QUIT)
    run.expect("up\r\n")
    run.send(b"\x1c")
    run.expect("caught\r\n")
    took = []
    for _ in range(3):  # a busy host may hold up one of them; a wait for the second key would, all
        start = time.monotonic()
        run.send(b"\x1cb\n")  # with a key behind it there is nothing to wait for
        run.expect("caught\r\n.*got b\r\n")
        took.append(time.monotonic() - start)
    assert min(took) < 0.5
    run.send(b"\x04")
    assert run.status() == 6


@pytest.mark.parametrize("script, status", [("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $$", 143), ("nothing-of-that-name", 127)])
def test_exit_status(run_at, script, status):
    assert run_at("run", "--", "sh", "-c", script).status() == status


@pytest.mark.parametrize("words", [["./nothing"], ["/nothing/here"], ["nothing-of-that-name"]])
def test_a_command_that_cannot_be_run(run_at, words):
    run = run_at("run", "--", *words)
    out = run.until_end()
    assert run.status() == 127 and b"ringwall:" in out and words[0].encode() in out


def test_messages_begin_at_the_left_margin(run_at):
    """In raw mode a line feed alone does not return."""
    run = run_at("run", "--", "sh", "-c", "printf half; exec /bin/sleep 60")
    run.expect("half")
    os.kill(run.pid, signal.SIGTERM)
    out = run.until_end()
    assert b"\n" not in out.replace(b"\r\n", b"") and run.status() == 143


# What is not there, or is strange.


@pytest.mark.parametrize("term", [None, "", "dumb", "no-such-terminal", "../../etc/passwd", "x" * 5000])
def test_any_term_will_do(run_at, term):
    run = run_at("run", "--", "sh", "-c", "test -t 0 && echo ok ${TERM-unset}", env={"TERM": term})
    out = run.until_end()
    assert run.status() == 0 and out.startswith(b"ok")
    assert b"no-such-terminal" in out or term != "no-such-terminal"


def test_no_color(run_at):
    plain = run_at("run", "--", "./nothing", env={"NO_COLOR": "1"}).until_end()
    assert b"\x1b[3" not in plain and b"\x1b[1" not in plain and b"ringwall: ./nothing" in plain
    assert b"\x1b[" in run_at("run", "--", "./nothing").until_end()


def test_a_terminal_that_is_not_the_controlling_one(at_terminal, ringwall):
    """Without job control a terminal is read and written like anything else."""
    script = "test -t 0 && echo up; read x; echo got $x"
    for command in (["sh", "-c", script], ringwall.command(["run", "--", "sh", "-c", script])):
        run = at_terminal(*command, controlling=False)
        run.expect("up\r+\n")
        run.send("a\n")
        run.expect("got a\r+\n")
        assert run.status() == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-"])
def test_closed_descriptors_and_a_terminal(at_terminal, ringwall, closed):
    """What is closed is not a terminal inside either, and nothing else takes its number."""
    look = "for i in 0 1 2; do test -t $i && printf t || printf n; done >seen; exit 5"
    run = at_terminal("sh", "-c", quoted(ringwall, "run", "--", "sh", "-c", look) + f" {closed}")
    assert run.status() == 5
    expected = "".join("n" if sign in closed.split() else "t" for sign in ("<&-", ">&-", "2>&-"))
    assert (ringwall.place.work / "seen").read_text()[0::2] == expected[0::2]


@pytest.mark.parametrize("way", ["</dev/null >/dev/tty 2>/dev/null", "</dev/null 2>/dev/tty >/dev/null"])
def test_a_terminal_that_is_only_written(at_terminal, ringwall, way):
    """Keys that are typed meanwhile are for whoever reads next, and end nothing."""
    run = quoted(ringwall, "run", "--", "sh", "-c", "echo up >&1; echo up >&2; until test -e go; do sleep 0.01; done; echo well; echo well >&2")
    terminal = at_terminal("bash", "-c", f"{run} {way}; echo status $?; read x; echo got $x")
    terminal.expect("up")
    terminal.send("abc\n")
    (ringwall.place.work / "go").touch()
    terminal.expect("well")
    terminal.expect("status 0")


def test_a_terminal_that_is_only_read(at_terminal, ringwall):
    run = quoted(ringwall, "run", "--", "sh", "-c", "read x; echo got $x; tty")
    terminal = at_terminal("bash", "-c", f"{run} </dev/tty | cat; echo status $?")
    wait_until(terminal.is_raw)
    terminal.send("abc\n")
    terminal.expect("got abc")
    terminal.expect("/dev/pts/0")
    terminal.expect("status 0")


# Much, and slow.


def test_a_hundred_megabytes_arrive_complete(run_at, place):
    """Bytes that are text; what a filter of escape sequences could lose is here too."""
    line = ("0123456789 abcdefghijklmnopqrstuvwxyz ÄÖÜß€ \x1b[1;31mred\x1b[m \x1b[38;2;1;2;3mtrue\x1b[m\n").encode()
    (place.work / "much").write_bytes(line * (100_000_000 // len(line)))
    expected = hashlib.sha256(line.replace(b"\n", b"\r\n") * (100_000_000 // len(line))).hexdigest()
    run = run_at("run", "--", "cat", "much")
    seen, end = hashlib.sha256(), time.monotonic() + 60
    while (data := run.read(5)) is not None and time.monotonic() < end:
        assert data, "it stands still"
        seen.update(data)
        run.seen = b""
    assert seen.hexdigest() == expected and run.status() == 0


def pieces_of(text):
    """Every way to cut this in two."""
    return [(text[:i], text[i:]) for i in range(1, len(text))]


WRITE_PIECES = """
import os, time
for a, b in eval(open("pieces").read()):
    os.write(1, b"<" + a); time.sleep(0.001); os.write(1, b + b">\\n")
"""
PARTIAL = [
    "€ä😀e\u0301".encode(),
    b"\x1b[1;38;2;10;20;30mx\x1b[0m",
    b"\x1b[?2004h\x1b[?2004l",
    b"\x1b]0;a title\x07y",
    b"\x1b]8;;https://example.org/\x1b\\link\x1b]8;;\x1b\\",
    b"\x1b(0lqk\x1b(B",
]


def test_pieces_of_characters_and_sequences(run_at, place):
    """Cut at every byte, they arrive as if they were whole."""
    pairs = [pair for text in PARTIAL for pair in pieces_of(text)]
    (place.work / "pieces").write_text(repr(pairs))
    out = run_at("run", "--", "/usr/bin/python3", "-c", WRITE_PIECES).until_end()
    expected = [b"<" + a + b + b">" for a, b in pairs]
    assert out.split(b"\r\n")[: len(pairs)] == expected


def test_what_is_forbidden_does_not_arrive_in_pieces_either(run_at, place):
    text = b"\x1b]52;c;SEVMTE8=\x07"
    (place.work / "pieces").write_text(repr(pieces_of(text)))
    out = run_at("run", "--", "/usr/bin/python3", "-c", WRITE_PIECES).until_end()
    assert b"SEVM" not in out and out.count(b"<>") == len(text) - 1


def test_a_sequence_that_never_ends_does_not_eat_what_follows_the_run(run_at, place):
    run = run_at("run", "--", "sh", "-c", r"printf 'seen\033]52;c;AAAA'")
    out = run.until_end()
    assert out.startswith(b"seen") and b"]52" not in out and run.status() == 0


def test_a_terminal_that_stops_reading(ringwall, run_at):
    """The command waits; whoever asks about the run does not; and nothing is lost."""
    run = run_at("run", "--name", "slow", "--", "seq", "-f", "%08.0f", "300000")
    ringwall.wait_for_run("slow")
    # Several answers, and all while nobody has read a byte.
    assert '"slow"' in ringwall("ls", "--json", timeout=120).ok()
    assert ringwall("exec", "slow", "--", "echo", "here", timeout=120).ok() == "here"
    assert ringwall("pause", "slow", timeout=120).status == 0
    assert ringwall("resume", "slow", timeout=120).status == 0
    out = run.until_end(20)
    assert out == b"".join(b"%08d\r\n" % i for i in range(1, 300_001)) and run.status() == 0


def test_a_terminal_that_never_reads_again_holds_up_no_end(ringwall, run_at, place):
    run = run_at("run", "--name", "stuck", "--", "yes")
    ringwall.wait_for_run("stuck")
    os.kill(run.pid, signal.SIGTERM)
    run.process.wait(60)
    place.wait_until_gone()


def test_keys_that_nobody_reads_hold_up_nothing_else(ringwall, run_at, place):
    """A paste into a program that does not read: sizes and signals still pass."""
    run = run_at("run", "--name", "deaf", "--", "bash", "-c", "stty raw -echo; trap 'stty size >size' WINCH; echo up; while :; do sleep 0.01; done")
    run.expect("up")
    os.set_blocking(run.master, False)
    sent, quiet = 0, 0
    while quiet < 30 and sent < 4 << 20:
        try:
            sent += os.write(run.master, b"x" * 4096)
            quiet = 0
        except BlockingIOError:
            quiet += 1
            time.sleep(0.01)
    os.set_blocking(run.master, True)
    assert sent > 4096
    run.resize(33, 66)
    wait_until(lambda: (place.work / "size").exists() and (place.work / "size").read_text() == "33 66\n")
    os.kill(run.pid, signal.SIGTERM)
    assert run.process.wait(60) == 143


@pytest.mark.parametrize("named", ["", "TERMINFO", "TERMINFO_DIRS"])
def test_a_terminal_that_only_the_person_knows_is_known_inside(ringwall, bare, place, named):
    folder = place.home / (".own" if named else ".terminfo")
    text = "ringwall-test-terminal|a newer one,\n\tcolors#123, use=xterm,\n"
    subprocess.run(["tic", "-x", "-o", folder, "-"], input=text.encode(), check=True)
    env = {"TERM": "ringwall-test-terminal", **({named: str(folder)} if named else {})}
    assert bare("tput", "colors", env=env).ok() == "123"
    assert ringwall("run", "--", "tput", "colors", env=env).ok() == "123"
    other = {**env, "TERM": "ringwall-test-nobody"}
    assert ringwall("run", "--", "tput", "colors", env=other).status != 0
