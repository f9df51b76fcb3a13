"""ringwall replay: recordings of any origin are played, and none of them harms the terminal."""

import json
import re
import shutil
import signal
import subprocess
import time

import pexpect
import pytest
from terminals import at_terminal, shell  # noqa: F401

HEADER = {"version": 2, "width": 80, "height": 24, "timestamp": 1700000000}


def cast(place, *events, header=HEADER, name="a.cast"):
    """A recording of these events: [seconds, kind, data]."""
    path = place.work / name
    lines = [json.dumps(header), *(json.dumps(event) for event in events)]
    path.write_text("\n".join(lines) + "\n")
    return path


def spawn(ringwall, place, *args, size=(24, 80)):
    command = ringwall.command(["replay", *args])
    return pexpect.spawn(
        command[0],
        command[1:],
        cwd=str(place.work),
        env=place.environment({"TERM": "xterm"}),
        dimensions=size,
        timeout=120,
    )


def ended(child):
    """Everything that was shown until the end, and how it ended."""
    child.expect(pexpect.EOF)
    child.close()
    return child.before, child.exitstatus


def test_a_pipe_gets_all_of_it_at_once(ringwall, place):
    path = cast(place, [0.5, "o", "\x1b[31mred\x1b[0m\r\n"], [9000, "o", "grün 😀\r\n"], [9001, "i", "typed"])
    start = time.monotonic()
    done = ringwall("replay", path)
    assert time.monotonic() - start < 5
    assert done.ok() == "\x1b[31mred\x1b[0m\r\ngrün 😀"


def test_standard_input_can_be_played(ringwall, place):
    path = cast(place, [0, "o", "from a pipe"])
    assert ringwall("replay", "-", input=path.read_bytes()).ok() == "from a pipe"


@pytest.mark.alone
def test_times_are_kept_at_a_terminal(ringwall, place):
    path = cast(place, [0.2, "o", "one"], [1.2, "o", "two"])
    start = time.monotonic()
    child = spawn(ringwall, place, path)
    child.expect("one")
    between = time.monotonic()
    child.expect("two")
    assert 0.8 < time.monotonic() - between < 3
    assert between - start < 1
    assert ended(child)[1] == 0


@pytest.mark.alone
@pytest.mark.parametrize("flags", [["--speed", "100"], ["--idle", "0.05"], ["--speed=2", "--idle=0.1"]])
def test_times_can_be_shortened(ringwall, place, flags):
    path = cast(place, [5, "o", "one"], [10, "o", "two"])
    start = time.monotonic()
    shown, status = ended(spawn(ringwall, place, path, *flags))
    assert (b"onetwo" in shown, status) == (True, 0)
    assert time.monotonic() - start < 3


def test_the_recording_may_shorten_its_own_pauses(ringwall, place):
    path = cast(place, [50, "o", "one"], [100, "o", "two"], header={**HEADER, "idle_time_limit": 0.05})
    assert b"onetwo" in ended(spawn(ringwall, place, path))[0]


def test_hostile_recordings_are_filtered(ringwall, place):
    hostile = "a\x1b]52;c;ZXZpbA==\x07b\x1bP+q544e\x1b\\c\x1b[21td\x1b[5ie\x05f\x9b"
    path = cast(place, [0, "o", hostile], [0, "o", "\x1b]52;c;Z"], [0, "o", "XZp\x07g"])
    done = ringwall("replay", path)
    assert done.raw == b"abcdefg"
    shown, _ = ended(spawn(ringwall, place, path))
    assert shown.replace(b"\r\n", b"") == b"abcdefg"


def test_modes_are_put_back_at_the_end(ringwall, place):
    path = cast(place, [0, "o", "\x1b[?1049h\x1b[?1003h\x1b[?25l\x1b[?2004h\x1b[1mfull screen"])
    for shown, has_keyboard in ((ended(spawn(ringwall, place, path))[0], True), (ringwall("replay", path).raw, False)):
        before, after = shown.split(b"full screen")
        for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
            assert on in before and off in after, shown
        for mode in (b"\x1b[?1003", b"\x1b[?2004"):
            assert (mode + b"h" in before, mode + b"l" in after) == (has_keyboard, has_keyboard), shown


