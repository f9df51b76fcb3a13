"""Full-screen programs look inside as they do outside, and what they ask and tell the terminal passes or is stopped."""

import json
import os
import re
import signal
import time

import pytest
from terminals import at_terminal, run_at, shell, tmux, wait_until  # noqa: F401

SIZES = [(24, 80), (50, 200)]


def both(ringwall, tmux, words, size, *options):
    """The same command bare and inside."""
    return tmux.open(words, size), tmux.open(ringwall.command(["run", *options, "--", *words]), size)


def same(panes, text, mask=lambda screen: screen):
    """Both show this text, and the same screen, as soon as they have drawn it."""
    seen = {}

    def equal():
        drawn = all(re.search(text, pane.text()) for pane in panes)
        seen["bare"], seen["inside"] = (mask(pane.screen()) for pane in panes)
        return drawn and seen["bare"] == seen["inside"]

    try:
        wait_until(equal)
    except AssertionError:
        raise AssertionError(f"--- bare ---\n{seen['bare']}\n--- inside ---\n{seen['inside']}") from None


def go_through(panes, steps, mask=lambda screen: screen):
    for step, text in steps:
        for pane in panes:
            pane.resize(*step) if isinstance(step, tuple) else pane.type(step)
        same(panes, text, mask)


@pytest.fixture
def text(place):
    (place.work / "text").write_text("".join(f"line {i} of a text with ümläuts and 漢字\n" for i in range(1, 300)))
    (place.work / "code.c").write_text('#include <stdio.h>\nint main(void) {\n\tprintf("%d\\n", 42); /* why */\n}\n')


@pytest.mark.parametrize("size", SIZES)
def test_vim(ringwall, tmux, text, size):
    panes = both(ringwall, tmux, ["vim", "-n", "-u", "NONE", "-N", "-c", "syntax on", "-c", "set ruler hls mouse=a", "code.c"], size)
    steps = [
        ("", "printf"),
        (":split text\r", "line 3 of"),
        ("/line 7\r", "line 7"),
        ("Gozuletzt\x1b", "zuletzt"),
        ((30, 100), "zuletzt"),
        (":vsplit\r", "zuletzt"),
        ((size[0], size[1]), "zuletzt"),
        ("ggVjj", "VISUAL"),
        ("\x1b:qa!\r", "ended 0"),
    ]
    go_through(panes, steps)


@pytest.mark.parametrize("size", SIZES)
def test_less(ringwall, tmux, text, size):
    panes = both(ringwall, tmux, ["less", "-N", "text"], size)
    steps = [
        ("", "line 3 of"),
        ("G", "line 299"),
        ("?line 15\r", "line 159"),
        ("n", "line 158"),
        ((12, 60), "line 158"),
        ((60, 120), "line 216"),
        ("/line 2\r", "line 200"),
        ("h", "SUMMARY"),
        ("q", "line 200"),
        ("g", "line 1 of"),
        ("q", "ended 0"),
    ]
    go_through(panes, steps)


def without_numbers(screen):
    """What differs by nature: times, numbers of processes, bars and loads."""
    kept = [line for line in screen.split("\n") if re.search(r"F1|F2|Setup|Categories|Meters|Columns|shown=", line)]
    return re.sub(r"\d+,\d+", "", "\n".join(kept))


@pytest.mark.parametrize("size", SIZES)
def test_htop(ringwall, tmux, size):
    panes = both(ringwall, tmux, ["htop", "-d", "100"], size)
    steps = [("", "F1"), ("\x1bOQ", "Setup|Categories|Meters"), ((30, 110), "Categories|Meters"), ("\x1b[21~", "F1")]
    go_through(panes, steps, without_numbers)
    for pane in panes:
        pane.type("q")
        pane.expect("ended 0")


