"""ringwall apply: what a run under review has changed is taken over, and nothing of the person's is lost."""

import fcntl
import json
import os
import signal
import subprocess
import time

import pytest
from conftest import needs_root
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


def test_who_discards_the_rest_hears_that_a_part_stays(place, ringwall, review):
    review("echo more >>a.txt; echo more >>b.txt")
    ringwall("apply", "r1", "--", "a.txt").ok()
    said = ringwall("discard", "r1").ok()
    assert "as they were" not in said and "stays in" in said and "ringwall undo r1" in said
    ringwall("undo", "r1").ok()
    assert {n: (place.work / n).read_text() for n in BEFORE} == BEFORE
    # One of which nothing was taken over.
    review("echo more >>a.txt", "r2")
    ringwall("apply", "r2", "--dry-run").ok()
    assert "as they were" in ringwall("discard", "r2").ok()


def test_it_can_be_undone(place, ringwall, review):
    before = tree(place.work)
    review("echo more >>a.txt; rm -r gone.txt folder; echo new >new")
    ringwall("apply").ok()
    assert (place.work / "a.txt").read_text() == "one\nmore\n"
    ringwall("undo", "--added").ok()
    assert tree(place.work) == before
    assert list((place.state / "undo/runs").glob("*/journal")) == []


COUNTED = "2 added, 1 changed, 3 deleted, 1 renamed"


def test_the_end_the_diff_and_the_apply_count_alike(place, ringwall, review):
    """Folders are no files, times alone no changes, and a renaming is one."""
    (place.work / "folder/y").write_text("y\n")
    (place.work / "named").write_text("this has another name later\n")
    ended = review("echo more >>a.txt; rm -r gone.txt folder; mkdir -p new/deep; echo n >new/deep/n; echo n >n;"
                   "mv named renamed; touch b.txt; mkdir empty")
    assert COUNTED in ended.err, ended.err
    assert COUNTED in ringwall("diff", "--stat").ok().splitlines()[-1]
    assert ringwall("apply", "--dry-run").ok() == f"would take over {COUNTED}"
    assert ringwall("apply").ok().splitlines()[0] == f"took over {COUNTED}"
    # What was renamed lies under its old name again, and the new one was added; b.txt has its time again.
    undone = ringwall("undo").ok()
    assert undone.startswith("put back 6 files") and "3 files that the run added stay" in undone


def test_a_part_is_counted_as_a_part(place, ringwall, review):
    (place.work / "named").write_text("this has another name later\n")
    review("echo more >>a.txt; mv named renamed; mkdir empty; echo n >n")
    assert ringwall("diff", "--stat", "--", "a.txt").ok().splitlines()[-1].startswith("1 changed, ")
    assert ringwall("apply", "r1", "--", "empty").ok().startswith("took over 1 folder\n")
    assert ringwall("apply", "r1", "--", "renamed").ok().startswith("took over 1 added\n")
    assert ringwall("apply", "r1").ok().startswith("took over 1 added, 1 changed, 1 deleted\n")


def test_a_dry_run_changes_nothing(place, ringwall, review):
    review("echo more >>a.txt; rm gone.txt")
    before = tree(place.work)
    assert ringwall("apply", "--dry-run").ok() == "would take over 1 changed, 1 deleted"
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
        assert "cannot" not in ringwall("history").err  # which finishes it, if nobody has
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
    shown.expect("took over 1 added, 1 changed, 1 deleted")
    assert shown.status() == 0
    assert (place.work / "a.txt").read_text() == "one\nmore\n"
    assert (place.work / "b.txt").read_text() == "two\n"
    assert (place.work / "new/1").exists() and not (place.work / "folder").exists()
    assert not (place.work / "Makefile").exists()


def test_picking_says_what_is_another_besides_the_content(place, review, run_at):  # noqa: F811
    (place.work / "a.txt").chmod(0o644)
    review("chmod 755 a.txt; rm b.txt; ln -s a.txt b.txt")
    shown = run_at("apply", "r1", "--pick")
    shown.expect(r"a\.txt.*, mode 0644 -> 0755\s+take it over")
    shown.send("y\n")
    shown.expect(r"b\.txt.*, was a file, is a link\s+take it over")
    shown.send("y\n")
    shown.expect("took over 2 changed")
    assert shown.status() == 0


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


