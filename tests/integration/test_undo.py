"""ringwall undo and history: what a run changes or deletes in the real folders can be put back."""

import json
import os
import signal
import stat
import struct
import subprocess
import time

import pytest
from conftest import needs_root

# So much is deleted here that the run would be paused.
UNBRAKED = ("--deleted-files", "none", "--deleted-share", "none")


def listing(folder):
    """Everything below, with what a person sees of it."""
    found = {}
    for here, folders, files in os.walk(os.fsencode(folder)):
        for name in folders + files:
            path = os.path.join(here, name)
            facts = os.lstat(path)
            relative = os.path.relpath(path, os.fsencode(folder))
            content = None
            if stat.S_ISLNK(facts.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(facts.st_mode):
                with open(path, "rb") as file:
                    content = file.read()
            times = None if stat.S_ISDIR(facts.st_mode) else facts.st_mtime_ns
            found[relative] = (facts.st_mode, facts.st_uid, facts.st_gid, times, content)
    return found


@pytest.fixture(autouse=True)
def patient(place):
    """On a busy host too, everything is kept before a command starts."""
    folder = place.home / ".config/ringwall"
    folder.mkdir(parents=True)
    (folder / "policy.toml").write_text('[undo]\nwait = "60s"\n')


def history(ringwall):
    return json.loads(ringwall("history", "--json").ok())


def wait_until_kept(place):
    """The command may start a moment before it is written down what was kept."""
    deadline = time.monotonic() + 60
    while not any((place.state / "undo/runs").glob("*/manifest")):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def fill(work):
    (work / "src").mkdir()
    (work / "src/main.c").write_text("int main(void) { return 0; }\n")
    (work / "src/closed.c").write_text("closed\n")
    (work / "src/closed.c").chmod(0o600)
    (work / "notes").write_text("two years of work\n")
    (work / "notes").chmod(0o640)
    (work / "empty").write_text("")
    (work / "link").symlink_to("src/main.c")
    (work / "large").write_bytes(os.urandom(3_000_000))
    with open(os.fsencode(work) + b"/\xff\n\x1b[31m", "wb") as file:
        file.write(b"any bytes")


def test_a_tree_that_was_deleted_comes_back(ringwall, place):
    fill(place.work)
    before = listing(place.work)
    ringwall.sh("rm -rf ./* && test -z \"$(ls)\"").ok()
    assert len(listing(place.work)) == 0
    ringwall("undo").ok()
    assert listing(place.work) == before


def test_without_it_nothing_comes_back(ringwall, place):
    fill(place.work)
    ringwall.sh("rm -rf ./*", "--no-undo").ok()
    ringwall("undo").refused("nothing is kept")
    assert listing(place.work) == {}


def test_only_what_the_run_did_is_undone(ringwall, place):
    fill(place.work)
    ringwall.sh("echo by the run > notes; rm empty; echo new > added; mv src/main.c moved.c").ok()
    (place.work / "large").write_text("by the person")
    told = ringwall("undo", "--dry-run").ok()
    assert "notes" in told and "empty" in told and "large" not in told
    assert (place.work / "notes").read_text() == "by the run\n"
    ringwall("undo").ok()
    assert (place.work / "notes").read_text() == "two years of work\n"
    assert stat.S_IMODE((place.work / "notes").stat().st_mode) == 0o640
    assert (place.work / "src/main.c").exists() and (place.work / "empty").exists()
    assert (place.work / "large").read_text() == "by the person"
    assert (place.work / "added").read_text() == "new\n"
    name = history(ringwall)[-1]["run"]
    ringwall("undo", name, "--added").ok()
    assert not (place.work / "added").exists() and not (place.work / "moved.c").exists()


def test_what_was_changed_since_is_left_alone_unless_it_is_named(ringwall, place):
    fill(place.work)
    ringwall.sh("echo by the run > notes; echo by the run > empty").ok()
    (place.work / "notes").write_text("by the person")
    told = ringwall("undo")
    assert told.status == 1
    assert "changed after the run" in told.out and "notes" in told.out
    assert (place.work / "notes").read_text() == "by the person"
    assert (place.work / "empty").read_text() == ""
    ringwall("undo", "./notes").ok()
    assert (place.work / "notes").read_text() == "two years of work\n"
    # Even that is not lost.
    undone = history(ringwall)[0]
    assert undone["kind"] == "undo"
    ringwall("undo", undone["id"]).ok()
    assert (place.work / "notes").read_text() == "by the person"


def test_an_undo_can_be_undone(ringwall, place):
    fill(place.work)
    ringwall.sh("rm -r src; echo by the run > notes; echo new > added").ok()
    after = listing(place.work)
    ringwall("undo", "--added").ok()
    ringwall("undo", history(ringwall)[0]["id"]).ok()
    assert listing(place.work) == after


def test_history_says_what_each_run_did(ringwall, place):
    fill(place.work)
    assert history(ringwall) == []
    ringwall.sh("true", "--name", "first").ok()
    ringwall.sh("echo x > notes; rm empty; mv large huge; echo 1234 > new", "--name", "second").ok()
    second, first = history(ringwall)
    assert (first["run"], first["undo"], first["changed"]) == ("first", "nothing", 0)
    assert second["run"] == "second" and second["undo"] == "yes" and second["state"] == "ended"
    assert second["workspace"] == str(place.work)
    did = [second[key] for key in ("added", "changed", "deleted", "renamed", "bytes")]
    assert did == [1, 1, 1, 1, 7]
    assert "1 added, 1 changed, 1 deleted, 1 renamed" in ringwall("history").ok()
    record = [json.loads(line) for line in ringwall("log", "--json", "second").ok().splitlines()]
    changed = [line for line in record if line["event"] == "files_changed"]
    assert [changed[0][key] for key in ("added", "changed", "deleted", "renamed")] == [1, 1, 1, 1]
    # The same name once more is another run.
    ringwall.sh("rm notes", "--name", "second").ok()
    assert [run["run"] for run in history(ringwall)] == ["second", "second", "first"]
    ringwall("undo", "second").ok()
    assert (place.work / "notes").read_text() == "x\n"


def test_it_is_refused_while_a_run_works_there(ringwall, place):
    fill(place.work)
    ringwall.sh("rm notes", "--name", "first").ok()
    run = ringwall.start("run", "--name", "second", "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    ringwall("undo", "first").refused("second", "is going on")
    assert not (place.work / "notes").exists()
    run.communicate(b"\n")
    ringwall("undo", "first").ok()
    assert (place.work / "notes").exists()


def test_a_run_that_is_killed_can_be_undone(ringwall, place):
    fill(place.work)
    before = listing(place.work)
    run = ringwall.start("run", "--", "sh", "-c", "rm -rf ./*; echo done; read line")
    assert run.stdout.readline() == b"done\n"
    wait_until_kept(place)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    place.wait_until_gone(30)
    assert history(ringwall)[0]["state"] == "killed"
    assert "was killed" in ringwall("undo").ok()
    assert listing(place.work) == before


def test_what_is_beyond_the_limit_is_said(ringwall, place):
    fill(place.work)
    ended = ringwall.sh("rm large notes", "--undo-size", "1M")
    assert ended.status == 0
    assert "1 file of before this run could not be put back" in ended.err
    assert "undo.size" in ended.err
    assert history(ringwall)[0]["undo"] == "partly"
    told = ringwall("undo")
    assert told.status == 1, "not everything came back"
    assert "large" in told.out and (place.work / "notes").exists()
    assert not (place.work / "large").exists()


def test_a_path_that_the_run_has_not_touched_is_an_error(ringwall, place):
    """It may be the name of a run that is spelt wrong: nobody shall believe that all is as before."""
    fill(place.work)
    ringwall.sh("rm notes", "--name", "first").ok()
    for words in (("frist",), ("first", "src"), ("/etc/passwd",)):
        ringwall("undo", *words).refused("changed and deleted nothing at", "ringwall history")
    ringwall("undo", "frist").refused("nothing is kept of a run that is called frist")
    ringwall("run", "--review", "--name", "waits", "--", "touch", "notes")
    ringwall("undo", "waits").refused("the run waits is under review", "ringwall discard waits")
    assert "put back 1 file" in ringwall("undo", "notes").ok()


def test_what_is_hidden_is_not_copied(ringwall, place):
    secret = "AKIA" + "QWERTYUIOPASDFGH"
    (place.work / ".env").write_text(f"AWS_ACCESS_KEY_ID={secret}\nTOKEN=0123456789abcdef0123\n")
    (place.work / "notes").write_text("seen\n")
    ringwall("run", "true")
    kept = b"".join(
        path.read_bytes() for path in (place.state / "undo/blobs").rglob("*") if path.is_file()
    )
    assert b"seen" in kept and secret.encode() not in kept


def test_it_starts_no_later_than_it_may_and_keeps_the_rest_meanwhile(ringwall, place):
    for folder in range(30):
        (place.work / f"d{folder}").mkdir()
        for file in range(50):
            (place.work / f"d{folder}/f{file}").write_text(f"{folder} {file}")
    before = listing(place.work)
    # Nothing but a millisecond: whatever was not kept by then is only lost if it is touched first.
    run = ringwall.start("run", "--undo-wait", "1ms", *UNBRAKED, "--", "sh", "-c", "echo up; read line; rm -rf ./*")
    assert run.stdout.readline() == b"up\n"
    wait_until_kept(place)
    _, errors = run.communicate(b"\n")
    # It may be told that not all was seen before the start, and nothing else.
    assert errors == b"" or b"--undo-wait" in errors
    assert b"could not be put back:" not in errors
    assert listing(place.work) == {}
    ringwall("undo").ok()
    assert listing(place.work) == before


def test_where_the_command_was_faster_an_earlier_state_comes_back(ringwall, place):
    """So many files that the look is not over when the first are deleted."""
    work = place.work / "many"
    work.mkdir()
    for number in range(4000):
        (work / f"{number:04}").write_text(f"{number}\n")
    before = listing(work)
    ringwall.sh("true").ok()
    ringwall.sh("rm -rf many", "--undo-wait", "1ms", *UNBRAKED)
    assert not work.exists()
    ringwall("undo").ok()
    assert listing(work) == before


def test_more_than_one_tree(ringwall, place):
    other = place.root / "other"
    other.mkdir()
    (other / "file").write_text("other")
    (place.work / "file").write_text("work")
    ringwall.sh(f"rm file {other}/file", "--rw", str(other)).ok()
    ringwall("undo").ok()
    assert (other / "file").read_text() == "other" and (place.work / "file").read_text() == "work"


def test_damage_is_an_error_and_no_crash(ringwall, place):
    fill(place.work)
    ringwall.sh("rm notes", "--name", "first").ok()
    (manifest,) = (place.state / "undo/runs").glob("*/manifest")
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[:-40])
    ringwall("undo", "first").refused("damaged", "of others it can: ringwall history")
    # The next run looks at everything anew.
    ringwall.sh("rm empty", "--name", "second").ok()
    ringwall("undo", "second").ok()
    manifest.write_bytes(whole)
    ringwall("undo", "first").ok()
    assert (place.work / "notes").exists()


def test_old_runs_go_but_never_the_newest(ringwall, place):
    for number in range(4):
        (place.work / "file").write_bytes(os.urandom(600_000))
        ringwall.sh("rm file", "--name", f"r{number}").ok()
    assert len(history(ringwall)) == 4
    # It looks once in a while only, and while the run goes on.
    (place.state / "undo/looked").unlink()
    run = ringwall.start("run", "--undo-kept", "1M", "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(history(ringwall)) > 2:
        time.sleep(0.05)
    run.communicate(b"\n")
    names = [one["run"] for one in history(ringwall)]
    assert "r0" not in names and "r3" in names
    ringwall("undo", "r3").ok()
    assert (place.work / "file").stat().st_size == 600_000


@pytest.mark.parametrize("words", [["no-such-run", "x"], ["--dry-run", "no-such-run", "x"]])
def test_a_run_that_is_not_known(ringwall, place, words):
    (place.work / "x").write_text("x")
    ringwall.sh("rm x", "--name", "first").ok()
    ringwall("undo", *words).refused("no-such-run", "history")
    assert not (place.work / "x").exists()


def test_what_an_apply_replaced_comes_back(ringwall, place):
    (place.work / "file").write_text("old")
    (place.work / "gone").write_text("gone")
    ringwall.sh("echo new > file; rm gone; echo x > added", "--review", "--name", "look")
    ringwall("apply", "look").ok()
    assert (place.work / "file").read_text() == "new\n" and not (place.work / "gone").exists()
    applied = history(ringwall)[0]
    assert (applied["kind"], applied["run"], applied["undo"]) == ("apply", "look", "yes")
    (place.work / "gone").write_text("by the person")
    assert ringwall("undo", "look").status == 1
    assert (place.work / "file").read_text() == "old"
    assert (place.work / "gone").read_text() == "by the person"
    assert (place.work / "added").exists()


@needs_root
def test_files_belong_to_whom_they_belonged(ringwall, place):
    """Root in a tree of another user, whose closed files it must be able to keep."""
    fill(place.work)
    for path in [place.work, *place.work.rglob("*")]:
        os.chown(path, 1234, 1235, follow_symlinks=False)
    before = listing(place.work)
    ringwall.sh("rm -rf ./*; echo by the run > notes").ok()
    assert (place.work / "notes").read_text() == "by the run\n"
    ringwall("undo").ok()
    assert listing(place.work) == before


def test_one_that_is_broken_holds_up_no_other(ringwall, place):
    """It is named, and ringwall clean removes it."""
    (place.work / "file").write_text("old")
    ringwall.sh("echo new > file", "--name", "good").ok()
    runs = place.state / "undo/runs"
    (runs / "broken@1").mkdir()
    (runs / "broken@1/run").write_text("no proper one")
    (runs / ".removed-gone@1").mkdir()
    (runs / ".removed-gone@1/outcome").write_text("half")
    listed = ringwall("history")
    assert "good" in listed.out and "gone@1" not in listed.out + listed.err
    assert "passed over broken@1 of the history, which is damaged; to remove it: ringwall clean" in listed.err
    assert "passed over" in (undone := ringwall("undo", "good")).err and undone.status == 0
    assert (place.work / "file").read_text() == "old"
    ringwall("clean").ok()
    assert not (runs / "broken@1").exists() and not (runs / ".removed-gone@1").exists()
    assert "passed over" not in ringwall("history").err and len(history(ringwall)) == 2


def test_paths_by_a_link_that_leads_to_the_tree(ringwall, place):
    fill(place.work)
    link = place.root / "link"
    link.symlink_to(place.work)
    ringwall.sh("rm notes empty; rm -r src; ln -s . src").ok()
    ringwall("undo", str(link / "notes")).ok()
    assert (place.work / "notes").exists() and not (place.work / "empty").exists()
    # A link that the run has put there leads nobody astray.
    ringwall("undo", str(link / "src/main.c"), str(link / "src")).ok()
    assert (place.work / "src/main.c").exists()
    ringwall("undo", str(link)).ok()
    assert (place.work / "empty").exists()


def test_a_long_command_takes_one_line_of_the_history(ringwall, place):
    fill(place.work)
    words = "do this and that, " * 100
    ringwall.sh(f"rm notes; : '{words}'").ok()
    lines = ringwall("history").ok().splitlines()
    assert len(lines) == 2 and "…" in lines[1] and len(lines[1]) < 300
    assert words in history(ringwall)[0]["command"]


def access_list(user, mask):
    """An entry for somebody else, as the kernel takes it: nothing for the group, and `mask` where its bits stand."""
    entries = [(1, 6, -1), (2, user, 4321), (4, 0, -1), (16, mask, -1), (32, 0, -1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


def test_access_lists_come_back_and_the_group_gets_no_right_by_it(ringwall, place):
    (place.work / "lists").mkdir()
    file = place.work / "lists/file"
    file.write_text("for two\n")
    wanted = {file: access_list(6, 6), file.parent: access_list(7, 7)}
    os.setxattr(file, "system.posix_acl_access", wanted[file])
    os.setxattr(file.parent, "system.posix_acl_default", wanted[file.parent])
    before = listing(place.work)
    ringwall.sh("echo changed >lists/file; rm -r lists", "--name", "r1").ok()
    assert not file.exists()
    ringwall("undo", "r1").ok()
    assert listing(place.work) == before
    assert os.getxattr(file, "system.posix_acl_access") == wanted[file]
    assert os.getxattr(file.parent, "system.posix_acl_default") == wanted[file.parent]


def test_times_come_back_also_where_the_content_is_the_same(ringwall, place):
    for name in ("touched", "touched and written since"):
        (place.work / name).write_text("a")
        os.utime(place.work / name, (1e9, 1e9))
    ringwall("run", "--name", "x", "--", "touch", "touched", "touched and written since").ok()
    (place.work / "touched and written since").write_text("a")
    ringwall("undo", "x").ok()
    assert (place.work / "touched").stat().st_mtime == 1e9
    assert (place.work / "touched and written since").stat().st_mtime > 1e9  # the person's
    assert "nothing is left" in ringwall("undo", "x").ok()


def test_two_names_of_one_file_come_back_as_that(ringwall, place):
    (place.work / "one").write_text("both\n")
    (place.work / "folder").mkdir()
    (place.work / "folder/two").hardlink_to(place.work / "one")
    (place.work / "same").write_text("both\n")
    os.utime(place.work / "same", ns=(0, os.stat(place.work / "one").st_mtime_ns))
    before = listing(place.work)
    ringwall.sh("echo more >>one; rm -r folder same", "--name", "r1").ok()
    ringwall("undo", "r1").ok()
    assert listing(place.work) == before
    assert os.path.samefile(place.work / "one", place.work / "folder/two")
    assert os.stat(place.work / "one").st_nlink == 2 and os.stat(place.work / "same").st_nlink == 1


def test_attributes_of_folders_come_back(ringwall, place):
    for name in ("gone", "changed", "mine", "same"):
        (place.work / name).mkdir()
        os.setxattr(place.work / name, "user.keep", b"v")
    ringwall.python("import os; os.rmdir('gone'); [os.setxattr(n, 'user.keep', b'other') for n in ('changed', 'mine')]",
                    "--name", "r1").ok()
    os.setxattr(place.work / "mine", "user.keep", b"the person's")
    undone = ringwall("undo", "r1")
    assert f"{place.work}/mine: it was changed after the run" in undone.out + undone.err

    def values():
        return [os.getxattr(place.work / name, "user.keep") for name in ("gone", "changed", "mine", "same")]

    assert values() == [b"v", b"v", b"the person's", b"v"]
    ringwall("undo", "r1", place.work / "mine").ok()
    assert values() == [b"v"] * 4
    ringwall("undo", history(ringwall)[0]["id"]).ok()
    assert values() == [b"v", b"v", b"the person's", b"v"]


DEEP = """import os
for _ in range(300):
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
open("end", "w")"""


def test_paths_that_are_too_long_hold_up_nothing(ringwall, place):
    """A kernel takes 4,095 bytes of a path at once."""
    (place.work / "file").write_text("two years of work\n")
    ringwall.python("import os; os.unlink('file')\n" + DEEP, "--name", "r1").ok()
    ringwall("undo", "r1").ok()
    assert (place.work / "file").read_text() == "two years of work\n"
    assert ringwall.sh("rm -r d*; echo other >file", "--name", "r2").status == 0
    ringwall("undo", "r2")
    assert (place.work / "file").read_text() == "two years of work\n"
    subprocess.run(["rm", "-r", place.work / ("d" * 20)], check=True)  # others can name it no better


@pytest.fixture
def large(ringwall, place):
    """A tree that takes longer to look at than a short command takes, and that a run has kept."""
    for folder in range(100):
        (place.work / f"d{folder}").mkdir()
        for name in range(200):
            (place.work / f"d{folder}/{name}").touch()
    (place.work / "mine").write_text("mine\n")
    (place.work / "notes").write_text("two years of work\n")
    (place.work / "d7/gone").write_text("gone\n")
    ringwall.sh("true").ok()
    return place.work


def test_a_short_run_in_a_large_tree_is_undone(ringwall, large):
    """Where it is over before all was looked at, what it did is found out by the clocks."""
    (large / "mine").write_text("edited between the runs\n")
    short = ("--undo-wait", "1ms", *UNBRAKED)
    # Where the look is quick after all, it says what the command was faster to change.
    assert ringwall.sh("echo bad > notes; rm d7/gone; echo x > made", *short).status == 0
    assert ringwall.sh("true", *short).status == 0
    done = history(ringwall)
    did = [(line["deleted"], line["changed"], line["added"]) for line in done]
    assert did == [(0, 0, 0), (1, 1, 1), (0, 0, 0)]
    ringwall("undo").ok()
    assert (large / "notes").read_text() == "two years of work\n"
    assert (large / "d7/gone").read_text() == "gone\n"
    assert (large / "mine").read_text() == "edited between the runs\n"


def test_files_that_no_run_has_looked_at_yet_come_back(ringwall, place, large):
    """Names that came since the last look are waited for, however large the tree is."""
    (place.home / ".config/ringwall/policy.toml").unlink()
    (large / "new").mkdir()
    for name in range(15):
        (large / f"new/{name}").write_text(f"{name}\n")
    before = listing(large)
    ringwall.sh("rm -r new", *UNBRAKED).ok()
    ringwall("undo").ok()
    assert listing(large) == before


def test_what_was_changed_after_a_short_run_is_left_alone(ringwall, large):
    assert ringwall.sh("echo bad > notes", "--undo-wait", "1ms").status == 0
    (large / "notes").write_text("written again\n")
    result = ringwall("undo", "--json")
    assert (large / "notes").read_text() == "written again\n"
    left = json.loads(result.out)["left"]
    assert [(one["path"], one["conflict"]) for one in left] == [(str(large / "notes"), True)]


def git(work, *words):
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *settings, *words], cwd=work, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"})
    assert done.returncode == 0, done
    return done.stdout


@pytest.mark.parametrize("many", [0, 5000], ids=["small", "large"])
def test_an_index_that_git_status_has_written_since_is_put_back(ringwall, place, many):
    """A prompt's or an editor's `git status` is nothing that the person did to it."""
    for name in ("one", "two"):
        (place.work / name).write_text(name)
    git(place.work, "init", "-q")
    git(place.work, "add", "one", "two")
    git(place.work, "commit", "-qm", "first")
    for n in range(many):  # beyond what is compared at the end of a short run
        (place.work / f"untracked{n}").write_text("")
    ringwall.sh("true", "--undo-wait", "60s").ok()
    ringwall.sh("echo changed >one; git add one", "--undo-wait", "60s").ok()
    index = place.work / ".git/index"
    before = index.stat().st_mtime_ns, index.stat().st_ino
    os.utime(place.work / "two", ns=(1, 1))
    assert git(place.work, "status", "--porcelain", "-uno") == "M  one\n"
    assert (index.stat().st_mtime_ns, index.stat().st_ino) != before
    ringwall("undo").ok()
    assert git(place.work, "status", "--porcelain", "-uno") == ""


def test_an_index_in_which_the_person_has_staged_something_is_left_alone(ringwall, place):
    for name in ("one", "two"):
        (place.work / name).write_text(name)
    git(place.work, "init", "-q")
    git(place.work, "add", "one", "two")
    git(place.work, "commit", "-qm", "first")
    ringwall.sh("echo changed >one; git add one").ok()
    (place.work / "two").write_text("by the person")
    git(place.work, "add", "two")
    told = ringwall("undo")
    assert told.status == 1 and ".git/index" in told.out
    assert "M  two" in git(place.work, "status", "--porcelain")
