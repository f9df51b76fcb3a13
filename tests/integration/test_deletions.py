"""The brake on deletions: a run that deletes too many files of before it is paused, and only such."""

import json
import os
import re
import signal
import subprocess
import time

import pytest

from limit_events import end, limits_told, states, wait_for_limit
from terminals import wait_until

# With a breath after each: how soon it is stopped is not what is tested.
DELETE = """
import os, sys, time
for folder in sys.argv[1:]:
    for at, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            os.unlink(f"{at}/{name}")
            time.sleep(0.001)
print("RAN", flush=True)
"""
OFF = ("--deleted-files", "none", "--deleted-share", "none")


def fill(folder, count, name="f{}"):
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        (folder / name.format(i)).write_text(str(i))


def files_in(folder):
    return sum(len(names) for _, _, names in os.walk(folder))


def python(script, *words):
    return ["/usr/bin/python3", "-c", script, *words]


@pytest.fixture
def braked(ringwall, place):
    """Starts a run that has to be paused; returns it, what it told, and how many files are left."""
    started = []

    def start(*command, options=(), folder="src", name="many"):
        process = ringwall.start("run", "--json", "--name", name, *options, "--", *command)
        started.append(process)
        event, _ = wait_for_limit(process)
        assert event["then"] == "paused", event
        return process, event, files_in(place.work / folder)

    yield start
    for process in started:
        if process.poll() is None:
            end(process)


def test_without_a_sandbox_all_go(place):
    fill(place.work / "src", 300)
    done = subprocess.run(python(DELETE, "src"), cwd=place.work, capture_output=True)
    assert b"RAN" in done.stdout and files_in(place.work / "src") == 0


@pytest.mark.parametrize("options", [OFF, ("--deleted-files", 301, "--deleted-share", "none")])
def test_who_may_delete_all_does(ringwall, place, options):
    fill(place.work / "src", 300)
    done = ringwall("run", "--json", *options, "--", *python(DELETE, "src"))
    assert "RAN" in done.out and limits_told(done.err) == []
    assert files_in(place.work / "src") == 0


def test_many_deletions_are_stopped_and_told(ringwall, place, braked):
    fill(place.work / "src", 1500)
    process, event, left = braked(*python(DELETE, "src"))
    assert (event["limit"], event["flag"]) == ("deleted_files", "--deleted-files")
    gone = 1500 - left
    assert 200 < gone < 1500, "most are left"
    assert event["what"] == (
        f"has deleted {gone} files that were there before it, and 200 are allowed "
        f"({gone - 200} more went before it stood still)"
    )
    assert json.loads(ringwall("ls", "--json").out)[0]["paused"] is True
    assert re.search(r"many +\S+ +paused", ringwall("top", "--once").out)
    assert set(states(place).values()) == {"T"}, states(place)
    # It stays so.
    time.sleep(0.2)
    assert files_in(place.work / "src") == left
    score = ringwall("explain", "risk", "many").out
    assert "many deletions" in score, score


def test_who_is_let_go_on_is_counted_anew(ringwall, place, braked):
    fill(place.work / "src", 500)
    process, _, left = braked(*python(DELETE, "src"), options=("--deleted-share", "none"))
    # What the person does meanwhile is not the run's doing.
    fill(place.work / "mine", 250)
    ringwall("resume", "many").ok()
    event, _ = wait_for_limit(process)
    gone = left - files_in(place.work / "src")
    # Those of the moment in which it is let go on may be taken for the person's.
    told = int(re.match(r"has deleted (\d+) files", event["what"])[1])
    assert 200 < told <= gone
    ringwall("resume", "many").ok()
    out, err = process.communicate(timeout=120)
    assert b"RAN" in out and process.returncode == 0
    assert files_in(place.work / "src") == 0
    record = ringwall("log", "--json", "many").out
    assert len(limits_told(record)) == 2


