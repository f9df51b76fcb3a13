"""The record of a run: what it holds, that no change of it goes unnoticed, and that it survives."""

import hashlib
import json
import os
import re
import signal
import time

import pytest

from conftest import without

SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"


def state(place):
    return place.home / ".local/state/ringwall"


def record_of(place, run):
    (path,) = (state(place) / "records").glob(f"{run}@*.jsonl")
    return path


def lines_of(ringwall, run):
    return [json.loads(line) for line in ringwall("log", run, "--json").ok().splitlines()]


def listed(ringwall, run):
    lines = [json.loads(line) for line in ringwall("log", "--list", "--json").ok().splitlines()]
    (found,) = [line for line in lines if line.pop("record").startswith(f"{run}@")]
    return found


def edit(path, change):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(change(lines)))


@pytest.fixture
def ended(ringwall, place):
    """A run with a few events."""
    (place.work / ".env").write_text(f"TOKEN={SECRET}\n")
    ringwall.sh("touch .bashrc 2>/dev/null; exit 3", "--name", "first")
    for i in range(3):
        ringwall.sh("true", "--name", f"other{i}")
    return record_of(place, "first")


def test_a_run_is_recorded_from_start_to_end(ringwall, place, ended):
    lines = lines_of(ringwall, "first")
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    first, last = lines[0], lines[-1]
    assert first["event"] == "run_started" and first["workspace"] == str(place.work)
    assert re.fullmatch("[0-9a-f]{64}", first["policy"])
    assert last["event"] == "run_ended" and last["exit_status"] == 3
    assert any(line["event"] == "files_hidden" and line["paths"] for line in lines)
    assert ended.stat().st_mode & 0o077 == 0 and ended.parent.stat().st_mode & 0o077 == 0
    shown = ringwall("log", "first").ok()
    assert "started" in shown and "status 3" in shown
    denied = ringwall("log", "first", "--denied").ok()
    assert "hidden" in denied and "started" not in denied
    assert ringwall("log", "first", "--network").ok() == ""


def test_the_policy_of_two_runs_is_compared_by_its_hash(ringwall):
    for name, flags in (("a", ()), ("b", ()), ("c", ("--git-hooks",))):
        ringwall.sh("true", "--name", name, *flags)
    a, b, c = (lines_of(ringwall, name)[0] for name in "abc")
    # The name of a run is part of its policy too.
    assert a["policy"] != c["policy"] and c["widenings"] == ["git.hooks=true (--git-hooks)"]
    assert len({line["policy"] for line in (a, b, c)}) == 3


def test_secrets_do_not_reach_the_record(ringwall, place):
    ringwall.sh("true", "--name", "quiet", "--set", "API_TOKEN=hunter22", "--set", f"PLAIN={SECRET}")
    ringwall("run", "--name", "words", "--", "true", "--password", "hunter22", f"x{SECRET}")
    text = record_of(place, "quiet").read_text() + record_of(place, "words").read_text()
    assert "hunter22" not in text and SECRET not in text and text.count("[redacted]") >= 4
    shown = ringwall("ls", "--json").ok()
    assert SECRET not in shown


def test_text_of_others_is_escaped(ringwall, place):
    ringwall("run", "--name", "odd", "--", "true", "\x1b[2J\nforged\x9b\x7f\u202ednuob\u200b\U000e0041")
    raw = record_of(place, "odd").read_bytes()
    assert b"\x1b" not in raw and b"\x9b" not in raw and raw.count(b"\n") == 2
    plain = ringwall("log", "odd", "--json").ok()
    assert all(" " <= c <= "~" or c == "\n" for c in plain), plain
    assert json.loads(plain.splitlines()[0])["command"][1].endswith("\x7f\u202ednuob\u200b\U000e0041")
    shown = ringwall("log", "odd").ok()
    assert "\x1b" not in shown and "\nforged" not in shown


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda lines: [lines[0].replace("run_started", "run_startet"), *lines[1:]], "line 1 was changed"),
        (lambda lines: lines[:1] + lines[2:], "line 2 was removed"),
        (lambda lines: lines[:-1], "was removed"),
        (lambda lines: [*lines, lines[1]], "of the file was added"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "was moved"),
        (lambda lines: lines[:-1] + [lines[-1][:20]], "not whole"),
        (lambda lines: [], "were removed"),
    ],
    ids=["changed", "removed", "last removed", "added", "swapped", "cut", "emptied"],
)
def test_a_change_is_noticed(ringwall, ended, change, said):
    assert "none changed" in ringwall("log", "--verify", "first").ok()
    edit(ended, change)
    result = ringwall("log", "--verify", "first")
    assert result.status == 1 and said in result.out, result
    assert ringwall("log", "--verify", "first", "--json").status == 1
    # All of them are looked at without a name, and one that was changed is enough.
    assert ringwall("log", "--verify").status == 1