def test_a_file_that_its_owner_has_closed_is_kept_for_undo(place, ringwall, review):
    closed = place.work / "closed"
    closed.write_text("precious\n")
    closed.chmod(0)
    review("rm -f closed; echo new >a.txt")
    assert ringwall("apply", "r1").ok() == "took over 1 changed, 1 deleted\nto undo this: ringwall undo r1"
    assert not closed.exists()
    ringwall("undo", "r1").ok()
    assert closed.stat().st_mode & 0o777 == 0
    closed.chmod(0o600)
    assert closed.read_text() == "precious\n"


@needs_root
def test_what_cannot_be_kept_is_held_back_and_undo_of_it_not_promised(place, ringwall, ordinary):
    """A file of another user in a folder of the person's: it can be deleted, and not be read."""
    closed = place.work / "closed"
    closed.write_text("of root\n")
    closed.chmod(0o600)
    ringwall("run", "--review", "--name", "r2", "--", "rm", "-f", "closed", prefix=ordinary)
    held = ringwall("apply", "r2", prefix=ordinary)
    assert "closed: cannot be read here, so that undo could not bring it back" in held.out, held
    assert closed.exists() and "to undo" not in held.out
    named = ringwall("apply", "r2", "--", "closed", prefix=ordinary)
    assert not closed.exists() and "cannot be undone: " in named.out and "to undo" not in named.out, named


def test_the_diff_shows_what_was_closed(place, ringwall, review):
    review("echo evil >a.txt; chmod 000 a.txt")
    shown = ringwall("diff", "r1").ok()
    assert "+evil" in shown and "-one" in shown and "mode 0644 -> 0000" in shown
    ringwall("apply", "r1").ok()
    review("chmod 644 a.txt", "r2")
    assert "mode 0000 -> 0644" in ringwall("diff", "r2").ok()


def test_a_folder_that_nobody_could_look_into_stays_as_it_is(place, ringwall, review):
    review("echo evil >folder/x; chmod 000 folder; echo new >a.txt")
    if os.geteuid() == 0:
        pytest.skip("root can look into every folder")
    ringwall("apply", "r1", "--rest")
    assert (place.work / "a.txt").read_text() == "new\n"
    assert (place.work / "folder").stat().st_mode & 0o777 == 0o755 and (place.work / "folder/x").read_text() == "x\n"


def test_paths_that_are_too_long_stay_and_hold_up_nothing(place, ringwall, review):
    """A kernel takes 4,095 bytes of a path at once."""
    review("""echo new >a.txt; exec /usr/bin/python3 -c 'import os
for _ in range(300):
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
open("end", "w")'""")
    said = "what lies in it has paths longer than programs can use"
    assert said in ringwall("diff", "r1").out
    refused = ringwall("apply", "r1")
    assert refused.status == 1 and (place.work / "a.txt").read_text() == "one\n"
    rest = ringwall("apply", "r1", "--rest")
    assert said in rest.out + rest.err and (place.work / "a.txt").read_text() == "new\n"
    history = ringwall("history")
    assert history.status == 0 and "cannot finish" not in history.err and "killed" not in history.out
    ringwall("undo", "r1", "--added").ok()
    assert not (place.work / ("d" * 20)).exists()
    assert (place.work / "a.txt").read_text() == "one\n"
    ringwall("discard", "r1").ok()


def test_the_diff_says_how_to_see_what_it_does_not_show(place, ringwall, review):
    review("printf 'evil\\n\\0' >a.txt")
    shown = ringwall("diff", "r1").ok()
    assert f"to see it: ringwall shell r1 -- cat {place.work}/a.txt" in shown
    assert ringwall("shell", "r1", "--", "cat", place.work / "a.txt").ok() == "evil\n\0"


def test_a_conflict_says_how_to_get_the_other_version(place, ringwall, review):
    review("echo theirs >a.txt")
    (place.work / "a.txt").write_text("mine\n")
    said = ringwall("apply", "r1").out
    way = f"ringwall shell r1 -- cat {place.work}/a.txt > {place.work}/a.txt.of-the-run"
    assert way in said, said
    assert ringwall("shell", "r1", "--", "cat", place.work / "a.txt").ok() == "theirs"


