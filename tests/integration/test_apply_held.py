"""ringwall apply: what is left out, and what has to stay with it."""

import json
import os
import subprocess

import pytest
from conftest import needs_root
from test_apply import review, reviews, tree  # noqa: F401


def test_an_old_name_stays_as_long_as_its_new_one_is_left_out(place, ringwall, review):  # noqa: F811
    (place.work / "ci").mkdir()
    before = {"ci/Makefile": "all:\n", "package.json": '{"scripts": {"a": "b"}}', "Dockerfile": "FROM x\n"}
    for name, text in before.items():
        (place.work / name).write_text(text)
    review("mkdir app; mv ci/Makefile .; mv package.json Dockerfile app/; rmdir ci; mv b.txt app/; echo more >>a.txt")
    said = ringwall("apply", "r1").ok()
    assert "took over 1 changed, 1 renamed\n" in said
    assert "Dockerfile: its new name is left out: app/Dockerfile" in said
    assert {name: (place.work / name).read_text() for name in before} == before
    # With the new names they go.
    ringwall("apply", "r1", "--", "Makefile", "app/package.json", "app/Dockerfile").ok()
    ringwall("apply", "r1").ok()
    assert sorted(tree(place.work)) == ["Makefile", "a.txt", "app", "app/Dockerfile", "app/b.txt", "app/package.json",
                                        "folder", "folder/x", "gone.txt"]
    assert reviews(place) == []


def test_one_half_of_a_renaming_can_be_named(place, ringwall, review):  # noqa: F811
    (place.work / "Makefile").write_text("all:\n")
    review("mkdir sub; mv Makefile sub/")
    ringwall("apply", "r1", "--", "Makefile").ok()
    assert not (place.work / "Makefile").exists() and not (place.work / "sub").exists()


