"""ringwall apply: what a run under review has changed is taken over, and nothing of the person's is lost."""

import json
import os
import signal
import subprocess
import time

import pytest
from terminals import at_terminal, run_at  # noqa: F401

BEFORE = {"a.txt": "one\n", "b.txt": "two\n", "gone.txt": "gone\n", "folder/x": "x\n"}


@pytest.fixture
def review(place, ringwall):
    """Runs a shell's script under review in a furnished workspace."""
    for name, text in BEFORE.items():
        (place.work / name).parent.mkdir(exist_ok=True)
        (place.work / name).write_text(text)

    def run(script, name="r1"):
        result = ringwall("run", "--review", "--name", name, "--", "sh", "-c", script)
        assert result.status == 0, result
        return result

    return run


def tree(top):
    """Every path with its type, mode and content."""
    seen = {}
    for folder, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            text = os.readlink(path) if os.path.islink(path) else "" if name in folders else open(path, "rb").read()
            seen[os.path.relpath(path, top)] = (oct(mode), text)
    return seen


def reviews(place):
    top = place.home / ".local/state/ringwall/reviews"
    return sorted(name for name in os.listdir(top) if not name.startswith(".removed-")) if top.exists() else []


def test_everything_is_taken_over_and_the_review_goes(place, ringwall, review):
    review("echo more >>a.txt; rm -r gone.txt folder; mkdir -p new/deep; echo n >new/deep/n; chmod 755 b.txt;"
           "ln -s /etc/passwd link; mkfifo pipe; echo f >folder")
    assert {n: (place.work / n).read_text() for n in BEFORE} == BEFORE
    assert ringwall("apply").ok().startswith("took over ")
    assert (place.work / "pipe").is_fifo()
    os.unlink(place.work / "pipe")
    found = tree(place.work)
    assert found["a.txt"][1] == b"one\nmore\n" and found["folder"][1] == b"f\n"
    assert found["b.txt"][0] == "0o100755" and found["link"][1] == "/etc/passwd"
    assert found["new/deep/n"][1] == b"n\n" and "gone.txt" not in found
    assert reviews(place) == []
    ringwall("apply").refused("no review waits for you")


def test_a_part_is_taken_over_and_the_rest_waits(place, ringwall, review):
    review("echo more >>a.txt; echo more >>b.txt; mkdir new; echo 1 >new/1; echo 2 >new/2")
    ringwall("apply", "r1", "--", "a.txt", "new/1").ok()
    assert (place.work / "a.txt").read_text() == "one\nmore\n"
    assert (place.work / "b.txt").read_text() == "two\n"
    assert os.listdir(place.work / "new") == ["1"]
    assert reviews(place) == ["r1"]
    ringwall("apply", "r1", "--", "nowhere").refused("no change at")
    ringwall("apply", "r1").ok()
    assert sorted(os.listdir(place.work / "new")) == ["1", "2"] and reviews(place) == []


def test_it_can_be_undone(place, ringwall, review):
    before = tree(place.work)
    review("echo more >>a.txt; rm -r gone.txt folder; echo new >new")
    ringwall("apply").ok()
    assert (place.work / "a.txt").read_text() == "one\nmore\n"
    ringwall("undo", "--added").ok()
    assert tree(place.work) == before
    assert os.listdir(place.state / "undo/applied") == []


def test_a_dry_run_changes_nothing(place, ringwall, review):
    review("echo more >>a.txt; rm gone.txt")
    before = tree(place.work)
    assert ringwall("apply", "--dry-run").ok() == "would take over 2 changes"
    assert tree(place.work) == before and reviews(place) == ["r1"]


def test_what_changed_on_both_sides_is_never_overwritten(place, ringwall, review):
    review("echo by the run >a.txt; echo by the run >b.txt; rm gone.txt; echo by the run >made")
    for name in ("a.txt", "gone.txt", "made"):
        (place.work / name).write_text("by the person\n")
    before = tree(place.work)
    refused = ringwall("apply")
    assert refused.status == 1, refused
    assert "a.txt: was changed on both sides" in refused.out and "--rest" in refused.err
    assert tree(place.work) == before
    # Not even by name.
    assert ringwall("apply", "r1", "--", "a.txt").status == 1
    assert tree(place.work) == before
    rest = ringwall("apply", "--rest", "--json")
    assert rest.status == 1, rest
    said = json.loads(rest.out)
    assert said["applied"] == [str(place.work / "b.txt")]
    assert {os.path.basename(c["path"]) for c in said["conflicts"]} == {"a.txt", "gone.txt", "made"}
    assert (place.work / "b.txt").read_text() == "by the run\n"
    assert (place.work / "a.txt").read_text() == "by the person\n"


def test_what_would_run_outside_is_taken_over_by_name_alone(place, ringwall, review):
    review("mkdir -p .git/hooks; echo x >.git/hooks/pre-commit; echo all: >Makefile; echo plain >plain")
    said = ringwall("apply").ok()
    assert "would run outside later" in said and ".git/hooks/pre-commit" in said and "Makefile" in said
    assert (place.work / "plain").exists()
    assert not (place.work / "Makefile").exists() and not (place.work / ".git/hooks/pre-commit").exists()
    ringwall("apply", "--", ".").ok()
    assert not (place.work / "Makefile").exists()
    ringwall("apply", "--", "Makefile").ok()
    assert (place.work / "Makefile").exists() and not (place.work / ".git/hooks/pre-commit").exists()