def test_two_at_the_same_time_do_not_disturb_each_other(place, ringwall, review):
    """Each in a workspace of its own; what each says is true afterwards."""
    names = [f"f{n}" for n in range(60)]
    folders = [place.home / f"side-{n}" for n in range(3)]
    for folder in folders:
        folder.mkdir()
        for name in names:
            (folder / name).write_text("old")
        ringwall.sh("for f in f*; do printf new >$f; done", "--review", "--name", folder.name, cwd=folder)
    running = [ringwall.start("apply", folder.name, cwd=folder) for folder in folders]
    for folder, process in zip(folders, running):
        out, err = process.communicate(timeout=120)
        expected = f"took over 60 changed\nto undo this: ringwall undo {folder.name}\n"
        assert (out.decode(), err.decode(), process.returncode) == (expected, "", 0)
    for folder in folders:
        assert "left alone" not in ringwall("undo", folder.name, cwd=folder).ok()
        assert {(folder / name).read_text() for name in names} == {"old"}


def test_what_was_begun_is_finished_before_it_is_discarded(place, ringwall, review):
    """Killed at any moment, the files are never left half as before by a discard."""
    names = [f"many{n}" for n in range(200)]
    for number, delay in enumerate((0.01, 0.02, 0.03, 0.05)):
        for name in names:
            (place.work / name).write_text("old")
        review("for n in $(seq 0 199); do printf new >many$n; done", f"k{number}")
        running = ringwall.start("apply", f"k{number}")
        time.sleep(delay)
        running.kill()
        running.communicate()
        if f"k{number}" in reviews(place):
            ringwall("discard", f"k{number}")
        assert len({(place.work / name).read_text() for name in names}) == 1
        assert reviews(place) == []


@pytest.fixture
def state_elsewhere(place):
    """Ringwall's state on another, small filesystem than the workspace."""
    state = place.home / ".local/state"
    state.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "none", state], check=True)
    yield state
    subprocess.run(["umount", "-l", state], check=True)


@needs_root
def test_without_room_for_what_is_replaced_nothing_is_taken_over(place, ringwall, review, state_elsewhere):
    for number in range(10):
        (place.work / f"f{number}").write_bytes(os.urandom(500_000))
    before = tree(place.work)
    review("for f in f?; do echo new >$f; done; rm f9")
    filler = state_elsewhere / "filler"
    free = os.statvfs(state_elsewhere)
    filler.write_bytes(b"x" * (free.f_bavail * free.f_frsize - 2_000_000))
    ringwall("apply", "r1").refused("nothing was taken over: there is no room to keep", "make room where")
    assert tree(place.work) == before and reviews(place) == ["r1"]
    filler.unlink()
    ringwall("apply", "r1").ok()
    assert (place.work / "f0").read_text() == "new\n"
    ringwall("undo", "r1").ok()
    assert tree(place.work) == before


@needs_root
def test_killed_with_its_state_elsewhere_it_leaves_nothing_in_the_workspace(place, ringwall, review, state_elsewhere):
    test_killed_at_any_moment_it_is_finished_by_the_next(place, ringwall, review)


@pytest.fixture
def small_workspace(place):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place.work], check=True)
    yield
    subprocess.run(["umount", "-l", place.work], check=True)


@needs_root
def test_without_room_in_the_workspace_nothing_is_taken_over(place, ringwall, small_workspace, review):
    review("head -c 1000000 /dev/urandom >large; echo new >a.txt")
    (place.work / "filler").write_bytes(b"x" * 1_300_000)
    before = tree(place.work)
    ringwall("apply", "r1").refused("nothing was taken over: ", "No space left", f"make room where {place.work}")
    assert tree(place.work) == before and reviews(place) == ["r1"]
    (place.work / "filler").unlink()
    ringwall("apply", "r1").ok()
    assert (place.work / "large").stat().st_size == 1_000_000 and (place.work / "a.txt").read_text() == "new\n"


def test_times_alone_are_told_by_number_and_taken_over(place, ringwall, review):
    said = review("touch -d @77 a.txt b.txt; echo more >>folder/x")
    assert "2 files" in said.err and "other times alone" in said.err
    shown = ringwall("diff").ok()
    assert "and 2 with another time alone" in shown and "a.txt" not in shown
    assert "another time, and nothing else" in ringwall("diff", "--", "a.txt").ok()
    os.utime(place.work / "b.txt", (88, 88))
    ringwall("apply").ok()
    assert os.stat(place.work / "a.txt").st_mtime == 77
    assert os.stat(place.work / "b.txt").st_mtime == 88
    assert (place.work / "folder/x").read_text() == "x\nmore\n" and reviews(place) == []


def test_what_is_replaced_is_moved_into_the_store_and_not_copied(place, ringwall, review):
    before = os.stat(place.work / "a.txt").st_ino
    review("echo more >>a.txt")
    ringwall("apply").ok()
    kept = {os.stat(path).st_ino for path in (place.state / "undo/blobs").glob("*/*")}
    assert before in kept
    ringwall("undo").ok()
    assert (place.work / "a.txt").read_text() == "one\n"


