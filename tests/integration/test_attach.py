"""Leaving a run and coming back, looking on, and what happens when one of a run's processes ends."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import GONE_SECONDS
from terminals import DETACH, at_terminal, quoted, run_at, shell, tmux, wait_until  # noqa: F401

ECHO = "echo up; while read x; do echo got $x; done; exit 9"


@pytest.fixture
def left(ringwall, run_at, place):
    """left(NAME, WORDS…): a run that was left by its person, and is ended after the test."""
    made = []

    def start(name, *words, until="up\r\n", **more):
        person = run_at("run", "--name", name, "--", *(words or ("sh", "-c", ECHO)), **more)
        made.append(name)
        person.expect(until)
        person.send(DETACH)
        person.expect("come back[^\n]*\n")
        assert person.process.wait(60) == 0
        return person

    yield start
    for name in made:
        end_run(ringwall, name)


def supervisor_of(ringwall, name):
    return next((run["pid"] for run in json.loads(ringwall("ls", "--json").out) if run["name"] == name), None)


def end_run(ringwall, name):
    if pid := supervisor_of(ringwall, name):
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: supervisor_of(ringwall, name) is None)


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def named(pids, name):
    return [pid for pid in pids if Path(f"/proc/{pid}/cmdline").read_text().rstrip(" \0") == name]


# Leaving and coming back.


def test_leave_and_come_back(ringwall, left, run_at):
    person = left("here")
    assert b"ringwall attach here" in person.seen and not person.is_raw()
    (run,) = json.loads(ringwall("ls", "--json").ok())
    assert run["name"] == "here" and run["terminal"] == "detached"
    again = run_at("attach", "here")
    again.expect("up\r*\n?")
    again.send("a\n")
    again.expect("got a\r\n")
    assert json.loads(ringwall("ls", "--json").ok())[0]["terminal"] == "attached"
    again.send(b"\x04")
    assert again.status() == 9


def test_leave_and_come_back_many_times(left, run_at):
    left("here")
    for i in range(5):
        again = run_at("attach", "here")
        again.send(f"{i}\n")
        again.expect(f"got {i}\r\n")
        again.send(DETACH)
        assert again.status() == 0


def test_a_left_run_goes_on_and_ends_by_itself(ringwall, left, place):
    left("here", "sh", "-c", "echo up; until test -e go; do sleep 0.01; done; echo done >done")
    (place.work / "go").touch()
    wait_until(lambda: supervisor_of(ringwall, "here") is None)
    assert (place.work / "done").read_text() == "done\n"


def test_other_keys_to_leave(left, run_at):
    left("here")
    for keys, typed in [("ctrl-a d", b"\x01d"), ("ctrl-x", b"\x18")]:
        again = run_at("attach", "--detach-keys", keys, "here")
        again.send(b"k\n")
        again.expect("got k\r\n")
        again.send(typed)
        assert again.status() == 0
    again = run_at("attach", "--detach-keys", "none", "here")
    again.send(b"k\n")
    again.expect("got k\r\n")
    again.send(DETACH)  # two times SIGQUIT
    assert again.status() == 131


@pytest.mark.parametrize("keys", ["", "ctrl-", "hyper-x", "ctrl-a  ", "\x1b"])
def test_keys_that_make_no_sense(ringwall, keys):
    ringwall("attach", "--detach-keys", keys, "here").refused()


WITH_CTRL_ITSELF = b"\x1b[57442;5u\x1b[92;5u\x1b[92;5:3u\x1b[57442;1:3u"
WITH_NUM_LOCK, OF_XTERM = b"\x1b[92;133u", b"\x1b[27;5;92~"


@pytest.mark.parametrize("key", [b"\x1b[92;5u\x1b[92;5:3u", WITH_CTRL_ITSELF, WITH_NUM_LOCK, OF_XTERM])
def test_keys_that_are_sent_as_sequences_leave_too(left, run_at, key):
    """A program that asked for them gets Ctrl-\\ as a sequence."""
    left("here")
    again = run_at("attach", "here")
    again.send(b"k\n")
    again.expect("got k\r\n")
    again.send(2 * key)
    assert again.status() == 0


def test_the_terminal_is_in_order_after_leaving(left, run_at):
    """The program inside goes on in raw mode and on its alternate screen."""
    draw = r"stty raw -echo; printf '\033[?1049h\033[?25l\033[?1000h\033[?2004hup\r\n'; exec sleep 60"
    person = left("here", "sh", "-c", draw)
    tail = person.seen[person.seen.index(b"up\r\n") :]
    for sequence in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l"):
        assert sequence in tail
    again = run_at("attach", "here")
    for sequence in (b"\x1b[?1049h", b"\x1b[?25l", b"\x1b[?1000h", b"\x1b[?2004h"):
        again.expect(re.escape(sequence)) and None
        again.at = 0
    again.send(DETACH)
    assert again.status() == 0


PROGRAMS = {
    "shell": (["bash", "--norc", "--noprofile"], r"\$", "printf '\\033[1;31mred\\033[m %s\\n' {1..30}\n", "red 30"),
    "vim": (["vim", "-u", "NONE", "-N", "-c", "syntax on", "text"], "line 1", "itext\x1b:set nu\r", "23 line 23"),
    "less": (["less", "text"], "line 1", "10j", "line 33"),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("size", [(24, 80), (50, 200)])
def test_the_screen_is_drawn_anew(ringwall, tmux, place, name, size):
    """What is seen after coming back is what was seen before leaving: text, colours and cursor."""
    words, first, keys, then = PROGRAMS[name]
    (place.work / "text").write_text("".join(f"line {i}\n" for i in range(1, 200)))
    pane = tmux.open(ringwall.command(["run", "--name", "here", "--", *words]), size)
    pane.expect(first)
    pane.type(keys)
    pane.expect(then if size[0] == 24 else "line 49|red 30|49 line 49")
    before = settled(pane)
    pane.keys("C-\\", "C-\\")
    pane.expect("ended 0")
    again = tmux.open(ringwall.command(["attach", "here"]), size)
    wait_until(lambda: again.screen() == before, 5, f"{before}\n--- became ---\n{again.screen()}")
    end_run(ringwall, "here")


def settled(pane):
    """A screen that did not change while it was looked at three times."""
    seen = [pane.screen()]

    def same():
        seen.append(pane.screen())
        time.sleep(0.05)
        return len(seen) > 3 and len(set(seen[-3:])) == 1

    wait_until(same)
    return seen[-1]


def test_a_window_of_another_size(left, run_at):
    """The program hears of it and can draw anew."""
    watch = "import os, signal\nsignal.signal(signal.SIGWINCH, lambda *_: os.write(1, b'%d %d\\n' % os.get_terminal_size()[::-1]))\nos.write(1, b'up\\n')\nwhile True: signal.pause()"
    left("here", "/usr/bin/python3", "-c", watch)
    again = run_at("attach", "here", size=(40, 132))
    again.expect("40 132\r\n")


# Programs ask the terminal also when nobody is there.

ASKS = """
import os, sys, termios, tty, select
os.write(1, b"up\\n")
tty.setraw(0)
while not os.path.exists("go"): select.select([], [], [], 0.01)
answers = []
for question in (b"\\x1b[c", b"\\x1b[5n", b"\\x1b[3;7H\\x1b[6n"):
    os.write(1, question)
    seen = b""
    while not seen.endswith((b"c", b"n", b"R")) and select.select([0], [], [], 3)[0]: seen += os.read(0, 100)
    answers.append(seen)
