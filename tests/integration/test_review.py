"""ringwall run --review, shell and discard: the run works on a view, and the real files stay as they are."""

import json
import os
import signal
import subprocess
import time

import pytest
from conftest import needs_root, not_for_root


def listing(folder):
    """Everything below, with content and times."""
    found = {}
    for top, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(top, name)
            facts = os.lstat(path)
            content = open(path, "rb").read() if os.path.isfile(path) and not os.path.islink(path) else None
            found[path] = (facts.st_mode, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino, content)
    return found


@pytest.fixture
def tree(place):
    (place.work / "sub").mkdir()
    (place.work / "a").write_text("one\n")
    (place.work / "sub/b").write_text("two\n")
    (place.work / "link").symlink_to("a")
    return place.work


def reviews(place):
    folder = place.state / "reviews"
    return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []


CHANGES = "echo more >>a; rm sub/b; echo new >n; mkdir d; echo x >d/x; ln -sf n link; chmod 600 a; mv sub sub2"


def test_the_real_files_stay(ringwall, bare, place, tree):
    before = listing(tree)
    result = ringwall("run", "--review", "--name", "one", "--", "sh", "-ec", CHANGES + "; cat a; ls")
    assert result.status == 0, result
    assert result.out.split() == ["one", "more", "a", "d", "link", "n", "sub2"]
    assert listing(tree) == before
    assert reviews(place) == ["one"]
    # What was done is on the screen, and what to do next.
    for word in ("a ", "sub/", "n ", "d/", "ringwall diff one", "ringwall apply one", "ringwall discard one"):
        assert word in result.err, result
    assert bare("sh", "-ec", f"cd {tree}; {CHANGES}").status == 0
    assert listing(tree) != before


def test_the_record_says_what_was_done(ringwall, place, tree):
    result = ringwall("run", "--review", "--json", "--name", "one", "--", "sh", "-ec", CHANGES)
    lines = [json.loads(line) for line in result.err.splitlines()]
    (told,) = [line for line in lines if line["event"] == "files_changed"]
    assert told["review"] is True and told["deleted"] >= 1 and told["added"] >= 2
    logged = [json.loads(line) for line in ringwall("log", "one", "--json").ok().splitlines()]
    assert any(line["event"] == "files_changed" for line in logged)


def test_a_run_that_changes_nothing_leaves_no_review(ringwall, place, tree):
    result = ringwall("run", "--review", "--", "sh", "-c", "cat a; touch -c a; true")
    assert "has changed nothing" in result.err and "ringwall apply" not in result.err
    assert reviews(place) == []


def test_one_that_cannot_start_leaves_none_either(ringwall, place, tree):
    assert ringwall("run", "--review", "--", "no-such-program").status == 127
    ringwall("run", "--review", "--ro", "/no/such/folder", "--", "true").refused("/no/such/folder")
    assert reviews(place) == []


def test_several_side_by_side(ringwall, place, tree):
    for name in ("one", "two"):
        assert ringwall("run", "--review", "--name", name, "--", "sh", "-c", f"echo {name} >>a; cat a").out == f"one\n{name}\n"
    assert (tree / "a").read_text() == "one\n"
    assert reviews(place) == ["one", "two"]
    for name in ("one", "two"):
        assert ringwall("shell", name, "--", "cat", "a").out == f"one\n{name}\n"


