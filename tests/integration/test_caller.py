"""What the caller brings along besides files: ignored signals, masks, a runtime folder, deep trees."""

import os
import signal
import subprocess

import pytest


def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def test_a_caller_who_ignores_sigchld_gets_the_status(place, ringwall):
    process = subprocess.run(
        [place.named(os.environ["RINGWALL_BIN"]), "run", "--", "sh", "-c", "exit 5"],
        cwd=place.work, env=place.environment(), preexec_fn=ignore_children, timeout=120)
    assert process.returncode == 5


def test_a_mask_that_forbids_everything_breaks_nothing(place, ringwall):
    process = subprocess.run(
        [place.named(os.environ["RINGWALL_BIN"]), "run", "--", "sh", "-c", "umask; ls /etc/passwd"],
        cwd=place.work, env=place.environment(), preexec_fn=lambda: os.umask(0o777),
        capture_output=True, timeout=120)
    assert process.returncode == 0, process
    # The command has the caller's mask, the folders it finds have modes of their own.
    assert process.stdout.split() == [b"0777", b"/etc/passwd"]


def own_shared_memory():
    return {entry.name for entry in os.scandir("/dev/shm") if entry.stat(follow_symlinks=False).st_uid == os.getuid()}


def test_without_a_runtime_folder_nothing_is_left(place, ringwall):
    before = own_shared_memory()
    for _ in range(2):
        process = subprocess.run(
            [place.named(os.environ["RINGWALL_BIN"]), "run", "--", "true"], cwd=place.work,
            env=place.environment({"XDG_RUNTIME_DIR": None}), timeout=120)
        assert process.returncode == 0
    assert own_shared_memory() <= before


ALLOWED = "import os; print(*sorted(os.sched_getaffinity(0)))"


@pytest.mark.parametrize("number", [None, 1, 2])
def test_the_command_may_use_the_callers_processors(place, ringwall, number):
    """The start moves what it starts beside itself to another one for a moment."""
    mine = sorted(os.sched_getaffinity(0))[:number]
    for argv in (["/usr/bin/python3", "-c", ALLOWED], ["sh", "-c", "exec /usr/bin/python3 -c \"$0\"", ALLOWED]):
        process = subprocess.run(
            [place.named(os.environ["RINGWALL_BIN"]), "run", "--", *argv], cwd=place.work, env=place.environment(),
            preexec_fn=lambda: os.sched_setaffinity(0, mine), capture_output=True, text=True, timeout=120)
        assert process.stdout.split() == [str(one) for one in mine], process