@pytest.mark.parametrize("way", ["&", "| cat"])
def test_who_cannot_have_the_keyboard_asks_nothing(shell, place, way):
    """The terminal would answer the shell, or send it keys in another way."""
    cast(place, [0, "o", "<\x1b[6n\x1b[?2048h\x1b[?1003h\x1b[>1u\x1b=\x1b[1mshown>"])
    person = shell()
    person.send(f"$rw replay a.cast {way}\n")
    assert person.expect("<.*?shown>").group() == b"<\x1b[1mshown>"
    person.send("wait; echo do''ne\n")
    assert not re.search(rb"\x1b\[(\?(2048|1003)l|<|=)", person.expect("done").string)
    person.send("$rw replay a.cast\n")
    person.expect(re.escape("<\x1b[6n\x1b[?2048h\x1b[?1003h\x1b[>1u\x1b=\x1b[1mshown>"))


@pytest.mark.parametrize("key, status", [("q", 0), ("\x03", 130)])
def test_a_key_stops_it_with_the_terminal_in_order(ringwall, place, key, status):
    path = cast(place, [0, "o", "\x1b[?1049hshown"], [100, "o", "never"])
    run = " ".join(ringwall.command(["replay", path]))
    child = pexpect.spawn(
        "/bin/sh",
        ["-c", f"stty -g; {run}; echo status $?; stty -g"],
        cwd=str(place.work),
        env=place.environment({"TERM": "xterm"}),
        timeout=120,
    )
    child.expect("shown")
    child.send(key)
    before = child.before
    out, _ = ended(child)
    assert b"\x1b[?1049l" in out and f"status {status}".encode() in out and b"never" not in out
    modes = re.findall(rb"[0-9a-f]+(?::[0-9a-f]+){10,}", before + out)
    assert len(modes) == 2 and modes[0] == modes[1]


def test_space_pauses_and_goes_on(ringwall, place):
    path = cast(place, [0, "o", "one"], [0.5, "o", "two"])
    child = spawn(ringwall, place, path)
    child.expect("one")
    child.send(" ")
    assert child.expect(["two", pexpect.TIMEOUT], timeout=1.5) == 1
    child.send(" ")
    child.expect("two")
    assert ended(child)[1] == 0


def test_answers_of_the_terminal_are_no_keys(ringwall, place):
    """A query in a recording is answered; the answer neither stops it nor reaches the shell."""
    path = cast(place, [0, "o", "ask\x1b[c"], [0.5, "o", "end"])
    child = spawn(ringwall, place, path)
    child.expect("ask")
    child.send("\x1b[?62;1;6c\x1bP>|q q q\x1b\\")
    shown, status = ended(child)
    assert b"end" in shown and status == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_leave_the_terminal_in_order(ringwall, place, number):
    path = cast(place, [0, "o", "\x1b[?1049hshown"], [100, "o", "never"])
    child = spawn(ringwall, place, path)
    child.expect("shown")
    child.kill(number)
    shown, status = ended(child)
    assert b"\x1b[?1049l" in shown and status == 128 + number


def test_suspending_gives_the_terminal_back(ringwall, place):
    path = cast(place, [0, "o", "\x1b[?1049hone"], [1, "o", "two"])
    child = pexpect.spawn("/bin/bash", ["--norc", "-i"], cwd=str(place.work), env=place.environment({"TERM": "xterm", "PS1": "ready> "}), timeout=120)
    child.expect("ready> ")
    child.sendline(" ".join(ringwall.command(["replay", path])))
    child.expect("one")
    child.send("\x1a")
    child.expect_exact("\x1b[?1049l")
    child.expect("Stopped")
    child.expect("ready> ")
    child.sendline("fg")
    child.expect_exact("\x1b[?1049h")
    child.expect("two")
    child.expect("ready> ")
    child.sendline("exit")
    child.expect(pexpect.EOF)
    child.close()


def test_a_terminal_that_is_too_small_is_told(ringwall, place):
    path = cast(place, [0, "o", "shown"], header={**HEADER, "width": 200, "height": 50})
    shown, _ = ended(spawn(ringwall, place, path))
    assert b"200x50" in shown and b"80x24" in shown and b"--size" in shown
    shown, _ = ended(spawn(ringwall, place, path, "--size"))
    assert b"200x50" not in shown and b"\x1b[8;50;200t" in shown
    assert b"200x50" not in ended(spawn(ringwall, place, path, size=(50, 200)))[0]