def test_a_name_that_waits_is_not_taken_again(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    ringwall("run", "--review", "--name", "one", "--", "true").refused("waits for you", "ringwall discard one")
    # By itself it gets another one, with and without a review.
    ringwall("run", "--review", "--", "sh", "-c", "echo >n")
    assert reviews(place) == ["one", "project-1"]
    assert ringwall("run", "--", "sh", "-c", "echo $RINGWALL_RUN; hostname").status == 0
    ringwall("run", "--review", "--", "sh", "-c", "echo >n")
    assert reviews(place) == ["one", "project-1", "project-2"]


def test_every_folder_that_may_be_changed_is_under_review(ringwall, place, tree):
    other = place.home / "other"
    other.mkdir()
    ringwall("run", "--review", "--name", "one", "--rw", str(other), "--", "sh", "-ec", f"echo x >{other}/f; cat {other}/f")
    assert list(other.iterdir()) == []
    assert ringwall("shell", "one", "--", "cat", f"{other}/f").out == "x\n"


def test_a_file_by_itself_cannot_be(ringwall, place, tree):
    (place.home / "file").write_text("x")
    ringwall("run", "--review", "--rw", str(place.home / "file"), "--", "echo", "RAN").refused("is no folder", "--review")


def test_a_folder_apart(ringwall, place, tree):
    script = "mkdir -p node_modules/x; echo y >node_modules/x/y; echo >n"
    result = ringwall("run", "--review", "--name", "one", "--apart", "node_modules", "--", "sh", "-ec", script)
    assert "node_modules" not in result.err
    assert not (tree / "node_modules").exists()
    # It persists for the next one, and only there.
    assert ringwall("run", "--review", "--apart", "node_modules", "--", "cat", "node_modules/x/y").out == "y\n"
    assert ringwall("run", "--review", "--", "cat", "node_modules/x/y").status == 1
    ringwall("run", "--apart", "node_modules", "--", "echo", "RAN").refused("files.apart", "--review")
    ringwall("run", "--review", "--apart", "../x", "--", "echo", "RAN").refused("../x")


def test_what_cannot_be_judged_under_review_is_refused(ringwall, tree):
    flags = ["--exec", "allow", "--allow-program", "bash", "--allow-program", "built-here"]
    ringwall("run", "--review", *flags, "--", "echo", "RAN").refused("under review")


def test_hidden_files_stay_hidden(ringwall, place, tree):
    (tree / ".env").write_text("KEY=abcdefghijklmnopqrstuvwxyz012345\n")
    result = ringwall("run", "--review", "--", "sh", "-c", "cat .env; cp .env x; mv .env y; rm -f .env; cat x y; cat .env")
    assert "abcdef" not in result.out
    assert "abcdef" in ringwall("run", "--review", "--show", ".env", "--", "cat", ".env").out


def test_git_works_and_its_folder_stays(ringwall, place, tree):
    def git(*words):
        return subprocess.run(["git", *words], cwd=tree, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", "a")
    git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "one")
    before = listing(tree / ".git")
    script = (
        "git -c user.name=y -c user.email=y@example.org commit -qam two --allow-empty; git checkout -qb topic;"
        "git config alias.x status; git remote add o https://example.org/x; echo '#!/bin/sh' >.git/hooks/pre-push; git log --oneline topic"
    )
    result = ringwall("run", "--review", "--name", "one", "--", "sh", "-ec", script)
    assert result.status == 0 and len(result.out.splitlines()) == 2, result
    assert "runs outside later" in result.err and "pre-push" in result.err
    after = listing(tree / ".git")
    assert {path: facts[4] for path, facts in after.items()} == {path: facts[4] for path, facts in before.items()}


def test_an_index_that_git_has_only_refreshed_is_no_change(ringwall, place, tree):
    def git(*words):
        return subprocess.run(["git", *words], cwd=tree, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "one")
    os.utime(tree / "a")  # which git finds out, and notes
    inside = ringwall("run", "--review", "--", "sh", "-ec", "before=$(md5sum <.git/index); git status --short;"
                      'test "$before" != "$(md5sum <.git/index)"; git config core.untrackedCache; git update-index --test-untracked-cache')
    assert inside.status == 0 and inside.out.splitlines()[0] == "true", inside
    assert "has changed nothing" in inside.err and reviews(place) == []
    # What is staged is one.
    (tree / "a").write_text("other\n")
    assert "1 file of git's own" in ringwall("run", "--review", "--name", "two", "--", "git", "update-index", "--cacheinfo",
                                             f"100644,{git('hash-object', '-w', 'sub/b').strip()},a").err
    assert reviews(place) == ["two"]


def test_new_files_are_seen_by_git_whatever_it_remembers(ringwall, place, tree):
    """Its cache of untracked files goes by the times of folders, also of such as are copied up."""
    subprocess.run("git init -q && git add a && git -c user.name=x -c user.email=x@example.org commit -qm one",
                   shell=True, cwd=tree, check=True)
    script = ("git status --short | sort; sleep 1; git status --short >/dev/null; echo n >sub/n; git status --short -uall | sort;"
              "sleep 1; git status --short -uall >/dev/null; rm sub/b; mkdir -p sub/deep; echo d >sub/deep/d; git status --short -uall | sort")
    shown = ringwall("run", "--review", "--", "sh", "-ec", script)
    assert shown.out.splitlines() == ["?? link", "?? sub/", "?? link", "?? sub/b", "?? sub/n", "?? link", "?? sub/deep/d", "?? sub/n"], shown


# ---------------------------------------------------------------------------
# Looking around


def test_a_shell_changes_nothing(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-ec", CHANGES)
    before = listing(place.state / "reviews")
    result = ringwall("shell", "one", "--", "sh", "-c", "cat a n d/x; ls; echo x >a; rm n; mkdir m; mv sub2 s; true")
    assert result.out.split() == ["one", "more", "new", "x", "a", "d", "link", "n", "sub2"]
    assert result.err.count("Read-only file system") == 4
    assert listing(place.state / "reviews") == before
    assert reviews(place) == ["one"]


def test_a_shell_without_a_name(ringwall, place, tree):
    ringwall("shell", "--", "true").refused("no review waits")
    ringwall("run", "--review", "--", "sh", "-c", "echo 1 >n")
    ringwall("run", "--review", "--", "sh", "-c", "echo 2 >n")
    assert ringwall("shell", "--", "cat", "n").out == "2\n"
    ringwall("shell", "project-9", "--", "true").refused("project-9", "ringwall history")


def test_a_shell_reaches_nothing(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    script = "import os, socket\nprint(sorted(os.listdir(os.environ['HOME'])))\ntry:\n socket.create_connection(('1.1.1.1', 443), 1)\nexcept OSError as e: print('no')"
    assert ringwall("shell", "one", "--", "/usr/bin/python3", "-c", script).out == "['project']\nno\n"


def test_a_shell_changes_nothing_whatever_the_policy_says(ringwall, place, tree):
    other = place.home / "other"
    other.mkdir()
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    config = place.home / ".config/ringwall"
    config.mkdir(parents=True)
    (config / "policy.toml").write_text(f'[files]\nreview = true\napart = ["build"]\nwrite = ["{other}"]\n')
    result = ringwall("shell", "one", "--", "sh", "-c", f"ls n; echo x >{other}/f; mkdir build; echo x >build/x; echo x >m; true")
    assert result.out == "n\n" and not (other / "f").exists(), result
    assert not (tree / "m").exists() and not (tree / "build").exists()
    assert reviews(place) == ["one"]


def test_a_shell_in_a_moved_workspace_is_refused(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    moved = tree.with_name("moved")
    tree.rename(moved)
    tree.symlink_to(moved)
    ringwall("shell", "one", "--", "sh", "-c", "echo RAN; echo x >m", cwd=moved).refused("is not where it was")
    assert not (moved / "m").exists()
    tree.unlink()
    moved.rename(tree)


def test_an_unsettled_review_is_not_removed_with_a_run_that_is_refused(ringwall, place, tree):
    """Its layer may be empty, and its journal hold what an interrupted apply has replaced."""
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    (place.state / "reviews/one/0/upper/n").unlink()
    ringwall("run", "--review", "--name", "one", "--", "true").refused("waits for you")
    assert reviews(place) == ["one"]


def test_the_host_works_on_meanwhile(ringwall, place, tree):
    """Whatever the host does to the real tree, the shell shows a result and nothing breaks."""
    ringwall("run", "--review", "--name", "one", "--", "sh", "-ec", CHANGES)
    (tree / ".env").write_text("KEY=abcdefghijklmnopqrstuvwxyz012345\n")
    (tree / "sub/.env").write_text("KEY=abcdefghijklmnopqrstuvwxyz012345\n")
    result = ringwall("shell", "one", "--", "sh", "-c", "cat a; cat .env sub/.env; ls")
    assert result.out.startswith("one\nmore\n") and "abcdef" not in result.out, result


# ---------------------------------------------------------------------------
# Throwing away


def test_discard(ringwall, place, tree):
    before = listing(tree)
    ringwall("run", "--review", "--name", "one", "--", "sh", "-ec", CHANGES)
    assert "the files of" in ringwall("discard", "one").ok()
    assert reviews(place) == [] and listing(tree) == before
    ringwall("discard", "one").refused("no review")


def test_discard_without_a_terminal_wants_a_name(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    ringwall("discard").refused("must say which", "ringwall discard one")
    assert reviews(place) == ["one"]


def test_names_lead_nowhere_else(ringwall, place, tree):
    ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n")
    for name in ("..", "../reviews", "one/0", "."):
        ringwall("discard", name).refused("no review")
    assert reviews(place) == ["one"]


def test_a_run_that_goes_on_is_not_thrown_away(ringwall, place, tree):
    process = ringwall.start("run", "--review", "--name", "one", "--", "sh", "-c", "echo >n; echo up; sleep 60")
    try:
        assert process.stdout.readline() == b"up\n"
        ringwall("discard", "one").refused("is going on", "ringwall stop one")
        # It may be looked at.
        assert "n" in ringwall("shell", "one", "--", "ls").out.split()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    assert ringwall("discard", "one").status == 0


def test_a_killed_run_leaves_its_review(ringwall, place, tree):
    process = ringwall.start("run", "--review", "--name", "one", "--", "sh", "-c", "echo new >n; echo up; sleep 60")
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.wait()
    place.wait_until_gone(30)
    assert not (tree / "n").exists()
    assert ringwall("shell", "one", "--", "cat", "n").out == "new\n"
    assert ringwall("discard", "one").status == 0
    assert reviews(place) == []


def test_a_hostile_layer_is_removed(ringwall, place, tree):
    script = (
        "import os\n"
        "os.mkdir('deep'); at = os.open('deep', os.O_RDONLY)\n"
        "for _ in range(3000):\n"
        "    os.mkdir('d', dir_fd=at); at, before = os.open('d', os.O_RDONLY, dir_fd=at), at; os.close(before)\n"
        "os.mkfifo('fifo'); os.symlink('/etc/passwd', 'out'); os.symlink('/', 'root')\n"
        "os.mkdir('closed'); open('closed/x', 'w'); os.chmod('closed', 0)\n"
        "open(b'\\x1b]0;x\\x07\\n\\xff', 'w')\n"
    )
    result = ringwall("run", "--review", "--name", "one", "--", "/usr/bin/python3", "-c", script)
    assert result.status == 0, result
    assert "\x1b]" not in result.err and "\x07" not in result.err
    assert ringwall("discard", "one").status == 0
    assert reviews(place) == [] and os.path.exists("/etc/passwd")


# ---------------------------------------------------------------------------
# What stands in the way


@not_for_root
def test_an_overlay_below_is_refused_with_words(ringwall, place, tree):
    """As in a container: an overlay cannot hold another one's changes."""
    room = place.root / "overlay"
    for name in ("lower/project", "upper", "work", "home"):
        (room / name).mkdir(parents=True)
    script = (
        f"mount -t overlay overlay -o lowerdir={room}/lower,upperdir={room}/upper,workdir={room}/work,userxattr {room}/home"
        f" && cd {room}/home/project && exec setpriv --inh-caps=-all --ambient-caps=-all \"$@\""
    )
    prefix = ["unshare", "--map-current-user", "--keep-caps", "-m", "sh", "-ec", script, "sh"]
    environment = {"HOME": str(room / "home")}
    assert ringwall("run", "--", "echo", "ran", env=environment, prefix=prefix).out == "ran\n"
    result = ringwall("run", "--review", "--", "echo", "RAN", env=environment, prefix=prefix)
    result.refused("no review can be kept", "without --review")
    os.chmod(room / "work/work", 0o700)


@needs_root
def test_a_mount_in_the_workspace_can_be_read_and_not_changed(ringwall, place, tree):
    (tree / "mounted").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", tree / "mounted"], check=True)
    try:
        (tree / "mounted/f").write_text("there\n")
        result = ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "cat mounted/f; echo x >mounted/f; echo >n")
        assert result.out == "there\n" and "Read-only" in result.err
        assert (tree / "mounted/f").read_text() == "there\n"
    finally:
        subprocess.run(["umount", tree / "mounted"], check=True)


def test_a_workspace_that_goes_away_meanwhile(ringwall, place, tree):
    process = ringwall.start("run", "--review", "--name", "one", "--", "sh", "-c", "echo up; read x; echo >n; echo done")
    assert process.stdout.readline() == b"up\n"
    moved = tree.with_name("moved")
    tree.rename(moved)
    time.sleep(0.1)
    process.stdin.close()
    process.wait(timeout=120)
    assert not (moved / "n").exists()
    moved.rename(tree)
    assert ringwall("discard", "one").status == 0
