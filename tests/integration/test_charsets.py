"""What is a letter in UTF-8 may be a control elsewhere: 0x9d opens a command on an 8-bit terminal."""

import json
import os
import signal

import pytest
from terminals import Terminal, at_terminal, run_at, started  # noqa: F401

# U+00DD, whose second byte is 0x9d, then what would ask for the clipboard.
HOSTILE = "\u00dd52;c;?\a"
CONTROLS = bytes(range(0x80, 0xA0))
SAYS = ["printf", "[%s]", HOSTILE]

# Which charset, whether the terminal says that it is UTF-8, and which it is.
CASES = {
    "named": ("C.UTF-8", False, True),
    "named otherwise": ("en_US.ISO-8859-1", True, False),
    "no charset, a terminal of today": ("C", True, True),
    "no charset, a terminal of old": ("C", False, False),
    "a modifier only": ("de_DE@euro", False, False),
    "nothing, a terminal of today": (None, True, True),
    "nothing, a terminal of old": (None, False, False),
}


@pytest.fixture(params=CASES)
def case(request, ringwall, place):
    """(start(ARGUMENTS…), whether it is UTF-8)"""
    lang, flag, utf8 = CASES[request.param]
    made = []

    def start(*args):
        env = place.environment({"TERM": "xterm"})
        for name in ("LANG", "LC_ALL", "LC_CTYPE"):
            env.pop(name, None)
        if lang:
            env["LANG"] = lang
        # The terminal says what it is before anything is started at it.
        person = Terminal(["sh", "-c", 'stty "$0" -echo; exec "$@"', "iutf8" if flag else "-iutf8", *ringwall.command(args)], cwd=place.work, env=env)
        made.append(person)
        return person

    yield start, utf8
    for person in made:
        person.end()


def check(shown, utf8):
    assert b"[" in shown and b"]" in shown, shown
    if utf8:
        assert "\u00dd52".encode() in shown
    else:
        assert not any(byte in CONTROLS for byte in shown), shown


def test_run(case):
    start, utf8 = case
    check(start("run", "--", *SAYS).until_end(), utf8)


def test_exec(case, ringwall, run_at):
    start, utf8 = case
    run = run_at("run", "--name", "here", "--", "sh", "-c", "echo up; read x")
    run.expect("up")
    check(start("exec", "here", "--", *SAYS).until_end(), utf8)


@pytest.mark.parametrize("flags", [(), ("--watch",)])
def test_attach(case, started, place, flags):
    """The run was started where UTF-8 is read; who comes later may have another terminal."""
    start, utf8 = case
    script = 'printf "[%s]" "$0"; while [ ! -e go ]; do sleep 0.05; done; printf "<%s>" "$0"; sleep 60'
    run = started("sh", "-c", script, HOSTILE)
    person = start("attach", *flags, "here")
    check(person.expect(r"\[.*?\]").group(), utf8)  # the picture
    (place.work / "go").touch()
    shown = person.expect(r"<.*>").group()
    check(b"[" + shown + b"]", utf8)
    os.kill(run, signal.SIGTERM)
    assert person.status(3) == 143


def test_replay(case, place):
    start, utf8 = case
    lines = [{"version": 2, "width": 80, "height": 24}, [0, "o", f"[{HOSTILE}]"]]
    (place.work / "a.cast").write_text("".join(json.dumps(line) + "\n" for line in lines))
    check(start("replay", "a.cast").until_end(), utf8)


def test_letters_of_an_8_bit_terminal_pass(ringwall, place):
    env = place.environment({"TERM": "xterm", "LANG": "en_US.ISO-8859-1"})
    person = Terminal(ringwall.command(["run", "--", "printf", "gr\\374n\\2336n"]), cwd=place.work, env=env)
    assert person.until_end() == b"gr\xfcn6n"
    person.end()
