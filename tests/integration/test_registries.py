"""Another login of the same person may have another XDG_RUNTIME_DIR: what goes on there is known here."""

import json
import os
import signal
import time

import pytest


@pytest.fixture
def elsewhere(place):
    """The environment of another login."""
    folder = place.root / "runtime2"
    folder.mkdir(mode=0o700)
    yield {"XDG_RUNTIME_DIR": str(folder)}
    assert not (folder / "ringwall").exists(), "a run is still registered there"


def unswept(place):
    folder = place.state / "unswept"
    return [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]


def wait_until(happened, seconds=30):
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)
    assert happened()


def test_a_run_is_known_from_another_login(ringwall, place, elsewhere):
    run = ringwall.start("run", "--name", "first", "--", "sleep", "60")
    ringwall.wait_for_run("first")
    assert [one["name"] for one in json.loads(ringwall("ls", "--json", env=elsewhere).ok())] == ["first"]
    ringwall("run", "--name", "first", "--", "true", env=elsewhere).refused("a run named first is going on")
    assert ringwall("kill", "first", env=elsewhere).status == 0
    run.wait(30)
    assert ringwall("ls", "--json", env=elsewhere).ok() == "[]"
    assert ringwall("run", "--name", "first", "--", "true", env=elsewhere).status == 0


def test_names_that_are_made_are_not_those_of_another_login(ringwall, place, elsewhere):
    run = ringwall.start("run", "--", "sleep", "60")
    ringwall.wait_for_run("project-1")
    made = ringwall.sh("echo $RINGWALL_RUN; sleep 0.1", "--json", env=elsewhere)
    assert '"project-2"' in made.err and '"project-1"' not in made.err, made
    assert ringwall("stop", "project-1", env=elsewhere).status == 0
    run.wait(30)


@pytest.mark.parametrize("registry_is_lost", [False, True])
def test_a_living_run_is_not_swept_from_another_login(ringwall, place, elsewhere, registry_is_lost):
    """Even when nothing says where it is registered: its list is locked as long as it lives."""
    run = ringwall.start("run", "--name", "first", "--", "sleep", "60")
    pid = ringwall.wait_for_run("first")["pid"]
    wait_until(lambda: unswept(place))
    kept = unswept(place)
    if registry_is_lost:
        (place.state / "registries").unlink()
    other = place.home / "other"
    other.mkdir()
    assert ringwall("run", "--name", "second", "-w", other, "--", "true", env=elsewhere).status == 0
    assert unswept(place) == kept

    os.kill(pid, signal.SIGKILL)
    run.wait(30)
    (place.work / ".envrc").write_text("planted")
    swept = ringwall("run", "--name", "third", "-w", other, "--", "true", env=elsewhere)
    assert swept.status == 0 and "took away" in swept.err, swept
    assert not (place.work / ".envrc").exists() and unswept(place) == []
    ringwall("ls", "--json").ok()  # sweeps the registry here


def test_what_a_killed_run_left_is_told_in_few_lines(ringwall, place):
    run = ringwall.start("run", "--name", "first", "--", "sleep", "60")
    pid = ringwall.wait_for_run("first")["pid"]
    wait_until(lambda: unswept(place))
    os.kill(pid, signal.SIGKILL)
    run.wait(30)
    for number in range(25):
        (place.work / f"folder{number}").mkdir()
        (place.work / f"folder{number}/.envrc").write_text("planted")
    other = place.home / "other"
    other.mkdir()
    swept = ringwall("run", "-w", other, "--", "true")
    assert swept.status == 0 and swept.err.count("took away") == 11, swept
    assert "took away 15 more files that are protected, which a killed run had left" in swept.err
    assert not list(place.work.glob("*/.envrc"))