def test_a_folder_keeps_what_is_in_it_if_what_takes_its_place_is_left_out(place, ringwall, review):  # noqa: F811
    for name in ("data/p", "data/sub/q", "Makefile/x", "pipe/x"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text(name)
    review("rm -r data Makefile pipe; ln -s /srv/data data; echo all: >Makefile; mkfifo pipe")
    said = ringwall("apply", "r1").ok()
    assert "data/sub/q: what takes the place of its folder is left out" in said
    assert [(place.work / name).read_text() for name in ("data/p", "data/sub/q", "Makefile/x")] == [
        "data/p", "data/sub/q", "Makefile/x"]
    assert (place.work / "pipe").is_fifo()  # nothing speaks against it
    ringwall("apply", "r1", "--", "data", "Makefile").ok()
    assert os.readlink(place.work / "data") == "/srv/data" and (place.work / "Makefile").read_text() == "all:\n"
    assert reviews(place) == []
    os.unlink(place.work / "pipe")


def held(place, ringwall, script, *flags):
    """What of a run's changes runs outside later: the end, the diff and the apply say the same of it."""
    ended = ringwall("run", "--review", "--name", "r1", *flags, "--", "sh", "-c", script)
    assert ended.status == 0, ended
    changes = [json.loads(line) for line in ringwall("diff", "r1", "--json").ok().splitlines()]
    found = {os.path.relpath(change["path"], place.work) for change in changes if "runs_outside" in change}
    assert all(name in ended.err for name in found), ended.err
    left = json.loads(ringwall("apply", "r1", "--json").ok())["held"]
    assert {os.path.relpath(each["path"], place.work) for each in left} == found
    return found


@pytest.fixture
def repository(place):
    def git(*words):
        subprocess.run(["git", *words], cwd=place.work, check=True, capture_output=True)

    git("init", "-q")
    for name in ("tools/hooks/pre-commit", "tools/clean.sh", "tools/other.sh", "mine.rc"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text("old\n")
    git("config", "core.hooksPath", "tools/hooks")
    git("config", "filter.tidy.clean", "sh tools/clean.sh")
    return place.work


CHANGE_TOOLS = "for name in tools/hooks/pre-commit tools/clean.sh tools/other.sh mine.rc; do echo new >$name; done"


def test_what_git_settings_name_is_taken_over_by_name_alone(place, ringwall, repository):
    assert held(place, ringwall, CHANGE_TOOLS) == {"tools/hooks/pre-commit", "tools/clean.sh"}
    assert (repository / "tools/hooks/pre-commit").read_text() == "old\n"
    assert (repository / "tools/other.sh").read_text() == "new\n"
    ringwall("apply", "r1", "--", "tools/hooks/pre-commit", "tools/clean.sh").ok()
    assert (repository / "tools/hooks/pre-commit").read_text() == "new\n" and reviews(place) == []


def test_the_command_line_of_the_run_counts_when_it_is_taken_over(place, ringwall, repository):
    flags = ("--protect", "*.rc", "--unprotect", "/tools/clean.sh")
    assert held(place, ringwall, CHANGE_TOOLS, *flags) == {"mine.rc", "tools/hooks/pre-commit"}
    assert (repository / "mine.rc").read_text() == "old\n"
    assert (repository / "tools/clean.sh").read_text() == "new\n"


LINKS = {".vscode": "vs", ".githooks": "hk", ".envrc": "way", "way": "en", ".mcp.json": "deep/mcp", ".claude": "later",
         "plain": "beside", "tools": "node_modules/tool"}


def test_what_a_protected_link_leads_to_is_held_by_that_name(place, ringwall):
    for name in ("vs/tasks.json", "hk/pre-push", "en", "deep/mcp", "beside/tasks.json",
                 "node_modules/tool/.vscode/tasks.json"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text("old\n")
    for link, target in LINKS.items():
        (place.work / link).symlink_to(target)
    script = ("for name in vs/tasks.json vs/launch.json hk/pre-push en beside/tasks.json"
              " node_modules/tool/.vscode/tasks.json; do echo new >$name; done; mkdir later other;"
              "echo new >later/settings.json; echo new >later/notes; rm way; ln -s other way; mv deep other; ln -s other/deep deep")
    found = held(place, ringwall, script)
    assert found >= {"vs/tasks.json", "vs/launch.json", "hk/pre-push", "en", "later/settings.json", "way", "deep",
                     "node_modules/tool/.vscode/tasks.json"}
    assert not found & {"later/notes", "beside/tasks.json", "other"}
    assert (place.work / "vs/tasks.json").read_text() == "old\n" and (place.work / "later/notes").exists()
    assert os.readlink(place.work / "way") == "en" and not (place.work / "later/settings.json").exists()
    assert "a link gives it the name .vscode/tasks.json" in ringwall("diff", "r1", "--stat").ok()


def test_what_was_moved_in_is_never_deleted_or_overwritten(place, ringwall, review):  # noqa: F811
    """Also if what was moved in was changed since, so that its times tell nothing."""
    for name in ("out/x/o", "kept/p", "src/a", "src.new/a", "src/sub/b", "lib/c"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text(name)
    review("rm -r out; echo new >src/a; rm src/sub/b; echo new >lib/c; echo new >b.txt")
    (place.work / "kept").rename(place.work / "out/x/kept")
    (place.work / "src").rename(place.work / "src.old")
    (place.work / "src.new").rename(place.work / "src")
    for name in ("out/x/kept/t", "src/made", "lib/made"):
        (place.work / name).write_text(name)
    os.unlink(place.work / "out/x/kept/t")
    refused = ringwall("apply", "r1")
    assert refused.status == 1 and "out/x/kept/p: the run deleted it, and it was changed since" in refused.out, refused
    assert "src/a: was changed on both sides" in refused.out
    assert ringwall("apply", "r1", "--", "b.txt").status == 0  # and it stays so
    assert ringwall("apply", "r1", "--rest").status == 1
    assert (place.work / "out/x/kept/p").read_text() == "kept/p" and (place.work / "src/a").read_text() == "src.new/a"
    # Folders in which somebody works are the same folders.
    assert (place.work / "lib/c").read_text() == "new\n" and not (place.work / "out/x/o").exists()


def test_the_rights_of_a_folder_stay_as_the_person_has_set_them(place, ringwall, review):  # noqa: F811
    for name in ("keys", "noted", "opened"):
        (place.work / name).mkdir()
        (place.work / name).chmod(0o755)
    review("for name in keys noted opened; do echo n >$name/new; done; chmod 750 opened")
    (place.work / "keys").chmod(0o700)
    os.setxattr(place.work / "noted", "user.note", b"mine")
    said = ringwall("apply", "r1").ok()
    assert "keys/: its mode or attributes may have been changed here" in said and "noted/: " in said
    modes = {name: os.stat(place.work / name).st_mode & 0o777 for name in ("keys", "noted", "opened")}
    assert modes == {"keys": 0o700, "noted": 0o755, "opened": 0o750}
    assert os.getxattr(place.work / "noted", "user.note") == b"mine"
    assert all((place.work / name / "new").exists() for name in modes)
    # Later applies know of it as well.
    assert "keys/: its mode" in ringwall("apply", "r1").ok()
    assert os.stat(place.work / "keys").st_mode & 0o777 == 0o700
    ringwall("apply", "r1", "--", "keys").ok()
    assert os.stat(place.work / "keys").st_mode & 0o777 == 0o755


@needs_root
def test_each_of_several_folders_is_taken_over_as_a_whole(place, ringwall):
    beside = place.work.parent / "beside"
    for folder in (place.work, beside / "closed"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a").write_text("old\n")
    (beside / "b").write_text("old\n")
    script = f"echo new >a; echo new >{beside}/b; echo new >{beside}/closed/a"
    assert ringwall("run", "--review", "--name", "r1", "--rw", beside, "--", "sh", "-c", script).status == 0
    subprocess.run(["chattr", "+i", beside / "closed"], check=True)
    try:
        result = ringwall("apply", "r1")
    finally:
        subprocess.run(["chattr", "-i", beside / "closed"], check=True)
    assert result.status == 1 and "closed/a: cannot be put in place: Operation not permitted" in result.out, result
    assert [(folder / "a").read_text() for folder in (place.work, beside / "closed")] == ["new\n", "old\n"]
    assert (beside / "b").read_text() == "old\n"
