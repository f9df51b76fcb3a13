"""A run that is paused stands still until it is resumed, and who comes to it is told why nothing happens."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from test_attach import ECHO, children_of, init_of, left  # noqa: F401
from terminals import DETACH, at_terminal, run_at, shell, started, wait_until  # noqa: F401


def states_inside(place, init):
    """The states of everything below pid 1."""
    states, todo = [], children_of(init)
    while todo:
        pid = todo.pop()
        todo += children_of(pid)
        states.append(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0])
    return states


MANY = """
import os, sys, time
for kind in range(5):
    if os.fork() == 0:
        if kind == 1: os.setsid()
        if kind == 2: os.setpgid(0, 0)
        while True: time.sleep(0.01)
print("up", flush=True)
n = 0
while True:
    n += 1
    open("count", "w").write(str(n))
    time.sleep(0.01)
"""


@pytest.mark.parametrize("where", ["attached", "detached"])
def test_pause_and_resume(ringwall, run_at, left, place, where):
    if where == "attached":
        run_at("run", "--name", "here", "--", "/usr/bin/python3", "-c", MANY).expect("up\r\n")
    else:
        left("here", "/usr/bin/python3", "-c", MANY)
    init = init_of(ringwall, "here")
    wait_until((place.work / "count").exists)
    ringwall("pause", "here").ok()
    wait_until(lambda: set(states_inside(place, init)) == {"T"})
    assert len(states_inside(place, init)) == 6
    assert json.loads(ringwall("ls", "--json").ok())[0]["paused"] is True
    count = (place.work / "count").read_text()
    again = ringwall("pause", "here")
    assert again.status == 0 and again.err == "ringwall: here is paused already\n"
    ringwall("resume", "here").ok()
    wait_until(lambda: "T" not in states_inside(place, init))
    wait_until(lambda: (place.work / "count").read_text() not in ("", count))
    assert json.loads(ringwall("ls", "--json").ok())[0]["paused"] is False
    again = ringwall("resume", "here")
    assert again.status == 0 and again.err == "ringwall: here is not paused\n"


def test_a_paused_run_stays_in_front(ringwall, run_at):
    """A pause is no Ctrl-Z: the person's shell does not get the terminal."""
    person = run_at("run", "--name", "here", "--", "sh", "-c", ECHO)
    person.expect("up\r\n")
    ringwall("pause", "here").ok()
    person.send("while paused\n")
    assert person.process.poll() is None and person.is_raw()
    ringwall("resume", "here").ok()
    person.expect("got while paused\r\n")
    ringwall("pause", "here").ok()
    os.kill(person.pid, signal.SIGTERM)
    assert person.status(3) == 143


def test_nothing_is_started_in_a_paused_run(ringwall, run_at, place):
    """It would run while everybody is told that nothing does."""
    run_at("run", "--name", "here", "--", "/usr/bin/python3", "-c", MANY).expect("up\r\n")
    init = init_of(ringwall, "here")
    ringwall("pause", "here").ok()
    wait_until(lambda: set(states_inside(place, init)) == {"T"})
    ringwall("exec", "here", "--", "echo", "RAN").refused("is paused", "ringwall resume here")
    person = run_at("exec", "here", "--", "echo", "RAN")
    assert person.status() == 125 and b"ringwall resume here" in person.seen and b"RAN" not in person.seen
    assert set(states_inside(place, init)) == {"T"}
    ringwall("resume", "here").ok()
    assert ringwall("exec", "here", "--", "echo", "a look", timeout=120).ok() == "a look"
    wait_until(lambda: "T" not in states_inside(place, init))


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_pause_of_what_is_not_there(ringwall, command):
    ringwall(command, "nobody").refused("nobody")


@pytest.mark.parametrize("flags", [(), ("--watch",)])
def test_who_attaches_to_a_paused_run_is_told(ringwall, started, run_at, place, flags):
    script = "echo up; touch up; while read x; do echo got $x; done"
    started("sh", "-c", script)
    wait_until((place.work / "up").exists)
    ringwall("pause", "here").ok()
    person = run_at("attach", *flags, "here")
    person.expect("2J.*up.*here is paused; let it go on: ringwall resume here")
    ringwall("resume", "here").ok()
    if not flags:
        person.send("typed\n")
        person.expect("got typed")
    person.send(b"\x03" if flags else DETACH)
    assert person.status(3) == 0
    person = run_at("attach", *flags, "here")
    person.expect("2J.*up")
    person.send(b"\x03" if flags else DETACH)
    assert b"paused" not in person.until_end()


def test_a_pause_that_changes_nothing_says_so(ringwall, started):
    started("sleep", "60")
    for command, told in (
        ("resume", "ringwall: here is not paused\n"),
        ("pause", ""),
        ("pause", "ringwall: here is paused already\n"),
        ("resume", ""),
    ):
        done = ringwall(command, "here")
        assert (done.status, done.err) == (0, told), command


WAITS_IN_VFORK = """
import ctypes, os, signal, threading, time

def count():
    while ") D " not in open("/proc/self/stat").read(): time.sleep(0.001)
    for i in range(10**9):
        with open("count", "w") as file: file.write(str(i))
        time.sleep(0.001)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the stop of the child must not wake anybody
os.mkfifo("never")
threading.Thread(target=count, daemon=True).start()
libc = ctypes.CDLL(None)
actions, pid = ctypes.create_string_buffer(256), ctypes.c_int()
libc.posix_spawn_file_actions_init(actions)
libc.posix_spawn_file_actions_addopen(actions, 0, b"never", os.O_RDONLY, 0)
words = (ctypes.c_char_p * 2)(b"/bin/true", None)
libc.posix_spawn(ctypes.byref(pid), words[0], actions, None, words, (ctypes.c_char_p * 1)(None))
"""


