"""Terminals for the tests: a pty with a person's side, and a tmux that shows screens.

Nothing here waits for luck: every wait is for something to be seen, and has an end.
"""

import fcntl
import json
import os
import re
import select
import shlex
import signal
import struct
import subprocess
import termios
import time

import pytest

PATIENCE = 60
DETACH = b"\x1c\x1c"  # Ctrl-\ Ctrl-\
FULL_SCREEN = {"TERM": "xterm-256color"}


def wait_until(happened, seconds=PATIENCE, what="what was waited for"):
    """What `happened` gives, as soon as it is true."""
    end = time.monotonic() + seconds
    while not (seen := happened()):
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.01)
    return seen


def state_of(pid):
    """What /proc says of it from its state on; empty if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_running(pid):
    """Not for one that has ended and is not waited for yet: an orphan's new parent may take its time."""
    return state_of(pid)[:1] not in ([], ["Z"], ["X"])


def has_keyboard(place, words):
    """Whether a process of the test with these words is in front at its terminal; a shell says so before it is."""
    for pid in place.processes():
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as line:
                found = line.read().split(b"\0")[:-1] == [word.encode() for word in words]
        except (FileNotFoundError, ProcessLookupError):
            continue
        state = state_of(pid)
        if found and state and state[2] == state[5]:
            return True
    return False


class Terminal:
    """A terminal of a person, with one command that has it as controlling terminal.

    `stdin`, `stdout` and `stderr` may be something else than the terminal.
    """

    def __init__(self, command, *, cwd, env, size=(24, 80), controlling=True, **stdio):
        self.master, slave = os.openpty()
        self.seen = b""  # everything
        self.at = 0      # behind what was expected last
        self.resize(*size)
        streams = {name: stdio.get(name, slave) for name in ("stdin", "stdout", "stderr")}

        def take():
            os.setsid()
            if controlling:
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*map(str, command)], cwd=cwd, env=env, preexec_fn=take, **streams
        )
        self.pid = self.process.pid
        os.close(slave)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def modes(self):
        return termios.tcgetattr(self.master)

    def is_raw(self):
        return not self.modes()[3] & termios.ICANON

    def in_front(self):
        """Which process group has the keyboard."""
        return os.tcgetpgrp(self.master)

    def send(self, data):
        data = data.encode() if isinstance(data, str) else data
        while data:
            data = data[os.write(self.master, data) :]

    def read(self, seconds=0.0):
        """What is there to be read, waiting so long for the first byte; None at the end."""
        if not select.select([self.master], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.master, 65536)
        except OSError:  # nobody has the terminal open any more
            return None
        self.seen += data
        return data or None

    def expect(self, pattern, seconds=PATIENCE):
        """The match of this in what was not expected yet."""
        pattern = pattern.encode() if isinstance(pattern, str) else pattern
        end = time.monotonic() + seconds
        while not (match := re.compile(pattern, re.DOTALL).search(self.seen, self.at)):
            left = end - time.monotonic()
            assert left > 0, f"no {pattern!r} in {self.seen[self.at:][-3000:]!r}"
            assert self.read(left) is not None, f"no {pattern!r} until the end: {self.seen[self.at:][-3000:]!r}"
        self.at = match.end()
        return match

    def until_end(self, seconds=PATIENCE):
        """Everything up to the end that was not expected yet."""
        end = time.monotonic() + seconds
        while self.read(max(0.0, end - time.monotonic())) is not None:
            assert time.monotonic() < end, f"no end: {self.seen[-3000:]!r}"
        rest, self.at = self.seen[self.at :], len(self.seen)
        return rest

    def status(self, seconds=PATIENCE):
        """As a shell has it in $?."""
        self.until_end(seconds)
        code = self.process.wait(seconds)
        return code if code >= 0 else 128 - code

    def hang_up(self):
        """The window is closed."""
        if self.master >= 0:
            os.close(self.master)
        self.master = -1

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.hang_up()
        self.process.wait()


class Tmux:
    """A tmux of one test; each pane is a terminal of its own, shown by another implementation."""

    def __init__(self, place):
        self.place = place
        self.names = 0
        self.socket = str(place.root / "tmux")

    def __call__(self, *words, check=True):
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self.socket, *map(str, words)],
            capture_output=True,
            cwd=self.place.work,
            env=self.place.environment({"TERM": "xterm-256color", "SHELL": "/bin/bash"}),
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout.decode()

    def open(self, command, size=(24, 80)):
        self.names += 1
        pane = Pane(self, f"p{self.names}")
        text = command if isinstance(command, str) else shlex.join(map(str, command))
        # The pane stays when the command ends, so that its last screen can be seen: also if another
        # Ctrl-C was on its way.
        text += '; status=$?; trap "" INT; echo "ended $status"; exec sleep 1000'
        self("new-session", "-d", "-s", pane.name, "-x", size[1], "-y", size[0], text, ";",
             "set-option", "-g", "status", "off", ";",
             "set-option", "-g", "default-terminal", "tmux-256color", ";", "set-option", "-g", "escape-time", "0")
        pane.resize(*size)
        return pane