def test_what_is_put_back_counts_again(ringwall, place, braked):
    fill(place.work / "src", 300)
    options = ("--deleted-files", 50, "--deleted-share", "none")
    process, _, _ = braked(*python(DELETE, "src", "src"), options=options)
    fill(place.work / "src", 300)
    fill(place.work / "src/again", 100)
    ringwall("resume", "many").ok()
    told = 1
    for _ in range(20):
        line = process.stderr.readline()
        if not line:
            break
        if json.loads(line)["event"] == "limit_reached":
            told += 1
            ringwall("resume", "many").ok()
    process.communicate(timeout=120)
    assert files_in(place.work / "src") == 0
    # At least 250 were left, 50 were put back, and 100 came with a new folder.
    assert told >= 6


def test_a_share_of_a_small_tree(ringwall, place, braked):
    fill(place.work / "src", 60)
    fill(place.work / "docs", 40)
    process, event, left = braked(*python(DELETE, "src"))
    assert (event["limit"], event["flag"]) == ("deleted_share", "--deleted-share")
    gone = 60 - left
    assert 20 < gone < 60
    assert f"has deleted {gone} of the 100 files" in event["what"]
    assert "0.2 of them are allowed" in event["what"]


def test_few_are_no_share(ringwall, place):
    fill(place.work / "src", 19)
    done = ringwall("run", "--json", "--", *python(DELETE, "src"))
    assert "RAN" in done.out and limits_told(done.err) == []


# What goes freely. Each runs bare too: the same files are gone then.

FREE = {
    "build folders": (
        ["build", "a/node_modules/p", "target/debug", "a/dist", "x/__pycache__", ".venv/lib"], "", ""),
    "ignored folders": (["logs", "a/b/logs/c"], "logs/\n", ""),
    "ignored files": (["data"], "/data/*\n", ""),
    "ignored further down": (["a/gen/deep"], "", "gen/*\n"),
    "git's own": ([".git/objects/aa", ".git/lfs/x", "old/.git/refs"], "", ""),
}


@pytest.mark.parametrize("folders, top, nested", FREE.values(), ids=FREE)
@pytest.mark.parametrize("bare", [True, False])
def test_goes_freely(ringwall, place, folders, top, nested, bare):
    fill(place.work / "src", 30)
    for folder in folders:
        fill(place.work / folder, 300)
    (place.work / "a").mkdir(exist_ok=True)
    if top:
        (place.work / ".gitignore").write_text(top)
    if nested:
        (place.work / "a/.gitignore").write_text(nested)
    if bare:
        subprocess.run(python(DELETE, *folders), cwd=place.work, check=True)
    else:
        done = ringwall("run", "--json", "--", *python(DELETE, *folders))
        assert "RAN" in done.out and limits_told(done.err) == [], done
    assert all(files_in(place.work / folder) == 0 for folder in folders)


def test_what_the_agent_has_ignored_counts(ringwall, place, braked):
    fill(place.work / "src", 300)
    script = "import pathlib; pathlib.Path('.gitignore').write_text('*\\n')\n" + DELETE
    _, event, left = braked(*python(script, "src"))
    assert event["limit"] == "deleted_files" or event["limit"] == "deleted_share"
    assert left > 0


NEW = """
import os
for folder in ("src", "new", "new/deep"):
    os.makedirs(folder, exist_ok=True)
    for i in range(400):
        open(f"{folder}/new{i}", "w").close()
for folder in ("src", "new/deep", "new"):
    for i in range(400):
        os.unlink(f"{folder}/new{i}")
print("RAN")
"""
SAVE = """
import os
for i in range(300):
    with open(f"src/.tmp{i}", "w") as file: file.write("saved")
    os.rename(f"src/.tmp{i}", f"src/f{i}")
for i in range(300):
    os.unlink(f"src/f{i}")
    with open(f"src/f{i}", "w") as file: file.write("again")
for i in range(300):
    os.rename(f"src/f{i}", f"src/f{i}~")
    with open(f"src/f{i}", "w") as file: file.write("aside")
    os.unlink(f"src/f{i}~")
print("RAN")
"""
MOVE = """
import os
os.mkdir("lib")
for i in range(300):
    os.rename(f"src/f{i}", f"lib/f{i}.py")
os.rename("lib", "lib2")
os.mkdir("over")
os.rename("lib2", "over/lib")
for i in range(300):
    os.rename(f"over/lib/f{i}.py", f"src/f{i}")
print("RAN")
"""


