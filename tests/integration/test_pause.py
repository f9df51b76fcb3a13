"""Who comes to a run that stands still is told why nothing happens."""

import time

import pytest
from terminals import DETACH, at_terminal, run_at, started, wait_until  # noqa: F401


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
