"""ringwall diff: what a run under review has changed is shown before any of it counts."""

import json
import os
import shutil

import pytest
from terminals import at_terminal, run_at  # noqa: F401

BEFORE = {"a.txt": "one\ntwo\nthree\n", "gone.txt": "gone\n", "moved.txt": "the one that moves\n"}


@pytest.fixture
def review(place, ringwall):
    """Runs a shell's script under review in a furnished workspace."""
    for name, text in BEFORE.items():
        (place.work / name).write_text(text)

    def run(script, name="r1", *flags):
        result = ringwall("run", "--review", "--name", name, *flags, "--", "sh", "-c", script)
        assert result.status == 0, result
        return result

    return run


def changes(ringwall, *args):
    return [json.loads(line) for line in ringwall("diff", "--json", *args).ok().splitlines()]


def test_the_lines_of_each_change_are_shown(place, ringwall, review):
    review("sed -i s/two/TWO/ a.txt; rm gone.txt; mv moved.txt there.txt; echo new >new.txt; chmod 755 a.txt")
    assert ringwall("diff", "r1").ok() == (
        "changed a.txt\n  mode 0644 -> 0755\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
        "deleted gone.txt\n@@ -1 +0,0 @@\n-gone\n"
        "added new.txt\n@@ -0,0 +1 @@\n+new\n"
        "renamed there.txt\n  was moved.txt, with the same content"
    )
    # None of it has happened.
    assert {name: (place.work / name).read_text() for name in BEFORE} == BEFORE


def test_a_run_without_changes_leaves_nothing_to_be_shown(ringwall, review):
    review("echo x >x", "other")
    review("cat a.txt; touch a.txt")
    ringwall("diff", "r1").refused("there is no review of the name r1")
    assert ringwall("diff", "other").ok() != ""


def test_which_files_and_how_much_of_them(ringwall, review):
    review("echo more >>a.txt; rm gone.txt; ln -s /etc/passwd link")
    assert ringwall("diff", "--stat").ok() == (
        "changed  a.txt  +1 -0\ndeleted  gone.txt  +0 -1\nadded    link  a link to /etc/passwd\n"
        "1 added, 1 changed, 1 deleted, 30 B to take over"
    )


def test_only_what_lies_at_the_paths_is_shown(place, ringwall, review):
    review("mkdir sub; echo x >sub/x; echo y >y; echo more >>a.txt")
    assert [c["path"] for c in changes(ringwall, "r1", "--", "sub", "y")] == [
        str(place.work / name) for name in ("sub", "sub/x", "y")]
    assert [c["path"] for c in changes(ringwall, "--", place.work / "a.txt")] == [str(place.work / "a.txt")]
    ringwall("diff", "r1", "--", "nowhere").refused("has changed nothing there")


def test_as_data(place, ringwall, review):
    review("printf 'all:\\n' >Makefile; chmod 600 a.txt; mv moved.txt there.txt")
    found = {os.path.basename(c["path"]): c for c in changes(ringwall)}
    assert found["Makefile"]["runs_outside"] == {"protected": False, "why": "make runs it"}
    assert found["Makefile"]["before"] is None
    assert found["a.txt"]["before"]["mode"] == "0644" and found["a.txt"]["after"]["mode"] == "0600"
    assert found["there.txt"]["change"] == "renamed"
    assert found["there.txt"]["renamed_from"] == str(place.work / "moved.txt")
    assert found["moved.txt"]["change"] == "deleted" and found["moved.txt"]["renamed_away"]


def test_what_runs_outside_later_stands_on_top(ringwall, review):
    review("mkdir -p .git/hooks .github/workflows; echo x >.git/hooks/pre-commit; echo x >.github/workflows/ci.yml;"
           "echo x >AAA")
    shown = ringwall("diff").ok().splitlines()
    assert shown[0] == "runs outside later:"
    assert shown[1].startswith("  .git/hooks/pre-commit  ") and shown[2].startswith("  .github/workflows/ci.yml  GitHub")
    assert shown.index("added AAA") > 3


def test_what_git_keeps_is_shown_when_it_is_asked_for(place, ringwall, review):
    review("git init -q . && git add a.txt && git -c user.name=x -c user.email=x@x commit -qm x; echo more >>a.txt")
    last = ringwall("diff").ok().splitlines()[-1]
    assert last.startswith("and ") and last.endswith(f" of git's own: ringwall diff r1 -- {place.work}/.git"), last
    shown = ringwall("diff", "r1", "--stat", "--", ".git").ok()
    assert "added    .git/HEAD" in shown and "a.txt" not in shown
    assert any(c["path"].endswith("/.git/HEAD") for c in changes(ringwall))