@pytest.mark.parametrize("size", SIZES)
def test_a_shell(ringwall, tmux, text, size):
    """With line editing: history, completion, search."""
    bash = ["env", "PS1=> ", "bash", "--norc", "--noprofile"]
    panes = both(ringwall, tmux, bash, size)
    steps = [
        ("", ">"),
        ("echo one two three\r", "one two three\n"),
        ("\x1b[A\x01\x1bd", "> .*one two three"),
        ("printf '%s\\n' \x05\r", "\nthree"),
        ("cat te\t\r", "line 299"),
        ("\x12echo", "reverse-i-search"),
        ((size[0] - 4, size[1] - 20), "reverse-i-search"),
        ("\x07clear\r", ">"),
        ("printf '\\033[48;2;1;2;3;38;2;200;100;0mtrue\\033[m colour\\n'\r", "true"),
    ]
    go_through(panes, steps)


# Bytes on the wire.

PASSES = {
    "alternate screen": rb"\033[?1049h \033[?1049l",
    "mouse": rb"\033[?1000h\033[?1002h\033[?1003h\033[?1006h \033[?1000l\033[?1002l\033[?1003l\033[?1006l",
    "bracketed paste": rb"\033[?2004h \033[?2004l",
    "focus": rb"\033[?1004h \033[?1004l",
    "true colour": rb"\033[38;2;12;34;56m\033[48:2::1:2:3mx\033[m",
    "underlines": rb"\033[4:3m\033[58:2::255:0:0mx\033[59m\033[4:0m",
    "kitty keyboard": rb"\033[>1u\033[=5;1u\033[<u",
    "modifyOtherKeys": rb"\033[>4;2m \033[>4;0m",
    "synchronized": rb"\033[?2026hx\033[?2026l",
    "cursor shape": rb"\033[5 q\033[0 q",
    "title": rb"\033]0;a title\007\033]2;another\033\\",
    "hyperlink": rb"\033]8;;https://example.org/\033\\text\033]8;;\033\\",
    "scroll region": rb"\033[2;10r\033[3S\033[2T\033[r",
    "line drawing": rb"\033(0lqqk\033(B",
    "bell": rb"\007",
}


@pytest.mark.parametrize("what", PASSES)
def test_passes_unchanged(run_at, what):
    run = run_at("run", "--", "printf", "<" + PASSES[what].decode() + ">")
    expected = b"<" + re.sub(rb"\\(0\d\d|\\)", lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 8)]), PASSES[what]) + b">"
    out = run.until_end()
    assert out.startswith(expected) and run.status() == 0


STOPPED = {
    "clipboard written": rb"\033]52;c;SEVMTE8=\007",
    "clipboard read": rb"\033]52;c;?\007",
    "clipboard, other end": rb"\033]52;p;SEVMTE8=\033\\",
    "clipboard of kitty": rb"\033]5522;type=read;SEVMTE8=\033\\",
    "device control": rb"\033P$q SEVMTE8\033\\",
    "sixel": rb"\033Pq#0;2;0;0;0SEVMTE8\033\\",
    "through tmux": rb"\033Ptmux;\033\033]52;c;SEVMTE8=\007\033\\",
    "screen's": rb"\033P\033]52;c;SEVMTE8=\007\033\\",
    "application": rb"\033_GSEVMTE8\033\\",
    "privacy": rb"\033^SEVMTE8\033\\",
    "start of string": rb"\033XSEVMTE8\033\\",
    "title report": rb"\033[21t",
    "icon report": rb"\033[20t",
    "answer-back": rb"\005",
    "printing": rb"\033[5iSEVMTE8\033[4i",
    "window moved": rb"\033[3;0;0t",
    "iTerm's files": rb"\033]1337;File=name=SEVMTE8:AAAA\007",
    "font": rb"\033]50;SEVMTE8\007",
    "8-bit OSC": "\u009d52;c;SEVMTE8=\u009c".encode(),
    "nested": rb"\033]0;t\033]52;c;SEVMTE8=\007",
    "VT52": rb"\033[?2l",
    "tektronix": rb"\033[?38h",
}


def is_harmful(out):
    return re.search(rb"\x1b\]52|\x1b\]5522|\x1b[PX^_]|\x1b\[2[01]t|\x05|\x1b\[5i|\x1b\[3;0;0t|\x1b\]1337|\x1b\]50|\x9d|\x1b\[\?2l|\x1b\[\?38h", out)