def test_a_record_without_its_head_is_not_vouched_for(ringwall, place, ended):
    (head,) = (state(place) / "heads").glob("first@*")
    head.write_text("forged\n")
    result = ringwall("log", "--verify", "first")
    assert result.status == 1 and "head" in result.out


def test_nothing_of_the_record_is_there_inside(ringwall, mutant, place, bare):
    """P36: the agent can neither read nor change it."""
    ringwall.sh("true", "--name", "before")
    path = record_of(place, "before")
    script = f'echo forged >> "{path}" && rm -r "{path.parent}" && echo RAN'
    assert "RAN" not in ringwall.sh(script).out
    assert "none changed" in ringwall("log", "--verify", "before").ok()
    copy = place.root / "copy"
    copy.mkdir()
    assert "RAN" in bare("sh", "-c", script.replace(str(path.parent), str(copy))).out
    # Without its walls the same script gets through, and is noticed.
    mutant(without("new-root,landlock")).sh(f'echo forged >> "{path}"; true')
    assert ringwall("log", "--verify", "before").status == 1


def test_a_killed_supervisor_leaves_a_record_that_the_next_start_mends(ringwall, place):
    process = ringwall.start("run", "--name", "cut", "--", "sh", "-c", "echo up; sleep 60")
    process.stdout.readline()
    pid = ringwall.wait_for_run("cut")["pid"]
    os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=120)
    place.wait_until_gone()
    path = record_of(place, "cut")
    # As if it had been killed while it wrote the second line, for which the head vouches already.
    (head,) = (state(place) / "heads/open").glob("cut@*")
    number, digest, refusals, _, _, _ = head.read_text().split()
    head.write_text(f"{int(number) + 1:020} {'f' * 64} {int(refusals) + 9:020} {number} {digest} {refusals}\n")
    with path.open("a") as file:
        file.write('{"n":2,"time":"20')
    assert listed(ringwall, "cut") == {"lines": 1, "refusals": 0, "state": "killed"}
    assert ringwall("log", "--verify", "cut").status == 1
    result = ringwall.sh("true", "--name", "next")
    assert "mended" in result.err and "cut@" in result.err
    assert "none changed" in ringwall("log", "--verify", "cut").ok()
    mended = lines_of(ringwall, "cut")[-1]
    assert mended["event"] == "record_mended" and mended["cut_bytes"] == 17
    assert listed(ringwall, "cut") == {"lines": 2, "refusals": 0, "state": "killed"}
    assert listed(ringwall, "next")["state"] == "ended"
    assert ringwall.sh("true", "--name", "later").ok() == ""


def test_a_line_that_somebody_added_to_a_killed_run_is_not_taken_over(ringwall, place):
    process = ringwall.start("run", "--name", "cut", "--", "sh", "-c", "echo up; sleep 60")
    process.stdout.readline()
    os.kill(ringwall.wait_for_run("cut")["pid"], signal.SIGKILL)
    process.communicate(timeout=120)
    place.wait_until_gone()
    path = record_of(place, "cut")
    digest = hashlib.sha256(path.read_bytes().rstrip(b"\n")).hexdigest()
    with path.open("a") as file:
        file.write(f'{{"n":2,"time":"2026-01-01T00:00:00.000Z","at":1.0,"event":"controlled","prev":"{digest}"}}\n')
    told = ringwall.sh("true", "--name", "next").err
    assert "cannot be mended: its lines do not fit its head" in told and "ringwall rm --record" in told
    result = ringwall("log", "--verify", "cut")
    assert result.status == 1 and "line 2 of the file was added" in result.out
    ringwall("rm", "--record", "cut").ok()
    assert ringwall.sh("true", "--name", "later").err == ""


def test_a_record_whose_head_was_removed_is_found(ringwall, place, ended):
    (head,) = (state(place) / "heads").glob("first@*")
    head.unlink()
    result = ringwall("log", "--verify")
    assert result.status == 1 and "head is missing" in result.out
    assert "first@" in ringwall("log", "--list").ok()