open("answers", "w").write(repr(answers))
"""


def test_questions_are_answered_while_nobody_is_there(left, place):
    left("here", "/usr/bin/python3", "-c", ASKS)
    (place.work / "go").touch()
    wait_until(lambda: (place.work / "answers").exists() and (place.work / "answers").read_text())
    attributes, status, cursor = eval((place.work / "answers").read_text())
    assert re.fullmatch(rb"\x1b\[\?[0-9;]+c", attributes) and status == b"\x1b[0n" and cursor == b"\x1b[3;7R"


# Several who look.


def test_who_watches_sees_and_types_nothing(run_at):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    watchers = [run_at("attach", "--watch", "here", size=(24 + i, 80 + i)) for i in range(3)]
    for watcher in watchers:
        watcher.expect("up")
        wait_until(watcher.is_raw)
        watcher.send("from the watcher\n")
    person.send("a\n")
    for who in (person, *watchers):
        who.expect("got a\r\n")
    person.send(b"\x04")
    assert person.status() == 9 and b"watcher" not in person.seen
    for watcher in watchers:
        assert watcher.status() == 9 and b"watcher" not in watcher.seen


@pytest.mark.parametrize("keys", [b"\x03", b"\x1b[99;5u", b"\x1b[27;5;99~", DETACH])
def test_who_watches_can_leave(run_at, keys):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    watcher = run_at("attach", "--watch", "here")
    watcher.expect("up")
    wait_until(watcher.is_raw)
    watcher.send(keys)
    assert watcher.status() == 0 and not watcher.is_raw()
    person.send("a\n")
    person.expect("got a\r\n")


def test_a_slow_watcher_holds_up_nobody(run_at):
    """And sees the end when he looks again."""
    person = run_at("run", "--name", "here", "--", "sh", "-c", "echo up; read x; seq 1 400000; echo last; read x")
    person.expect("up\r\n")
    watcher = run_at("attach", "--watch", "here")
    watcher.expect("up")
    person.send("\n")
    person.expect("last\r\n", 20)
    watcher.expect("last")
    assert len(watcher.seen) < len(person.seen)
    person.send("\n")
    assert person.status() == 0 and watcher.status() == 0


def test_a_watcher_who_is_killed_or_closes_his_window(run_at):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    for end in (lambda w: w.process.kill(), lambda w: w.hang_up()):
        watcher = run_at("attach", "--watch", "here")
        watcher.expect("up")
        end(watcher)
        watcher.process.wait(60)
        person.send("a\n")
        person.expect("got a\r\n")


def test_two_at_once(ringwall, run_at):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    second = run_at("attach", "here")
    out = second.until_end()
    assert second.status() == 125 and b"--watch" in out and b"--take" in out
    person.send("a\n")
    person.expect("got a\r\n")
    taker = run_at("attach", "--take", "here")
    taker.expect("got.*a")
    assert person.status() == 0 and b"here" in person.until_end() + person.seen and not person.is_raw()
    taker.send("b\n")
    taker.expect("got b\r\n")
    taker.send(b"\x04")
    assert taker.status() == 9


@pytest.fixture
def suspended(shell):
    """A person's shell with the run "here", stopped by Ctrl-Z."""
    person = shell()
    person.send(f"$rw run --name here -- sh -c '{ECHO}'\n")
    person.expect("up\r\n")
    person.send(b"\x1a")
    person.expect("Stopped.*%% ")
    return person