def test_what_the_policy_protects_is_too(place, ringwall, review):
    review("echo x >mine; echo y >other")
    config = place.home / ".config/ringwall"
    config.mkdir(parents=True)
    (config / "policy.toml").write_text('[files]\nprotect = ["mine"]\n')
    ringwall("apply").ok()
    assert (place.work / "other").exists() and not (place.work / "mine").exists()


def test_bits_of_rights_and_sockets_do_not_come(place, ringwall, review):
    review("echo x >tool; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'")
    # Nobody inside can set them; a layer is believed in nothing all the same.
    os.chmod(place.state / "reviews/r1/0/upper/tool", 0o6755)
    ringwall("apply", "--", "tool").ok()
    assert os.stat(place.work / "tool").st_mode & 0o7777 == 0o755
    said = ringwall("apply")
    assert said.status == 1 and "sock: is a socket" in said.out
    assert not (place.work / "sock").exists()


def test_names_of_any_bytes_and_none_reaches_the_terminal(place, ringwall, review):
    review(r"""printf x >"$(printf 'n\033[31m\377\nfake')"; printf y >"$(printf 'Makefile\033[2J')" """)
    shown = ringwall("apply", "--json")
    assert shown.status == 0 and b"\x1b" not in shown.raw
    assert (place.work / os.fsdecode(b"n\x1b[31m\xff\nfake")).read_text() == "x"


def test_paths_that_leave_the_tree_are_refused(place, ringwall, review):
    review("ln -s .. up; echo x >x")
    ringwall("apply", "--", "..", "../other", "up/other").refused("no change at")
    assert not (place.work / "x").exists()


def test_a_tree_that_was_replaced_or_is_gone_is_refused(place, ringwall, review):
    review("echo x >x")
    aside = place.work.with_name("aside")
    os.rename(place.work, aside)
    ringwall("apply", "r1", cwd=place.home).refused("cannot open")
    os.mkdir(place.work)
    ringwall("apply", "r1", cwd=place.home).refused("is not the folder that it was")
    assert os.listdir(place.work) == []
    os.rmdir(place.work)
    os.rename(aside, place.work)
    ringwall("apply", "r1", cwd=place.home).ok()


def test_a_run_that_goes_on_is_waited_for(place, ringwall, review):
    running = ringwall.start("run", "--review", "--name", "r2", "--", "sh", "-c", "echo new >new; echo ready; read line")
    try:
        assert running.stdout.readline() == b"ready\n"
        ringwall("apply", "r2").refused("is going on")
    finally:
        running.communicate(b"\n", 60)
    ringwall("apply", "r2").ok()
    assert (place.work / "new").exists()


def test_killed_at_any_moment_it_is_finished_by_the_next(place, ringwall, review):
    """Whenever the kill comes: each file is the old or the new one, and then all are new."""
    count = 300
    for number, delay in enumerate((0.0, 0.01, 0.02, 0.03, 0.05, 0.08)):
        names = [f"many{n}" for n in range(count)]
        for name in names:
            (place.work / name).write_text("old")
        review("for n in $(seq 0 299); do printf new >many$n; done", f"k{number}")
        running = subprocess.Popen(ringwall.command(("apply", f"k{number}")), cwd=place.work, env=place.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert {(place.work / name).read_text() for name in names} <= {"old", "new"}
        if f"k{number}" in reviews(place):
            finished = ringwall("apply", f"k{number}")
            assert finished.status == 0, finished
        assert {(place.work / name).read_text() for name in names} == {"new"}
        assert reviews(place) == []
        assert sorted(set(os.listdir(place.work)) - set(names)) == ["a.txt", "b.txt", "folder", "gone.txt"]


def test_file_by_file(place, review, run_at):  # noqa: F811
    review("echo more >>a.txt; echo more >>b.txt; rm -r folder; echo all: >Makefile; mkdir new; echo 1 >new/1")
    shown = run_at("apply", "r1", "--pick", env={"PAGER": "cat"})
    answers = {"Makefile": "n", "a.txt": "d", "b.txt": "n", "folder/": "y", "new/1": "y"}
    for name, answer in answers.items():
        shown.expect(f" {name}.*take it over\\? \\[y,n,a,d,q,\\?\\] ")
        shown.send(answer + "\n")
        if answer == "d":
            shown.expect(r"\+more.*take it over\? ")
            shown.send("y\n")
    shown.expect("took over 5 changes")
    assert shown.status() == 0
    assert (place.work / "a.txt").read_text() == "one\nmore\n"
    assert (place.work / "b.txt").read_text() == "two\n"
    assert (place.work / "new/1").exists() and not (place.work / "folder").exists()
    assert not (place.work / "Makefile").exists()


def test_who_leaves_in_the_middle_has_changed_nothing(place, review, run_at):  # noqa: F811
    review("echo more >>a.txt; echo more >>b.txt")
    before = tree(place.work)
    shown = run_at("apply", "--pick")
    shown.expect("take it over")
    shown.send("y\n")
    shown.expect("take it over")
    shown.send("q\n")
    shown.expect("nothing was taken over")
    assert shown.status() == 125
    assert tree(place.work) == before


def test_picking_needs_a_terminal(ringwall, review):
    review("echo more >>a.txt")
    ringwall("apply", "--pick").refused("there is no terminal")