def test_a_folder_of_records_that_cannot_be_read_is_an_error(ringwall, place):
    state(place).mkdir(parents=True, exist_ok=True)
    (state(place) / "records").write_text("in the way")
    ringwall("log", "--verify").refused("records")
    ringwall("log").refused("records")


def test_a_pipe_in_place_of_a_head_holds_up_nobody(ringwall, place):
    ringwall.sh("true", "--name", "one")
    os.mkfifo(state(place) / "heads/open/x@20261115T224458Z-24217")
    assert ringwall.sh("echo ran", "--name", "two", timeout=120).out == "ran\n"


def test_a_run_whose_supervisor_is_stopped_is_listed(ringwall):
    process = ringwall.start("run", "--name", "still", "--", "sh", "-c", "echo up; read line")
    process.stdout.readline()
    pid = ringwall.wait_for_run("still")["pid"]
    os.kill(pid, signal.SIGSTOP)
    assert "no answer" in ringwall("ls").ok()
    os.kill(pid, signal.SIGCONT)
    process.communicate(b"\n", 60)


def test_two_runs_of_one_name_have_two_records(ringwall, place):
    ringwall.sh("exit 1", "--name", "twin")
    time.sleep(1.1)  # records are named by the second
    ringwall.sh("exit 2", "--name", "twin")
    assert lines_of(ringwall, "twin")[-1]["exit_status"] == 2
    listed = [line.split()[0] for line in ringwall("log", "--list").ok().splitlines()]
    assert len(listed) == 2
    first = [json.loads(line) for line in ringwall("log", listed[0], "--json").ok().splitlines()]
    assert first[-1]["exit_status"] == 1


def test_follow_goes_on_until_the_run_ends(ringwall):
    process = ringwall.start("run", "--name", "live", "--", "sh", "-c", "echo up; read line")
    process.stdout.readline()
    ringwall.wait_for_run("live")
    follower = ringwall.start("log", "live", "--follow", "--json")
    assert json.loads(follower.stdout.readline())["event"] == "run_started"
    ringwall("pause", "live").ok()
    assert json.loads(follower.stdout.readline())["act"] == "pause"
    ringwall("resume", "live").ok()
    process.communicate(b"\n", 60)
    out, _ = follower.communicate(timeout=120)
    assert json.loads(out.splitlines()[-1])["event"] == "run_ended"


def test_a_reader_that_stops_reading_holds_up_nobody(ringwall):
    process = ringwall.start("run", "--name", "live", "--", "sh", "-c", "echo up; read line")
    process.stdout.readline()
    ringwall.wait_for_run("live")
    reader = ringwall.start("log", "live", "--follow")
    time.sleep(0.3)
    reader.send_signal(signal.SIGSTOP)
    for _ in range(20):
        ringwall("pause", "live").ok()
        ringwall("resume", "live").ok()
    started = time.monotonic()
    process.communicate(b"\n", 60)
    assert time.monotonic() - started < 2
    reader.send_signal(signal.SIGCONT)
    assert reader.communicate(timeout=120)[0].count(b"\n") >= 42


def test_a_limit_of_size_counts_what_it_leaves_out(ringwall, place):
    script = "import subprocess\nprint('up', flush=True)\ninput()"
    process = ringwall.start("run", "--name", "small", "--record-size", "64k", "--", "/usr/bin/python3", "-c", script)
    process.stdout.readline()
    ringwall.wait_for_run("small")
    for _ in range(60):
        ringwall("exec", "small", "--", "true", "x" * 2000).ok()
    process.communicate(b"\n", 60)
    lines = lines_of(ringwall, "small")
    gaps = [line for line in lines if line["event"] == "record_gap"]
    written = sum(line["event"] == "controlled" for line in lines)
    assert gaps and written + sum(gap["events"] for gap in gaps) == 60
    assert record_of(place, "small").stat().st_size < 80_000
    assert lines[-1]["event"] == "run_ended"
    assert "none changed" in ringwall("log", "--verify", "small").ok()