def test_who_takes_over_a_suspended_run_lets_it_go_on(suspended, run_at):
    taker = run_at("attach", "--take", "here")
    taker.send("b\n")
    taker.expect("got b\r\n")
    suspended.send("fg\n")
    suspended.expect("attach.*%% ")
    taker.send("c\n")
    taker.expect("got c\r\n")
    taker.send(b"\x04")
    assert taker.status() == 9


def test_who_looks_at_a_suspended_run_leaves_it_so(suspended, run_at):
    watcher = run_at("attach", "--watch", "here")
    watcher.expect("up")
    suspended.send("jobs\n")
    suspended.expect("jobs\r\n.*Stopped.*%% ")
    suspended.send("fg\n")
    wait_until(suspended.is_raw)
    suspended.send("a\n")
    suspended.expect("got a\r\n")
    watcher.expect("got a")


def test_many_take_it_from_each_other(ringwall, run_at):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    takers = [run_at("attach", "--take", "here") for _ in range(5)]
    wait_until(lambda: sum(taker.process.poll() is None for taker in [person, *takers]) == 1)
    (last,) = [taker for taker in takers if taker.process.poll() is None]
    last.send("z\n")
    last.expect("got z\r\n")
    last.send(b"\x04")
    assert last.status() == 9
    assert {taker.status() for taker in [person, *takers] if taker is not last} == {0}


# What cannot be attached.