def test_threads_stop_while_the_first_one_sleeps_in_vfork(ringwall, started, place):
    """It would be given the signal, and not take it before its child has come to an end."""
    started("/usr/bin/python3", "-c", WAITS_IN_VFORK)
    count = place.work / "count"
    wait_until(count.exists)
    for _ in range(4):
        before = count.read_text()
        wait_until(lambda: count.read_text() not in ("", before))
        ringwall("pause", "here").ok()
        time.sleep(0.05)
        stands = count.read_text()
        time.sleep(0.1)
        assert count.read_text() == stands
        ringwall("resume", "here").ok()


COUNT = "i=0; while :; do i=$((i + 1)); echo $i >>{name}; sleep 0.01; done"


def wait_until_still(*files):
    """Until nothing is written to them any more; a count that goes on is seen within this time."""

    def is_still():
        before = [file.read_bytes() for file in files]
        time.sleep(0.3)
        return [file.read_bytes() for file in files] == before

    wait_until(is_still, what=f"an end of {files}")


@pytest.mark.parametrize("who", ["run", "exec"])
def test_a_signal_to_go_on_lifts_no_pause(ringwall, place, who):
    """Sent to the run itself, or to one who started a further command in it."""
    run = ringwall.start("run", "--name", "here", "--", "sh", "-c", COUNT.format(name="main"))
    further = None
    main, other = place.work / "main", place.work / "other"
    try:
        wait_until(main.exists)
        further = ringwall.start("exec", "here", "--", "sh", "-c", COUNT.format(name="other"))
        wait_until(other.exists)
        ringwall("pause", "here").ok()
        (run if who == "run" else further).send_signal(signal.SIGCONT)
        ringwall("inspect", "here").ok()
        wait_until_still(main, other)
        ringwall("resume", "here").ok()
        for file in (main, other):
            before = file.read_bytes()
            wait_until(lambda: file.read_bytes() != before)
    finally:
        # Whoever stands is let go on to end.
        ringwall("pause", "here")
        run.terminate()
        assert run.wait(60) == 143
        if further:
            further.wait(60)


def test_a_command_stopped_by_a_signal_goes_on_by_one(ringwall, place):
    run = ringwall.start("run", "--name", "here", "--", "sh", "-c", COUNT.format(name="main"))
    main = place.work / "main"
    try:
        wait_until(main.exists)
        ringwall("exec", "here", "--", "pkill", "-STOP", "-x", "sh").ok()
        ringwall("pause", "here").ok()
        run.send_signal(signal.SIGCONT)  # it takes effect when the pause is over
        ringwall("inspect", "here").ok()
        wait_until_still(main)
        ringwall("resume", "here").ok()
        before = main.read_bytes()
        wait_until(lambda: main.read_bytes() != before)
    finally:
        run.terminate()
        run.wait(60)


STARTS_ANOTHER = """
import ctypes, os, signal, time

def start(*_):
    if os.path.exists("woken"): return
    open("woken", "w").close()
    if os.fork(): return
    while True:
        with open("count", "a") as file: file.write("x")
        time.sleep(0.01)

signal.signal(signal.SIGCONT, start)
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int), ("rest", ctypes.c_char * 48)]
libc, event = ctypes.CDLL(None), Event(signo=signal.SIGCONT)
for seconds in (1, 2):
    timer = ctypes.c_void_p()
    assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) == 0
    assert libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, seconds, 0), None) == 0
open("set", "w").close()
while True: time.sleep(0.001)
"""


def test_who_is_started_by_one_that_wakes_itself_is_stopped_too(ringwall, started, place):
    started("/usr/bin/python3", "-c", STARTS_ANOTHER)
    wait_until((place.work / "set").exists)
    ringwall("pause", "here").ok()
    # It may be stopped again before its handler has run.
    end = time.monotonic() + 4
    wait_until(lambda: (place.work / "woken").exists() or time.monotonic() > end)
    count = place.work / "count"
    count.touch()
    wait_until_still(count)


@pytest.fixture
def suspended(shell, place):
    """A person's shell with the run "here", stopped by Ctrl-Z, and the file in which it counts."""
    person = shell()
    person.send(f"$rw run --name here -- sh -c '{COUNT.format(name='main')}'\n")
    main = place.work / "main"
    wait_until(main.exists)
    person.send(b"\x1a")
    person.expect("Stopped.*%% ")
    return person, main


@pytest.mark.parametrize("command", ["fg", "bg"])
def test_what_is_brought_back_in_a_pause_goes_on_after_it(ringwall, suspended, command):
    person, main = suspended
    ringwall("pause", "here").ok()
    person.send(f"{command}\n")
    person.expect(f"{command}\r\n.*run --name here")
    wait_until_still(main)
    ringwall("resume", "here").ok()
    before = main.read_bytes()
    wait_until(lambda: main.read_bytes() != before)
    ringwall("kill", "here").ok()


def test_what_was_suspended_before_a_pause_stays_so_after_it(ringwall, suspended):
    person, main = suspended
    ringwall("pause", "here").ok()
    ringwall("resume", "here").ok()
    wait_until_still(main)
    before = main.read_bytes()
    person.send("fg\n")
    wait_until(lambda: main.read_bytes() != before)
    ringwall("kill", "here").ok()