@pytest.mark.parametrize("what", STOPPED)
def test_does_not_arrive(run_at, mutant, at_terminal, what):
    words = ["run", "--", "printf", "<%b>", STOPPED[what].decode()]
    run = run_at(*words)
    out = run.until_end()
    assert run.status() == 0 and not is_harmful(out) and out.startswith(b"<") and b">" in out
    open_run = at_terminal(*mutant("terminal-filter").command(words), env={"RINGWALL_TAKE_AWAY": "terminal-filter"})
    assert is_harmful(open_run.until_end()), "stopped by something else than the filter"


def test_names_that_ringwall_prints_are_harmless(run_at, place):
    run = run_at("run", "--ro", "/nothing\x1b]52;c;SEVMTE8=\x07", "--", "true")
    out = run.until_end()
    assert run.status() == 125 and b"\x1b]52" not in out and b"\x07" not in out


# Questions and answers.

ASK = """
import os, select, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
question, end = sys.argv[1].encode().decode("unicode_escape").encode("latin-1"), sys.argv[2].encode()
os.write(1, question)
seen = b""
while not seen.endswith(end) and select.select([0], [], [], 3)[0]: seen += os.read(0, 100)
termios.tcsetattr(0, termios.TCSANOW, before)
print("ANSWER", seen.hex())
"""
QUESTIONS = {
    "attributes": (b"\x1b[c", b"\x1b[?62;22c"),
    "secondary attributes": (b"\x1b[>c", b"\x1b[>41;354;0c"),
    "status": (b"\x1b[5n", b"\x1b[0n"),
    "cursor": (b"\x1b[6n", b"\x1b[5;9R"),
    "background": (b"\x1b]11;?\x07", b"\x1b]11;rgb:0000/0000/0000\x07"),
    "keyboard": (b"\x1b[?u", b"\x1b[?1u"),
    "a mode": (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    "version": (b"\x1b[>q", b"\x1bP>|XTerm(390)\x1b\\"),
}


@pytest.mark.parametrize("what", QUESTIONS)
def test_a_question_arrives_and_its_answer_comes_back(run_at, what):
    question, answer = QUESTIONS[what]
    run = run_at("run", "--", "/usr/bin/python3", "-c", ASK, question.decode("latin-1").encode("unicode_escape").decode(), answer[-1:].decode())
    run.expect(re.escape(question))
    run.send(answer)
    assert run.expect(r"ANSWER (\w*)")[1] == answer.hex().encode()
    assert run.status() == 0


@pytest.mark.parametrize("end", ["by itself", "by SIGKILL", "by leaving"])
def test_late_answers_do_not_reach_the_shell(shell, ringwall, end, place):
    """The terminal answers 50 ms after the question, when nobody is there any more who asked."""
    person = shell()
    then = {"by itself": "exit", "by SIGKILL": "kill -9 $$", "by leaving": "exec sleep 60"}[end]
    person.send(f"$rw run --name here -- sh -c 'stty raw -echo; printf \"\\033[c\\033[6n\"; {then}'\n")
    person.expect(r"\r\n.*\x1b\[c\x1b\[6n")
    asked = time.monotonic()
    if end == "by leaving":
        person.send(b"\x1c\x1c")
    # What a terminal some way off does: answer in order, later.
    answered = False
    while not (answered and b"%% " in person.seen[person.at :]) and time.monotonic() < asked + 5:
        person.read(0.01)
        if not answered and time.monotonic() > asked + 0.05:
            person.send(b"\x1b[?62;22c\x1b[5;9R" + b"\x1b[0n" * person.seen.count(b"\x1b[5n"))
            answered = True
    person.expect("%% ")
    person.send("read -t 0.3 -n 20 x; echo \"stray<$(printf %q \"$x\")>\"\n")
    assert b"<''>" in person.expect(r"\nstray<.*?>").group()
    if end == "by leaving":
        end_left_run(ringwall)


def end_left_run(ringwall):
    (run,) = json.loads(ringwall("ls", "--json").ok())
    os.kill(run["pid"], signal.SIGTERM)
    wait_until(lambda: ringwall("ls").ok() == "")


ENTERED = {
    "alternate screen": (r"\033[?1049h", rb"\x1b\[\?1049l|\x1b\[\?1047l"),
    "hidden cursor": (r"\033[?25l", rb"\x1b\[\?25h"),
    "mouse": (r"\033[?1003h\033[?1006h", rb"\x1b\[\?1003l"),
    "bracketed paste": (r"\033[?2004h", rb"\x1b\[\?2004l"),
    "focus": (r"\033[?1004h", rb"\x1b\[\?1004l"),
    "cursor keys": (r"\033[?1h\033=", rb"\x1b\[\?1l"),
    "kitty keyboard": (r"\033[>1u", rb"\x1b\[<\d*u"),
    "modifyOtherKeys": (r"\033[>4;2m", rb"\x1b\[>4(;0)?m"),
    "margins": (r"\033[5;10r", rb"\x1b\[r"),
    "line drawing": (r"\033(0", rb"\x1b\(B"),
    "colours": (r"\033[31;44;7m", rb"\x1b\[0?m"),
    "insert": (r"\033[4h", rb"\x1b\[4l"),
    "synchronized": (r"\033[?2026h", rb"\x1b\[\?2026l"),
    "palette": (r"\033]4;1;#112233\007", rb"\x1b\]104"),
    "background": (r"\033]11;#112233\007", rb"\x1b\]111"),
    "no wrap": (r"\033[?7l", rb"\x1b\[\?7h"),
    "title of a program": (r"\033]0;evil\007", rb""),
}


@pytest.mark.parametrize("what", ENTERED)
def test_modes_are_reset_after_a_kill(run_at, what):
    on, off = ENTERED[what]
    run = run_at("run", "--", "sh", "-c", f"stty raw -echo; printf '{on}up'; kill -9 $$")
    run.expect("up")
    assert re.search(off, run.until_end()), run.seen
    assert run.status() == 137 and not run.is_raw()


def test_nothing_is_reset_that_was_not_set(run_at):
    assert run_at("run", "--", "echo", "plain").until_end() == b"plain\r\n"


def test_a_screen_in_tmux_after_a_kill(ringwall, tmux, text):
    """As a person sees it: the shell's screen is back, with a cursor, and keys are echoed."""
    pane = tmux.open(["env", "PS1=> ", "rw=" + ringwall.command([])[0], "bash", "--norc", "--noprofile"])
    pane.expect(">")
    pane.type("echo before\r")
    pane.expect("\nbefore")
    pane.type("$rw run --name here -- vim -u NONE -N -c 'set mouse=a' text\r")
    pane.expect("line 3 of")
    # The run ends with the editor, and with it the process that ends it, perhaps before it could answer.
    ringwall("exec", "here", "--", "sh", "-c", "kill -9 $(ps -eo pid,comm | sed -n 's/ vim//p')")
    pane.expect("\nbefore")
    wait_until(lambda: "shown=1 alternate=0 mouse=0" in pane.screen())
    pane.type("echo after $?\r")
    pane.expect("\nafter 137")


def test_tmux_inside(ringwall, tmux, text):
    """A multiplexer in a multiplexer: ptys of its own, its socket in /tmp, and everything it asks."""
    inner = ["sh", "-c", "TMUX= SHELL=/bin/sh TMUX_TMPDIR=${1:-/tmp} exec tmux -f /dev/null new -n name 'PS1=\">>> \" sh' ';' set status-right '' ';' set default-command 'PS1=\">>> \" sh'", "sh"]
    panes = tmux.open([*inner, str(ringwall.place.root)], SIZES[0]), tmux.open(ringwall.command(["run", "--", *inner]), SIZES[0])
    steps = [
        ("", ">>>"),
        ("echo here\r", "\nhere"),
        ("\x02%", "│"),
        ("\x02\"", "─┤|├─"),
        ((30, 100), "│"),
        ("\x02x", "kill-pane"),
        ("y", "│"),
        ("\x02:", "\n *:"),
        ("kill-server", ":.*kill-server"),
        ("\r", "ended 1"),
    ]
    go_through(panes, steps, lambda screen: re.sub(r"kill-pane \d+", "kill-pane", screen))