@pytest.mark.parametrize("script", [NEW, SAVE, MOVE], ids=["new files", "safe saves", "moves"])
def test_is_no_deletion(ringwall, place, script):
    fill(place.work / "src", 300)
    # Long enough for what was moved to be missed.
    done = ringwall("run", "--json", "--", *python(script + "import time; time.sleep(2)"))
    assert "RAN" in done.out and limits_told(done.err) == [], done
    assert files_in(place.work / "src") == 300


MOVED = {
    "the folder": "os.rename('src', 'gone'); sys.argv[1:] = ['gone']",
    "into a new folder": "os.mkdir('gone')\nfor n in os.listdir('src'): os.rename('src/' + n, 'gone/' + n)\n"
    "time.sleep(0.1); sys.argv[1:] = ['gone']",
    "by second names": "os.mkdir('gone')\nfor n in os.listdir('src'): os.link('src/' + n, 'gone/' + n); os.unlink('src/' + n)\n"
    "time.sleep(0.5); sys.argv[1:] = ['gone']",
    "into a build folder": "os.makedirs('x/build')\nos.rename('src', 'x/build/src'); sys.argv[1:] = ['x']",
}


@pytest.mark.parametrize("first", MOVED.values(), ids=MOVED)
def test_what_was_moved_before_is_caught(ringwall, place, braked, first):
    fill(place.work / "src", 2000)
    _, event, left = braked(*python("import os, sys, time\n" + first + "\n" + DELETE), folder=".")
    assert 0 < left < 2000
    told = int(re.search(r"has deleted (\d+) ", event["what"]).group(1))
    assert abs(told - (2000 - left)) <= 1, event  # one may have two names at that moment


def test_another_branch_that_lacks_them(ringwall, place, braked):
    fill(place.work / "many", 1500)
    git = ["git", "-c", "user.name=p", "-c", "user.email=p@example.invalid", "-C", str(place.work)]
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "0"],
                  ["checkout", "-qb", "full"], ["add", "."], ["commit", "-qm", "1"]):
        subprocess.run([*git, *words], check=True, env=place.environment())
    _, event, _ = braked("git", "checkout", "-q", "main", folder="many")
    assert "deleted" in event["limit"]


def find_broker(place):
    """The broker of the test's one run."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            name = open(f"/proc/{entry}/cmdline", "rb").read()
            if name.startswith(b"ringwall-broker") and int(entry) in place.processes():
                return int(entry)
        except OSError:
            continue
    raise AssertionError("no broker")


def test_one_that_ended_before_it_could_be_paused_is_told_of(ringwall, place):
    fill(place.work / "src", 30)
    script = "touch up; while [ ! -e go ]; do sleep 0.05; done; rm -r src; touch gone"
    process = ringwall.start("run", "--json", "--", "sh", "-c", script)
    wait_until((place.work / "up").exists)
    broker = find_broker(place)
    os.kill(broker, signal.SIGSTOP)
    (place.work / "go").touch()
    wait_until((place.work / "gone").exists)
    time.sleep(0.3)
    os.kill(broker, signal.SIGCONT)
    _, err = process.communicate(timeout=120)
    told = limits_told(err.decode())
    assert [event["limit"] for event in told] == ["deleted_share"]
    assert told[0]["then"] == "ended" and "(11 more went before it ended)" in told[0]["what"]


FLOOD = """
import os, sys, time
open("up", "w").close()
while not os.path.exists("go"): time.sleep(0.05)
for i in range(int(sys.argv[1])): os.close(os.open(f"src/new{i}", os.O_CREAT | os.O_WRONLY))
for name in os.listdir("src"):
    if name.startswith(sys.argv[2]): os.unlink("src/" + name)