@pytest.mark.parametrize("required", [False, True])
def test_a_full_disk_is_told_and_ends_the_run_where_that_is_wanted(ringwall, place, required):
    """A limit for files stands for the disk: what is written beyond it fails."""
    flags = ["--record-required"] if required else []
    limited = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash"]
    words = ["run", "--name", "full", *flags, "--", "sh", "-c", "echo up; read line; echo still"]
    process = ringwall.start(*words, prefix=limited)
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("full")
    for _ in range(40):
        ringwall("exec", "full", "--", "true", "x" * 4000)
    if required:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 125 and b"still" not in out
        assert b"ended: the record cannot be written" in err
    else:
        out, err = process.communicate(b"\n", 60)
        assert process.returncode == 0 and b"still" in out
        assert b"the record cannot be written" in err
    # What is there is whole, or is mended by the next start.
    ringwall.sh("true", "--name", "next")
    shown = [json.loads(line)["event"] for line in ringwall("log", "full", "--json").ok().splitlines()]
    assert shown[0] == "run_started" and len(shown) >= 2


def test_old_records_make_room_and_the_new_one_says_so(ringwall, place):
    for i in range(3):
        ringwall("run", "--name", f"old{i}", "--", "true", *["x" * 4000] * 100)
    assert "old0@" in ringwall("log", "--list").ok()
    ringwall.sh("sleep 0.3", "--name", "new", "--records-kept", "1M")
    listed = ringwall("log", "--list").ok()
    assert "old0@" not in listed and "new@" in listed
    removed = [line for line in lines_of(ringwall, "new") if line["event"] == "record_removed"]
    assert removed and removed[0]["record"].startswith("old0@") and removed[0]["lines"] == 2


def test_a_record_that_cannot_be_begun_stops_the_start(ringwall, place):
    folder = state(place)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "records").write_text("in the way")
    ringwall.sh("echo RAN").refused("records")


def test_rm_removes_home_and_record_of_a_run_that_has_ended(ringwall, place):
    process = ringwall.start("run", "--name", "gone", "--", "sh", "-c", "echo up; read line")
    process.stdout.readline()
    ringwall.wait_for_run("gone")
    ringwall("rm", "gone").refused("going on")
    process.communicate(b"\n", 60)
    out = ringwall("rm", "gone").ok()
    assert "removed the private home" in out and "removed the record gone@" in out
    ringwall("rm", "gone").refused("no record")
    assert "gone@" not in ringwall("log", "--list").ok()


def test_rm_keeps_a_home_that_others_have_used(ringwall, place):
    """It is that of all runs in a workspace; who wants it gone says so."""
    for name in ("one", "two", "three"):
        ringwall.sh("mkdir -p ~/.cache; echo mine > ~/.cache/x", "--name", name)
    homes = state(place) / "homes"
    (home,) = [entry.name for entry in homes.iterdir()]
    out = ringwall("rm", "one").ok()
    assert f"kept the private home {home}" in out and "three, two" in out and "removed the record one@" in out
    assert "removed the record two@" in ringwall("rm", "two", "--record").ok()
    assert [entry.name for entry in homes.iterdir()] == [home]
    ringwall.sh("true", "--name", "four")
    assert ringwall("rm", "three", "--home").ok() == f"removed the private home {home}"
    left = [entry.name for entry in (homes / home).iterdir()]  # for later runs: it may be written inside
    assert "three@" in ringwall("log", "--list").ok() and left == ["workspace"]
    assert ringwall("rm", "four").ok().startswith("removed the record four@")  # of the home nothing is there
    ringwall.sh("mkdir -p ~/.cache; echo mine > ~/.cache/x", "--name", "five")
    out = ringwall("rm", "three", "--home", "--record").ok()
    assert "removed the private home" in out and "removed the record three@" in out


def test_rm_removes_a_record_that_lost_its_lines(ringwall, place, ended):
    ended.unlink()
    assert "removed the record first@" in ringwall("rm", "first").ok()
    assert "first@" not in ringwall("log", "--list").ok()


def test_a_run_that_was_killed_when_all_was_said_has_ended(ringwall, place, ended):
    (head,) = (state(place) / "heads").glob("first@*")
    (state(place) / "heads/open").mkdir(exist_ok=True)
    head.rename(state(place) / "heads/open" / head.name)
    before = ended.read_text()
    ringwall.sh("true", "--name", "next")
    assert ended.read_text() == before and listed(ringwall, "first")["state"] == "ended"


def test_a_record_without_a_head_is_counted_by_its_lines(ringwall, place, ended):
    before = listed(ringwall, "first")
    (head,) = (state(place) / "heads").glob("first@*")
    head.unlink()
    assert listed(ringwall, "first") == before