def size_of(terminal):
    descriptor = os.open(terminal, os.O_RDONLY | os.O_NOCTTY)
    try:
        return tuple(os.get_terminal_size(descriptor))[::-1]
    finally:
        os.close(descriptor)


class Pane:
    def __init__(self, tmux, name):
        self.tmux = tmux
        self.name = name

    def keys(self, *keys):
        self.tmux("send-keys", "-t", self.name, *keys)

    def type(self, text):
        self.tmux("send-keys", "-t", self.name, "-l", text)

    def resize(self, rows, columns):
        """Returns when the terminal has this size: tmux lets a second change wait for a while."""
        self.tmux("resize-window", "-t", self.name, "-x", columns, "-y", rows)
        terminal = self.tmux("display-message", "-t", self.name, "-p", "#{pane_tty}").strip()
        wait_until(lambda: size_of(terminal) == (rows, columns), what=f"the size {rows}x{columns}")

    def screen(self):
        """Text, colours and cursor, as a person sees them."""
        facts = "#{cursor_x},#{cursor_y} shown=#{cursor_flag} alternate=#{alternate_on} mouse=#{mouse_any_flag}"
        seen = self.tmux(
            "capture-pane", "-t", self.name, "-p", "-e", ";", "display-message", "-t", self.name, "-p", facts
        )
        return "\n".join(as_seen(seen))

    def text(self):
        return self.tmux("capture-pane", "-t", self.name, "-p")

    def expect(self, pattern):
        return wait_until(lambda: re.search(pattern, self.text()), what=f"{pattern!r} on {self.text()}")


def as_seen(text):
    """Lines with their colours spelt one way: who draws a blank in red draws a blank."""
    attributes = {}
    for line in text.split("\n"):
        shown, last = [], {}
        for code, character in re.findall(r"\x1b\[([\d;:]*)m|(.)", line):
            if not character:
                apply_colours(attributes, code)
                continue
            look = attributes
            if character == " " and not {"4", "7", "9"} & set(attributes):
                look = {key: value for key, value in attributes.items() if key == "background"}
            if look != last:
                shown.append(f"<{' '.join(sorted(map(str, look.items())))}>")
                last = dict(look)
            shown.append(character)
        yield "".join(shown).rstrip()


def apply_colours(attributes, code):
    numbers = re.split("[;:]", code or "0")
    while numbers:
        number = numbers.pop(0)
        value = int(number or 0)
        if value == 0:
            attributes.clear()
        elif value in (38, 48):
            length = 4 if numbers[0] == "2" else 2
            attributes["colour" if value == 38 else "background"], numbers = numbers[:length], numbers[length:]
        elif value in (39, 49):
            attributes.pop("colour" if value == 39 else "background", None)
        elif 30 <= value <= 37 or 90 <= value <= 97:
            attributes["colour"] = [number]
        elif 40 <= value <= 47 or 100 <= value <= 107:
            attributes["background"] = [number]
        elif 20 < value < 30:
            for gone in {22: "12", 24: "4"}.get(value, str(value - 20)):
                attributes.pop(gone, None)
        else:
            attributes[number] = True


@pytest.fixture
def at_terminal(place):
    """at_terminal(COMMAND…, size=, env=): that command at a terminal of its own."""
    made = []

    def start(*command, env=None, cwd=None, **more):
        values = place.environment({**FULL_SCREEN, **(env or {})})
        made.append(Terminal(command, cwd=cwd or place.work, env=values, **more))
        return made[-1]

    yield start
    for terminal in made:
        terminal.end()


@pytest.fixture
def run_at(ringwall, at_terminal):
    """run_at(ARGUMENTS…): Ringwall at a terminal."""

    def start(*args, **more):
        return at_terminal(*ringwall.command(args), **more)

    return start


@pytest.fixture
def shell(at_terminal, ringwall):
    """A person's shell with job control; its prompt is "%% ", and $rw is Ringwall."""

    def start(**more):
        env = {"PS1": "%% ", "rw": ringwall.command([])[0]}
        terminal = at_terminal("bash", "--norc", "--noprofile", "--noediting", "-i", env=env, **more)
        terminal.expect("%% ")
        return terminal

    return start


@pytest.fixture
def started(ringwall):
    """started(WORDS…, flags=): the supervisor of a run "here" that nobody looks at; it is ended after the test."""
    pids = []

    def start(*words, flags=()):
        ringwall("run", "-d", "--name", "here", *flags, "--", *words).ok()
        (run,) = json.loads(ringwall("ls", "--json").ok())
        pids.append(run["pid"])
        return run["pid"]

    yield start
    for pid in pids:
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    wait_until(lambda: ringwall("ls").out == "")


@pytest.fixture
def tmux(place):
    made = Tmux(place)
    yield made
    made("kill-server", check=False)


def quoted(ringwall, *args):
    return shlex.join(ringwall.command(args))
