"""ringwall run --cast: what is recorded cannot be undone from inside, and does not fill the disk."""

import json
import os

import pytest
from terminals import at_terminal, run_at  # noqa: F401


@pytest.fixture
def elsewhere(place):
    """A folder that the run cannot see."""
    folder = place.root / "casts"
    folder.mkdir()
    return folder


def shown(path):
    lines = path.read_text().splitlines()
    events = map(json.loads, lines[1:])
    return "".join(text for _, kind, text in events if kind == "o")


def test_a_recording_is_made(run_at, elsewhere):
    run = run_at("run", "--cast", elsewhere / "a.cast", "--", "echo", "recorded")
    assert run.status() == 0
    assert shown(elsewhere / "a.cast") == "recorded\r\n"
    assert (elsewhere / "a.cast").stat().st_mode & 0o777 == 0o600


def test_a_recording_has_a_limit(ringwall, run_at, elsewhere):
    """A bell takes six bytes of a recording: a run could fill the disk with it."""
    script = "head -c 3000000 /dev/zero | tr '\\0' '\\007'; echo goes on"
    run = run_at("run", "--name", "here", "--cast", elsewhere / "a.cast", "--cast-size", "256K", "--", "sh", "-c", script)
    output = run.until_end()
    assert b"goes on" in output and run.status() == 0
    assert output.count(b"has filled its recording, which ends here: it may have 256K") == 1
    assert b"--cast-size" in output
    assert 100_000 < (elsewhere / "a.cast").stat().st_size <= 256 << 10
    assert set(shown(elsewhere / "a.cast")) == {"\a"}  # every line is whole
    assert ringwall("replay", elsewhere / "a.cast").status == 0


def test_the_limit_is_told_to_programs_too(run_at, elsewhere):
    script = "head -c 300000 /dev/zero | tr '\\0' '\\007'"
    run = run_at("run", "--json", "--cast", elsewhere / "a.cast", "--cast-size", "64K", "--", "sh", "-c", script)
    events = [json.loads(line) for line in run.until_end().replace(b"\a", b"").splitlines() if line.startswith(b"{")]
    (limit,) = [event for event in events if event["event"] == "limit_reached"]
    assert (limit["limit"], limit["then"], limit["flag"]) == ("recording", "refused", "--cast-size")


def test_the_limit_can_be_lifted(run_at, elsewhere):
    script = "head -c 300000 /dev/zero | tr '\\0' '\\007'"
    run = run_at("run", "--cast", elsewhere / "a.cast", "--cast-size", "none", "--", "sh", "-c", script)
    assert b"recording" not in run.until_end()
    assert len(shown(elsewhere / "a.cast")) == 300000


@pytest.mark.parametrize("name", ["a.cast", "sub/a.cast", "link/a.cast", "{granted}/a.cast", "{granted}/sub/../a.cast"])
def test_not_where_the_run_could_empty_it(ringwall, run_at, place, name):
    granted = place.root / "granted"
    for folder in (place.work / "sub", granted / "sub"):
        folder.mkdir(parents=True)
    (place.root / "link").symlink_to(place.work)
    name = name.replace("{granted}", str(granted)).replace("link", str(place.root / "link"))
    run = run_at("run", "--rw", granted, "--cast", name, "--", "echo", "RAN")
    output = run.until_end()
    assert b"which the run may change" in output and b"name a file elsewhere" in output, output
    assert b"RAN" not in output and run.status() == 125
    assert not list(place.root.rglob("*.cast"))


def test_a_folder_that_is_only_read_is_fine(run_at, place):
    granted = place.root / "granted"
    granted.mkdir()
    assert run_at("run", "--ro", granted, "--cast", granted / "a.cast", "--", "echo", "recorded").status() == 0
    assert shown(granted / "a.cast") == "recorded\r\n"


@pytest.mark.parametrize("size", ["1K", "many"])
def test_sizes_that_make_no_sense(ringwall, elsewhere, size):
    ringwall("run", "--cast", elsewhere / "a.cast", "--cast-size", size, "--", "echo", "RAN").refused("--cast-size")
    assert os.listdir(elsewhere) == []