def test_attach_to_what_is_not_there(run_at):
    run = run_at("attach", "nobody")
    out = run.until_end()
    assert run.status() == 125 and b"no run named nobody" in out


def test_attach_to_a_run_that_just_ended(ringwall, left, run_at):
    """Whatever the moment, it is one of two: shown to its end, or told that there is no such run."""
    for _ in range(3):
        left("here", "sh", "-c", "echo up; until test -e go; do :; done; exit 4")
        attached = run_at("attach", "here")
        (ringwall.place.work / "go").touch()
        assert attached.status() in (4, 125)
        (ringwall.place.work / "go").unlink()
        wait_until(lambda: supervisor_of(ringwall, "here") is None)


def test_attach_to_a_run_without_a_terminal(ringwall, run_at):
    process = ringwall.start("run", "--name", "plain", "--", "sh", "-c", "echo up; read x")
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("plain")
    for option in ([], ["--watch"], ["--take"]):
        run = run_at("attach", *option, "plain")
        out = run.until_end()
        assert run.status() == 125 and b"no terminal" in out
    process.communicate(b"\n", 60)
    assert process.returncode == 0


def test_attach_without_a_terminal(ringwall, left):
    left("here")
    ringwall("attach", "here").refused("no terminal")
    ringwall("attach", "--watch", "here").refused("no terminal")


# --detach.


@pytest.mark.parametrize("at", ["a terminal", "pipes"])
def test_start_and_leave(ringwall, run_at, detached, at):
    words = ("run", "--detach", "--name", "here", "--", "sh", "-c", "stty size; tty; " + ECHO)
    if at == "pipes":
        detached(*words)
    else:
        run = run_at(*words, size=(33, 99))
        assert run.until_end() == b"here\r\n" and run.status() == 0
    again = run_at("attach", "here", size=(33, 99))
    again.expect("33.*99" if at == "a terminal" else "24.*80")
    again.expect("/dev/pts/0.*up")
    again.send("a\n")
    again.expect("got a\r\n")
    again.send(b"\x04")
    assert again.status() == 9


@pytest.fixture
def detached(ringwall):
    """detached(WORDS…): starts a run that is left at once; gives the process that started it."""
    made = []

    def start(*words, **options):
        made.append(ringwall.start(*words, **options))
        assert made[-1].wait(60) == 0
        return made[-1]

    yield start
    end_run(ringwall, "here")
    for process in made:
        process.communicate(timeout=120)


def test_who_starts_and_leaves_keeps_nothing_of_the_caller(detached):
    """name=$(ringwall run -d …) returns: its pipes are closed when it ends."""
    process = detached("run", "--detach", "--name", "here", "--", "sleep", "60")
    assert process.communicate(timeout=120) == (b"here\n", b"")


def test_start_and_leave_of_what_cannot_start(ringwall):
    ringwall("run", "--detach", "--", "./nothing").refused("./nothing", status=127)
    ringwall("run", "--detach", "--ro", "/nothing/here", "--", "true").refused("/nothing/here")


def test_a_run_that_was_left_lets_go_of_the_terminal(left):
    """Who had it is not kept waiting for its last descriptor, as ssh would be."""
    person = left("here")
    person.until_end(3)


# One of the processes ends.


@pytest.mark.alone
@pytest.mark.parametrize("way", ["KILL", "HUP", "closed window"])
def test_the_run_ends_with_its_front_end(run_at, place, way):
    person = run_at("run", "--", "sh", "-c", "trap '' HUP; echo up; sleep 60")
    person.expect("up\r\n")
    start = time.monotonic()
    if way == "closed window":
        person.hang_up()
    else:
        os.kill(person.pid, getattr(signal, f"SIG{way}"))
    person.process.wait(60)
    place.wait_until_gone(GONE_SECONDS - (time.monotonic() - start))


@pytest.mark.alone
def test_an_attached_front_end_that_dies_ends_the_run_too(ringwall, left, run_at, place):
    left("here")
    again = run_at("attach", "here")
    again.send("a\n")
    again.expect("got a\r\n")
    start = time.monotonic()
    os.kill(again.pid, signal.SIGKILL)
    again.process.wait()
    place.wait_until_gone(GONE_SECONDS - (time.monotonic() - start))