def test_a_slow_reader_can_still_be_stopped(ringwall, place):
    path = cast(place, *([0, "o", "x" * 60000] for _ in range(50)))
    child = spawn(ringwall, place, path)
    child.read(1000)
    child.send("q")
    shown, status = ended(child)
    assert status == 0 and len(shown) < 1_000_000


BAD = {
    "hello\n": ["line 1", "no asciicast"],
    "": ["is empty"],
    '{"version": 1, "width": 80}\n': ["version 1", "asciinema convert"],
    '{"version": 3}\n': ["version 3", "asciinema convert"],
    '{"version": 2}\n': ["line 1", "width and height"],
    '{"version": 2, "width": 80, "height": 24}\n[0, "o", "fine"]\nx\n': ["line 3", "no JSON"],
    '{"version": 2, "width": 80, "height": 24}\n[0, "o", "fi': ["line 2", "middle of a line"],
    '{"version": 2, "width": 80, "height": 24}\n' + "x" * 2_000_000: ["line 2", "longer"],
}


@pytest.mark.parametrize("content", BAD, ids=lambda content: repr(content[:50]))
def test_damage_is_named_with_its_line(ringwall, place, content):
    path = place.work / "bad \x1b[31m.cast"
    path.write_text(content)
    done = ringwall("replay", path)
    done.refused(*BAD[content])
    assert "\x1b" not in done.err
    shown, status = ended(spawn(ringwall, place, path))
    assert status == 125 and BAD[content][0].encode() in shown


def test_wrong_arguments_are_explained(ringwall, place):
    path = cast(place, [0, "o", "shown"])
    ringwall("replay").refused("no recording given")
    ringwall("replay", place.work / "missing").refused("cannot open", "No such file")
    ringwall("replay", place.work).refused("Is a directory")
    for value in ("0", "-1", "abc", "nan", "inf", "1e400", "1x", "0x10", " 1"):
        ringwall("replay", path, f"--speed={value}").refused("--speed must be a number from 0.01 to 1000")
    for value in ("-1", "abc", "nan"):
        ringwall("replay", path, f"--idle={value}").refused("--idle must be a number of seconds")
    ringwall("replay", path, "--speed=").refused("--speed needs a value")
    ringwall("replay", path, "--sped=2").refused("--speed")
    ringwall("replay", path, path).refused("unexpected argument")
    help_text = ringwall("replay", "--help").ok()
    assert "Examples:" in help_text and "--idle" in help_text


def test_a_reader_that_leaves_early_is_no_error(ringwall, place):
    path = cast(place, *([0, "o", "x" * 60000] for _ in range(50)))
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" | head -c 10', "sh", *ringwall.command(["replay", path])],
        capture_output=True, env=place.environment(), timeout=120,
    )
    assert (done.stdout, done.stderr) == (b"x" * 10, b"")


def test_recordings_of_asciinema_are_played(ringwall, place):
    if not shutil.which("asciinema"):
        pytest.skip("there is no asciinema")
    path = place.work / "theirs.cast"
    child = pexpect.spawn(
        "asciinema",
        ["rec", "-q", "-c", "printf '\\033[32mgreen\\033[0m %s\\n' grün", str(path)],
        env=place.environment({"TERM": "xterm"}),
        timeout=120,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert ringwall("replay", path).ok() == "\x1b[32mgreen\x1b[0m grün"


def test_both_players_show_the_same(ringwall, place):
    if not shutil.which("asciinema"):
        pytest.skip("there is no asciinema")
    path = cast(place, [0, "o", "\x1b[1mbold\x1b[0m \"\\"], [0.1, "r", "100x30"], [0.2, "o", "grün 😀\r\n"])
    # It wants a terminal for its keys, even where it only prints.
    theirs, status = pexpect.run(
        f"asciinema cat {path}", env=place.environment({"TERM": "xterm"}), withexitstatus=True
    )
    assert status == 0
    assert re.sub(rb"\r+", b"\r", theirs) == ringwall("replay", path).raw
