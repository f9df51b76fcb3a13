"""A pytest plugin: suites of different users run side by side, but some tests want the host for themselves.

A test marked `alone` measures time, counts what is on the whole host, or keeps every processor busy: it waits until no
other test runs, and no other begins until it has ended. That holds for every suite on this host, whoever runs it. One
marked `waiting` does nothing but wait, for long: it disturbs nobody, and nobody waits for it.

What failed beside others is listed for run_pytest.sh, which tries it once more by itself (docs/decisions/0022).

A suite that would end long after all others is run in parts, side by side: RINGWALL_PART=2/3 runs the second of three, of
whole files, as evenly as their numbers of tests allow. Parts leave out what is marked `alone`: each such test would have all
others wait, so they come in a row when the parts have ended, with RINGWALL_PART=alone.
"""

import collections
import contextlib
import fcntl
import os
import time

import pytest

# Folders that everybody can open, and so lock: nothing has to be made for it, or removed.
ROOM = "/tmp"
DOOR = "/var/tmp"  # held by who waits for the room, so that nobody overtakes
PART = os.environ.get("RINGWALL_PART")
FAILED_LIST = os.environ.get("RINGWALL_FAILED_LIST")  # where those that failed are named
ALL_ALONE = "RINGWALL_TESTS_ALONE" in os.environ
PATIENCE = 120.0  # seconds; after that a test goes on, since somebody else's may hang


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: runs while no other test does")
    config.addinivalue_line("markers", "waiting: runs at any time")


def share_out(sizes, parts):
    """Which part each file belongs to: the largest first, each to the part that has least."""
    loads = [0] * parts
    part_of = {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
        part_of[name] = loads.index(min(loads))
        loads[part_of[name]] += sizes[name]
    return part_of


def pytest_collection_modifyitems(config, items):
    if not PART or ALL_ALONE:
        return
    chosen = [item for item in items if bool(item.get_closest_marker("alone")) == (PART == "alone")]
    if PART != "alone":
        part, parts = map(int, PART.split("/"))
        part_of = share_out(collections.Counter(str(item.path) for item in chosen), parts)
        chosen = [item for item in chosen if part_of[str(item.path)] == part - 1]
    config.hook.pytest_deselected(items=list(set(items) - set(chosen)))
    items[:] = chosen


@contextlib.contextmanager
def locked(folder, kind, deadline):
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(lock, kind | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.02)
        yield
    finally:
        os.close(lock)


@contextlib.contextmanager
def turn(alone):
    deadline = time.monotonic() + PATIENCE
    with contextlib.ExitStack() as room:
        with locked(DOOR, fcntl.LOCK_EX, deadline):
            room.enter_context(locked(ROOM, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, deadline))
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    if item.get_closest_marker("waiting"):
        yield
        return
    with turn(ALL_ALONE or item.get_closest_marker("alone") is not None):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if report.failed and FAILED_LIST:
        with open(FAILED_LIST, "a") as failed:
            print(f"{item.path}::{item.nodeid.partition('::')[2]}", file=failed)