def test_the_window_in_which_it_was_left_may_be_closed(ringwall, shell, run_at, place):
    person = shell()
    person.send(f"$rw run --name here -- sh -c '{ECHO}'\n")
    person.expect("up\r\n")
    person.send(DETACH)
    person.expect("%% ")
    person.hang_up()
    person.process.wait(60)
    again = run_at("attach", "here")
    again.send("a\n")
    again.expect("got a\r\n")
    again.send(b"\x04")
    assert again.status() == 9


DRAWS = r"stty raw -echo; printf '\033[?1049h\033[?25l\033[?1000h\033[?1006h\033[?2004h\033[>1u\033[?5h\033[20h\033]8;;https://a.example\007up\r\n'; exec sleep 60"


def in_order(person, before):
    """The terminal of a person whose full-screen program died."""
    tail = person.seen[person.seen.index(b"up\r\n") :]
    assert re.search(rb"\x1b\[\?(1049|1047)l", tail), tail
    for sequence in (b"\x1b[?25h", b"\x1b[?5l", b"\x1b[20l", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b]8;;\x1b\\"):
        assert sequence in tail, tail
    assert re.search(rb"\x1b\[<\d*u|\x1b\[=0", tail), tail
    assert person.modes() == before
    return tail


@pytest.mark.parametrize("victim", ["supervisor", "relay", "pid 1", "the program"])
def test_a_killed_process_leaves_the_terminal_in_order(ringwall, shell, place, victim):
    person = shell()
    before = person.modes()
    person.send(f'$rw run -- sh -c "{DRAWS}"\n')
    person.expect(r"\n.*up\r\n")
    (front_end,) = children_of(person.pid)
    (supervisor,) = children_of(front_end)
    (relay,) = named(children_of(supervisor), "ringwall-relay")
    (init,) = named(children_of(supervisor), "ringwall-init")
    (program,) = children_of(init)
    victims = {"supervisor": supervisor, "relay": relay, "pid 1": init, "the program": program}
    os.kill(victims[victim], signal.SIGKILL)
    person.expect("%% ")
    tail = in_order(person, before)
    if victim != "the program":
        assert b"ringwall:" in tail.replace(b"\x1b[1m", b"")
    person.send("echo status $?\n")
    person.expect("status 137" if victim == "the program" else "status 125")
    assert ringwall("ls").ok() == ""  # and sweeps what SIGKILL left


def test_the_name_is_free_again_after_the_supervisor_was_killed(ringwall, run_at, place):
    person = run_at("run", "--name", "here", "--", "sh", "-c", "echo up; exec sleep 60")
    person.expect("up\r\n")
    os.kill(supervisor_of(ringwall, "here"), signal.SIGKILL)
    assert person.status(3) == 125
    place.wait_until_gone()
    again = run_at("run", "--name", "here", "--", "true")
    assert again.status() == 0


def init_of(ringwall, name):
    (init,) = named(children_of(supervisor_of(ringwall, name)), "ringwall-init")
    return init


def test_attach_started_in_the_back(left, shell):
    """It stops, as anything that wants the terminal, and fg brings it to the front."""
    left("here")
    person = shell()
    person.send("$rw attach here &\n")
    person.expect("%% ")
    wait_until(lambda: person.send("jobs\n") or b"Stopped" in person.expect("jobs\r\n.*%% ").group())
    person.send("fg\n")
    person.expect("rw attach")
    wait_until(person.is_raw)
    person.send("b\n")
    person.expect("got b")


def test_a_watcher_survives_a_stop(shell, run_at):
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    looker = shell()
    looker.send("$rw attach --watch here\n")
    looker.expect("\n.*up")
    wait_until(looker.is_raw)
    (watcher,) = [int(word) for word in Path(f"/proc/{looker.pid}/task/{looker.pid}/children").read_text().split()]
    os.kill(watcher, signal.SIGSTOP)
    looker.expect("Stopped.*%% ")
    looker.send("fg\n")
    looker.expect("rw attach")
    wait_until(looker.is_raw)
    person.send("a\n")
    looker.expect("got a\r\n")
    looker.send(b"\x03")
    looker.expect("%% ")