def test_the_policy_says_what_else_is_protected(place, ringwall, review):
    review("echo x >mine; echo x >.envrc")
    assert {os.path.basename(c["path"]) for c in changes(ringwall) if "runs_outside" in c} == {".envrc"}
    (place.home / ".config/ringwall").mkdir(parents=True)
    policy = place.home / ".config/ringwall/policy.toml"
    policy.write_text('[files]\nprotect = ["mine"]\nunprotect = [".envrc"]\n')
    try:
        assert {os.path.basename(c["path"]) for c in changes(ringwall) if "runs_outside" in c} == {"mine"}
    finally:
        shutil.rmtree(place.home / ".config")


def test_what_changed_on_both_sides_is_a_conflict(place, ringwall, review):
    review("echo by the run >>a.txt; rm gone.txt")
    assert "conflict" not in ringwall("diff").ok()
    with open(place.work / "a.txt", "a") as file:
        file.write("by the person\n")
    shown = ringwall("diff").ok()
    assert shown.startswith("changed here too since the run began (conflicts):\n  a.txt\n"), shown
    assert ("<<<<<<< here\n-by the person\n||||||| at the start of the run\n=======\n"
            "+by the run\n>>>>>>> by the run") in shown
    assert [os.path.basename(c["path"]) for c in changes(ringwall) if c["conflict"]] == ["a.txt"]


def test_nothing_of_a_file_reaches_the_terminal_as_a_command(ringwall, review):
    review(r"""printf '\033[2J\033]0;owned\007\n' >a.txt; printf x >"$(printf 'n\033[31m\nchanged fake')";"""
           r"""ln -s "$(printf '\033[31m')" l""")
    for flags in ((), ("--stat",), ("--json",)):
        shown = ringwall("diff", *flags)
        assert shown.status == 0 and b"\x1b" not in shown.raw and b"\x07" not in shown.raw
        assert "\nchanged fake" not in shown.out


def test_binary_large_and_special_files_are_said(ringwall, review):
    review("head -c 3000 /dev/zero >bin; head -c 6000000 /dev/zero >large; mkfifo pipe; rm a.txt; mkdir a.txt")
    assert ringwall("diff", "--stat").ok().splitlines()[:-1] == [
        "changed  a.txt/  +0 -3, was a file, is a folder",
        "added    bin  binary, 2.9K", "added    large  too large to show, 5.7M", "added    pipe  a pipe"]


def test_a_run_that_goes_on_can_be_looked_at(place, ringwall, review):
    running = ringwall.start("run", "--review", "--name", "r2", "--", "sh", "-c", "echo new >new; echo ready; read line")
    try:
        assert running.stdout.readline() == b"ready\n"
        assert [os.path.basename(c["path"]) for c in changes(ringwall, "r2")] == ["new"]
    finally:
        running.communicate(b"\n", 60)


def test_reviews_side_by_side_are_told_by_name(ringwall, review):
    review("echo 1 >first", "r1")
    review("echo 2 >second", "r2")
    assert [os.path.basename(c["path"]) for c in changes(ringwall, "r1")] == ["first"]
    assert [os.path.basename(c["path"]) for c in changes(ringwall)] == ["second"]
    ringwall("diff", "r3").refused("there is no review of the name r3")


def test_colours_as_the_person_wants_them(ringwall, review):
    review("echo more >>a.txt")
    assert "\x1b[32m+more\x1b[0m" in ringwall("diff", "--color", "always").ok()
    assert "\x1b" not in ringwall("diff", "--color", "never").ok()
    ringwall("diff", "--color", "blue").refused("--color blue is not known")


def test_the_pager_of_the_person_is_used(place, review, run_at):  # noqa: F811
    review("echo more >>a.txt")
    pager = place.links / "pager"
    pager.write_text('#!/bin/sh\necho "the pager $1"; cat\n')
    pager.chmod(0o755)
    env = {"PAGER": f"{pager} --own"}
    shown = run_at("diff", "r1", env=env)
    shown.expect("the pager --own")
    shown.expect(r"\x1b\[32m\+more\x1b\[0m")
    assert shown.status() == 0
    shown = run_at("diff", "r1", "--no-pager", env=env)
    assert shown.status() == 0
    assert b"the pager" not in shown.seen and b"+more" in shown.seen


def test_a_pager_that_is_left_early_is_no_mistake(review, run_at):  # noqa: F811
    review("seq 100000 >a.txt")
    shown = run_at("diff", "r1", env={"PAGER": "head -n 3"})
    shown.expect("changed a.txt")
    assert shown.status() == 0


def test_a_folder_that_took_the_place_of_the_tree_is_not_compared(place, ringwall, review):
    review("echo more >>a.txt")
    place.work.rename(place.home / "away")
    place.work.mkdir()
    try:
        ringwall("diff", "r1").refused("is not the folder that it was when the run began")
    finally:
        place.work.rmdir()
        (place.home / "away").rename(place.work)