def test_while_a_run_goes_on_what_is_replaced_is_copied(place, ringwall, review):
    """It may have such a file open, and must not get at what is kept."""
    review("echo more >>a.txt")
    inode = os.stat(place.work / "a.txt").st_ino
    run = ringwall.start("run", "--name", "other", "--", "sh", "-c", "exec 3<a.txt; echo up; read line")
    assert run.stdout.readline() == b"up\n"
    ringwall("apply").ok()
    run.communicate(b"\n")
    kept = {os.stat(path).st_ino for path in (place.state / "undo/blobs").glob("*/*")}
    assert inode not in kept
    ringwall("undo", "r1").ok()
    assert (place.work / "a.txt").read_text() == "one\n"


def apply_beside_a_run(place, ringwall, review):
    review("echo new >>a.txt")
    process = ringwall.start("run", "--name", "direct", "--", "sleep", "60")
    try:
        ringwall.wait_for_run("direct")
        return ringwall("apply", "r1")
    finally:
        process.terminate()
        process.communicate(timeout=120)


@needs_root
def test_beside_a_run_that_could_change_what_waits_in_the_tree_it_is_refused(place, ringwall, review, state_elsewhere):
    apply_beside_a_run(place, ringwall, review).refused("the run direct is going on there", "ringwall stop direct")
    assert (place.work / "a.txt").read_text() == "one\n"
    ringwall("apply", "r1").ok()


def test_beside_a_run_that_reaches_nothing_of_it_it_is_done(place, ringwall, review):
    apply_beside_a_run(place, ringwall, review).ok()
    assert (place.work / "a.txt").read_text() == "one\nnew\n"


def test_a_run_that_is_started_meanwhile_waits_for_its_end(place, ringwall, review):
    review("echo new >>a.txt")
    processes = []
    (place.state / "undo").mkdir(mode=0o700, exist_ok=True)
    with open(place.state / "undo/lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # what an apply waits for when it has said that it is there
        try:
            processes.append(ringwall.start("apply", "r1"))
            time.sleep(0.5)
            processes.append(ringwall.start("run", "--no-undo", "--", "cat", "a.txt"))
            time.sleep(1)
            assert processes[1].poll() is None
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)
            told = [process.communicate(timeout=120) for process in processes]
    assert b"took over" in told[0][0], told
    assert told[1][0] == b"one\nnew\n", told
    assert not any((place.state / "placing").iterdir())


def test_in_a_folder_by_the_name_of_a_link(place, ringwall, review):
    review("echo new >>a.txt; rm b.txt; echo y >folder/x")
    link = place.root / "link"
    link.symlink_to(place.work)
    there = {"cwd": str(link), "env": {"PWD": str(link)}}
    assert "a.txt" in ringwall("diff", "--no-pager", "--stat", **there).ok()
    assert "b.txt" not in ringwall("diff", "r1", "--no-pager", "--", "a.txt", **there).ok()
    ringwall("apply", "--", "a.txt", **there).ok()
    ringwall("apply", "--", str(link / "folder"), **there).ok()
    assert (place.work / "a.txt").read_text() == "one\nnew\n" and (place.work / "b.txt").exists()
    assert (place.work / "folder/x").read_text() == "y\n"
    ringwall("apply", **there).ok()
    assert not (place.work / "b.txt").exists()


@needs_root
def test_what_waits_in_the_tree_is_put_in_place_before_another_run_starts(place, ringwall, review, state_elsewhere):
    """An apply was killed. Who runs there next must not change what the person has looked at."""
    names = [f"many{number}" for number in range(3000)]
    for name in names:
        (place.work / name).write_text("old")
    review("for n in $(seq 0 2999); do printf new >many$n; done")
    applying = ringwall.start("apply", "r1")
    plans = place.state / "undo/runs"
    while applying.poll() is None and not any(plans.glob("*/journal/*/plan")):
        time.sleep(0.0005)
    applying.kill()
    applying.communicate()
    told = ringwall.sh("cat many* | sed s/new//g | wc -c; ls -A | grep -c staging; echo 'x' >>a.txt").ok()
    assert told.split() == ["0", "0"]
    assert {(place.work / name).read_text() for name in names} == {"new"}
    assert reviews(place) == [] and not any((place.state / "placing").iterdir())