open("done", "w").close()
time.sleep(2)
print("RAN", flush=True)
"""


@pytest.mark.parametrize("goes", ["f", "new"])
def test_when_the_kernel_drops_events_what_is_missing_is_counted(ringwall, place, goes):
    """Of 250 files of before, all go, or none."""
    fill(place.work / "src", 250)
    most = int(open("/proc/sys/fs/inotify/max_queued_events").read())
    if most > 100_000:
        pytest.skip("the kernel drops none for long")
    command = python(FLOOD, str(most + 1000), goes)
    process = ringwall.start("run", "--json", "--name", "flood", "--", *command)
    wait_until((place.work / "up").exists)
    time.sleep(0.3)  # until the files of before are known
    broker = find_broker(place)
    os.kill(broker, signal.SIGSTOP)
    (place.work / "go").touch()
    wait_until((place.work / "done").exists, 60)
    os.kill(broker, signal.SIGCONT)
    if goes == "f":
        event, _ = wait_for_limit(process)
        assert (event["limit"], event["then"]) == ("deleted_files", "paused")
        assert "has deleted 250 files" in event["what"]
        return end(process)
    out, err = process.communicate(timeout=120)
    assert b"RAN" in out and limits_told(err.decode()) == []


def test_in_a_review_nothing_real_is_deleted(ringwall, place):
    """So there is nothing to stop; see limits in the plan of a direct run."""
    fill(place.work / "src", 300)
    done = ringwall("run", "--json", "--review", "--", *python(DELETE, "src"))
    if done.status == 125:
        pytest.skip("no review here: " + done.err)
    assert "RAN" in done.out and limits_told(done.err) == []


def make_branch(bare, place, files, commits):
    """A repository of 40 files, and a branch that has FILES more, made in so many COMMITS."""
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid")
    fill(place.work / "src", 40)
    bare("git", "init", "-q", "-b", "main").ok()
    bare("git", "config", "user.name", "x").ok()
    bare("git", "config", "user.email", "x@example.invalid").ok()
    bare("git", "add", ".").ok()
    bare(*git, "commit", "-qm", "first").ok()
    bare("git", "checkout", "-qb", "branch").ok()
    for n in range(commits):
        fill(place.work / f"more/{n}", files // commits)
        bare("git", "add", ".").ok()
        bare(*git, "commit", "-qm", f"more {n}").ok()
    bare("git", "checkout", "-q", "main").ok()
    (place.work / "src/another").write_text("x")
    bare("git", "add", ".").ok()
    bare(*git, "commit", "-qm", "another").ok()
    bare("git", "checkout", "-q", "branch").ok()


def test_a_rebase_brings_back_what_it_takes_away(ringwall, place, bare):
    make_branch(bare, place, 30, 15)
    done = ringwall("run", "--json", "--", "git", "rebase", "-q", "main")
    assert done.status == 0 and limits_told(done.err) == [], done
    assert files_in(place.work / "more") == 30 and (place.work / "src/another").exists()


def test_who_deletes_as_much_by_other_means_is_stopped(place, bare, braked):
    make_branch(bare, place, 30, 15)
    braked(*python(DELETE, "more"), folder="more")


def test_a_switch_to_a_branch_that_lacks_as_much_is_stopped(place, bare, braked):
    """It is over when git is done with it."""
    make_branch(bare, place, 30, 2)
    script = "git checkout -q main; sleep 60"
    _, event, _ = braked("sh", "-c", script)
    assert event["limit"] == "deleted_share" and "has deleted 30 of the" in event["what"], event


def test_a_lock_of_git_is_no_way_round_the_number(place, bare, braked):
    fill(place.work / "src", 500)
    bare("git", "init", "-q").ok()
    script = "open('.git/index.lock', 'w')\n" + DELETE
    _, event, left = braked(*python(script, "src"))
    assert event["limit"] == "deleted_files" and left > 0


def test_what_is_left_gone_is_told_at_the_end(ringwall, place, bare):
    """A run that ends in the midst of a rebase."""
    make_branch(bare, place, 30, 2)
    script = "mkdir .git/rebase-merge; rm -r more; rmdir .git/rebase-merge/x 2>/dev/null; exit 3"
    done = ringwall("run", "--json", "--", "sh", "-c", script)
    assert done.status == 3
    assert [event["then"] for event in limits_told(done.err)] == ["ended"], done
