"""Protected and hidden files as a person meets them: what is said, what stays, what goes on working."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from terminals import at_terminal, has_keyboard, run_at, shell, wait_until  # noqa: F401

KEY = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n"


@pytest.fixture
def repository(place):
    """One that the person made outside."""
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n[pull]\n\trebase = true\n[core]\n\tpager = evil\n")
    git(place, "init", "-q", "-b", "main", ".")
    (place.work / "file").write_text("one\n")
    git(place, "add", "file")
    git(place, "commit", "-q", "-m", "one")
    return place.work


def git(place, *words):
    return subprocess.run(["git", *words], cwd=place.work, env=place.environment(), check=True, capture_output=True, text=True).stdout


def test_what_is_taken_away_is_told_once_with_what_brings_it_back(ringwall, place):
    result = ringwall.sh("echo mine >.mcp.json; echo x >'.mcp.json\033]0;x\007'; sleep 0.2; ls -a")
    assert ".mcp.json\n" not in result.out.replace(".mcp.json\x1b", "")
    (line,) = [line for line in result.err.splitlines() if "took away" in line]
    assert "/.mcp.json, which is protected (.mcp.json)" in line and "\033" not in result.err
    item = re.search(r"ringwall quarantine restore (\S+)", result.err).group(1)
    assert json.loads(ringwall("quarantine", "list", "--json").ok())[0]["item"] == item
    ringwall("quarantine", "restore", item).ok()
    assert (place.work / ".mcp.json").read_text() == "mine\n"


def test_events_as_json(ringwall):
    result = ringwall.sh("echo x >.envrc; sleep 0.2", "--json")
    events = [json.loads(line) for line in result.err.splitlines()]
    (planted,) = [event for event in events if event["event"] == "planted"]
    assert planted["path"].endswith("/.envrc") and planted["rule"] == ".envrc" and planted["item"]


def test_a_plant_at_the_very_end_is_found_before_the_run_returns(ringwall, place):
    result = ringwall.sh("echo x >.envrc")
    assert "took away" in result.err and not (place.work / ".envrc").exists()


def helper_of(process, name):
    children = open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()
    (pid,) = [pid for pid in children if name in open(f"/proc/{pid}/cmdline").read()]
    return int(pid)


def wait_for_list(place):
    lists = place.home / ".local/state/ringwall/unswept"
    wait_until(lambda: lists.is_dir() and [file for file in names_in(lists) if file.stat().st_size > 0])
    return lists


def names_in(lists):
    """Without the file that waits for the next run."""
    return [file for file in lists.iterdir() if file.name != ".spare"]


def test_what_a_killed_run_planted_is_taken_at_the_next_start(ringwall, place):
    """Its broker saw nothing: it was stopped, then everything was killed."""
    (place.work / ".vscode").mkdir()
    (place.work / ".vscode/tasks.json").write_text("{}")
    process = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; while [ ! -e go ]; do sleep 0.01; done; echo x >.envrc; sleep 60")
    assert process.stdout.readline() == b"up\n"
    lists = wait_for_list(place)
    os.kill(helper_of(process, "ringwall-broker"), signal.SIGSTOP)
    (place.work / "go").touch()
    wait_until((place.work / ".envrc").exists)
    process.kill()
    process.wait()
    assert (place.work / ".envrc").exists()
    result = ringwall("run", "--name", "here", "--", "true")
    assert "took away" in result.err and "/.envrc, which is protected" in result.err, result
    assert not (place.work / ".envrc").exists() and (place.work / ".vscode/tasks.json").exists()
    assert not names_in(lists)
    assert "took away" not in ringwall.sh("true").err


def test_a_search_at_the_end_that_takes_long_is_told_and_waited_for(ringwall, place):
    """As of a tree that is thousands of folders deep, on a host that has much to do."""
    process = ringwall.start("run", "--", "sh", "-c", "echo up; while [ ! -e go ]; do sleep 0.01; done; echo x >.envrc")
    assert process.stdout.readline() == b"up\n"
    broker = helper_of(process, "ringwall-broker")
    os.kill(broker, signal.SIGSTOP)
    (place.work / "go").touch()
    line = process.stderr.readline().decode()
    assert "still searched for planted files" in line, line
    time.sleep(6)
    assert process.poll() is None
    os.kill(broker, signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and b"took away" in err, err
    assert not (place.work / ".envrc").exists()


def test_the_broker_rests_in_a_repository_where_nothing_happens(ringwall, repository):
    """It has the config open for writing itself, and must not take that for somebody's who may change it unseen."""
    process = ringwall.start("run", "--", "sh", "-c", "echo up; exec sleep 60")
    assert process.stdout.readline() == b"up\n"
    status = f"/proc/{helper_of(process, 'ringwall-broker')}/status"
    time.sleep(1)
    before = int(re.search(r"voluntary_ctxt_switches:\s*(\d+)", open(status).read()).group(1))
    time.sleep(0.5)
    wakes = int(re.search(r"voluntary_ctxt_switches:\s*(\d+)", open(status).read()).group(1)) - before
    process.terminate()
    process.wait()
    assert wakes < 10


def test_what_a_killed_run_left_in_a_folder_that_is_gone_holds_up_nobody(ringwall, place):
    other = place.home / "other"
    other.mkdir()
    process = ringwall.start("run", "-w", str(other), "--", "sh", "-c", "echo up; sleep 60")
    assert process.stdout.readline() == b"up\n"
    lists = wait_for_list(place)
    process.kill()
    process.wait()
    other.rmdir()
    ringwall.sh("true").ok()
    assert not names_in(lists)


def test_one_plant_more_than_is_told(ringwall, place):
    result = ringwall.python("import os\nfor i in range(11):\n    os.mkdir(f'd{i}')\n    open(f'd{i}/.envrc', 'w').close()")
    assert "took away 1 more file that is protected" in result.err, result


def test_many_plants(ringwall, place):
    """Each in a folder of its own, as fast as it goes: nothing is left, and the person is not flooded."""
    result = ringwall.python("import os\nfor i in range(2000):\n    os.mkdir(f'd{i}')\n    open(f'd{i}/.envrc', 'w').close()")
    assert not list(place.work.glob("*/.envrc"))
    assert result.err.count("which is protected") <= 10 and "more files that are protected" in result.err


def test_who_goes_on_planting_is_ended(ringwall, place):
    start = time.monotonic()
    result = ringwall.sh("while :; do echo x >.envrc; done", timeout=120)
    assert result.status == 125 and "goes on planting" in result.err, result
    assert not (place.work / ".envrc").exists() and time.monotonic() - start < 40


CHAINS = {
    "command": "sleep 0.2",
    "shells": "bash -c 'sh -c \"sleep 0.1; sleep 0.1; true\"; true'",
    "make": "make -s -f rules",
    "pipeline": "sleep 0.2 | cat | sh -c 'cat; true'",
}


@pytest.mark.parametrize("chain", CHAINS)
def test_a_shell_inside_does_not_notice_the_stop(shell, place, chain):
    """Its jobs run on, and the person's shell does not take it for Ctrl-Z."""
    (place.work / "rules").write_text("all:\n" + "\t@for i in 1 2 3 4 5 6 7 8; do sleep 0.005; done; true\n" * 4)
    person = shell()
    person.send("$rw run -- bash --norc --noprofile -i\n")
    person.expect(r"\$ ")
    person.send("PS1='in: '; sleep 30 &\n")
    person.expect(r"in: ")
    for _ in range(5):
        person.send(f"echo x >.envrc; {CHAINS[chain]}; test -e .envrc || echo go''ne; jobs\n")
        person.expect("gone\r\n.*Running.*in: ")
    assert b"Stopped" not in person.seen
    person.send("kill %1; exit 7\n")
    person.expect("%% ")
    person.send("echo status $?\n")
    person.expect("status 7")


def test_a_job_that_the_person_stopped_stays_so(shell, place):
    person = shell()
    person.send("$rw run -- bash --norc --noprofile -i\n")
    person.expect(r"\$ ")
    person.send("PS1='in: '; sleep 30\n")
    person.expect(r"sleep 30\r\n")
    wait_until(lambda: has_keyboard(place, ["sleep", "30"]))
    person.send(b"\x1a")
    person.expect(r"Stopped.*in: ")
    for _ in range(3):
        person.send("echo x >.envrc; sleep 0.2; test -e .envrc || echo go''ne; jobs; cut -d' ' -f3 /proc/$(jobs -p)/stat\n")
        person.expect(r"gone\r\n\[1\]\+  Stopped +sleep 30\r\nT\r\n.*in: ")
    person.send("fg\n")
    person.expect(r"sleep 30\r\n")
    wait_until(lambda: has_keyboard(place, ["sleep", "30"]))
    person.send(b"\x03")
    person.expect("in: ")
    person.send("jobs; exit 7\n")
    assert b"Stopped" not in person.expect("%% ").group()


def test_what_stood_before_stays_stopped(ringwall, place):
    script = "sleep 30 & kill -STOP $!; sleep 0.1; echo x >.envrc; sleep 0.3; test ! -e .envrc && cut -d' ' -f3 /proc/$!/stat; kill -9 $!"
    assert ringwall.sh(script).out == "T\n"


def test_links_are_kept_and_so_is_where_they_lead(ringwall, place):
    (place.work / "shared").mkdir()
    (place.work / "shared" / "x.xml").write_text("mine\n")
    (place.work / ".idea").symlink_to("shared")
    ringwall.sh("echo planted >.idea/x.xml; echo planted >shared/x.xml; rm .idea; mv .idea away; mv shared away; ln -sfn /tmp .idea")
    assert os.readlink(place.work / ".idea") == "shared" and (place.work / "shared" / "x.xml").read_text() == "mine\n"


def test_a_second_name_is_refused_with_what_to_do(ringwall, place):
    (place.work / ".envrc").write_text("mine\n")
    os.link(place.work / ".envrc", place.work / "other")
    ringwall.sh("echo RAN").refused("second name", "cp -p")
    os.unlink(place.work / "other")
    assert ringwall.sh("echo RAN").ok() == "RAN"


def test_hidden_files_are_told_in_one_line(ringwall, place):
    for name in (".env", ".env.local", "deploy_key", ".env.example", "cert.pem"):
        (place.work / name).write_text(KEY if name == "deploy_key" else "A=secret\n")
    result = ringwall.sh("cat .env.example cert.pem; cat .env .env.local deploy_key")
    assert result.out == "A=secret\n" * 2
    assert "3 files with secrets are hidden" in result.err and result.err.count("hidden") == 1
    assert ringwall.sh("cat .env", "--show", ".env").out == "A=secret\n"
    result = ringwall.sh("cat cert.pem", "--hide", "*.pem")
    assert result.out == "" and "4 files are hidden (3 with secrets): " in result.err
    result = ringwall.sh("true", "--hide", "cert.pem", "--show", ".env*", "--show", "deploy_key")
    assert "1 file is hidden: " in result.err


def test_names_mean_what_they_mean_to_git(ringwall, place):
    """files.hide and files.protect as lines of a .gitignore: before a run, and for what appears in it."""
    for name in ("data/a/raw.csv", "data/raw.csv", "other/data/raw.csv", "keep/x/secret", "v1.cfg", "vx.cfg"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text(f"{name}\n")
    hidden = ("--hide", "data/**/*.csv", "--hide", "keep", "--protect", "v[0-9].cfg", "--protect", "top/*.rc")
    script = "cat data/a/raw.csv data/raw.csv other/data/raw.csv keep/x/secret; echo new >v1.cfg; echo new >vx.cfg"
    assert ringwall.sh(script + "; cat v?.cfg", *hidden).out == "other/data/raw.csv\nv1.cfg\nnew\n"
    script = "sleep 0.5; mkdir -p top/sub sub/top; touch top/a.rc top/sub/a.rc sub/top/a.rc v7.cfg vy.cfg; sleep 1; find . -name '?.rc' -o -name 'v[7y]*'"
    assert sorted(ringwall.sh(script, *hidden).out.split()) == ["./sub/top/a.rc", "./top/sub/a.rc", "./vy.cfg"]
    for wrong in ("!x", "a**b", "[a", "../x", "x\\", "*.{a,b}"):
        ringwall.sh("echo RAN", "--hide", wrong).refused("--hide", "files.hide")


def test_hidden_files_do_not_stop_git(ringwall, place, repository):
    (place.work / ".env").write_text("A=secret\n")
    (place.work / "new").write_text("x\n")
    result = ringwall.sh("git add -A && git commit -q -m two && git show")
    assert result.status == 0 and "A=secret" not in result.out, result
    assert git(place, "show", "--name-only", "--format=").split() == ["new"]


def test_the_persons_preferences_come_inside_and_nothing_else(ringwall, repository):
    result = ringwall.sh("git config user.name; git config pull.rebase; git config core.pager; git config --get-all safe.directory")
    assert result.out.split("\n")[:2] == ["Person", "true"] and "evil" not in result.out


def test_a_repository_made_inside_stays_and_a_hostile_one_is_disarmed(ringwall, bare, place):
    result = ringwall.sh("git init -q a; git init -q b; git -C b config core.fsmonitor 'touch ran'; echo x >b/.git/hooks/post-checkout; sleep 0.2; ls a/.git b/.git")
    assert result.err.count("took away") == 2, result.err
    assert (place.work / "a/.git/config").exists() and not (place.work / "b/.git/config").exists()
    assert not (place.work / "b/.git/hooks/post-checkout").exists()
    assert (place.work / "b/.git/hooks/pre-commit.sample").exists()


def test_a_hostile_bare_layout_is_disarmed(ringwall, bare, place):
    script = "mkdir -p docs/objects docs/refs; echo 'ref: refs/heads/main' >docs/HEAD; printf '[core]\\n\\tfsmonitor = touch ran; false\\n\\tworktree = .\\n' >docs/config"
    assert bare("sh", "-c", script + "; cd docs && git config core.fsmonitor").out  # git obeys it
    shutil.rmtree(place.work / "docs")
    ringwall.sh(script)
    assert not (place.work / "docs/config").exists()


@pytest.mark.parametrize("kind", ["fifo", "socket", "folder", "deep folder", "closed folder", "link to itself", "link outside"])
def test_any_kind_of_thing_goes(ringwall, place, kind):
    make = {
        "fifo": "mkfifo .envrc",
        "socket": "/usr/bin/python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('.envrc')\"",
        "folder": "mkdir -p .codex/a/b; echo x >.codex/a/b/c",
        "deep folder": "mkdir -p .codex; cd .codex; for i in $(seq 100); do mkdir d; cd d; done",
        "closed folder": "mkdir .codex; echo x >.codex/x; chmod 0 .codex",
        "link to itself": "ln -s .envrc .envrc",
        "link outside": "ln -s /etc/passwd .envrc",
    }[kind]
    result = ringwall.sh(make)
    assert "took away" in result.err and not set(os.listdir(place.work)) & {".envrc", ".codex"}, result


def test_a_folder_closed_after_planting(ringwall, place):
    result = ringwall.sh("mkdir sub; echo x >sub/.envrc; chmod 0300 sub")
    os.chmod(place.work / "sub", 0o700)
    assert "took away" in result.err and not (place.work / "sub/.envrc").exists(), result


def test_a_folder_that_was_never_open(ringwall, place):
    result = ringwall.sh("sleep 0.3; mkdir -m 0300 sub; echo x >sub/.envrc; sleep 0.2")
    assert "took away" in result.err, result
    os.chmod(place.work / "sub", 0o700)
    assert not (place.work / "sub/.envrc").exists()


def test_the_index_sees_every_change(ringwall, place):
    """Large enough to be kept between runs; changed between them by the person."""
    for i in range(150):
        (place.work / f"d{i}").mkdir()
        (place.work / f"d{i}" / "file").write_text("x\n")
    assert ringwall.sh("true").err == ""
    assert list((place.state / "index").iterdir())
    (place.work / "d7" / ".env").write_text("A=secret\n")
    (place.work / "d8" / "deploy_key").write_text("not yet\n")
    assert "1 file with secrets is hidden" in ringwall.sh("cat d7/.env").err
    (place.work / "d8" / "deploy_key").write_text(KEY)
    result = ringwall.sh("cat d7/.env d8/deploy_key")
    assert "2 files with secrets are hidden" in result.err and result.out == ""


def test_a_paused_run_that_wakes_itself_is_ended(ringwall, place):
    """Timers that send SIGCONT would make a pause, and every limit that pauses, void."""
    script = """
import ctypes, signal, time
libc = ctypes.CDLL(None)
signal.signal(signal.SIGCONT, lambda *_: None)
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("signo", ctypes.c_int), ("notify", ctypes.c_int), ("rest", ctypes.c_char * 48)]
for i in range(300):
    timer = ctypes.c_void_p()
    event = Event(signo=signal.SIGCONT, notify=0)
    assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) == 0
    times = (ctypes.c_long * 4)(0, 0, 0, (i + 1) * 20_000_000)
    times[2], times[3] = divmod((i + 1) * 20_000_000, 1_000_000_000)
    assert libc.timer_settime(timer, 0, times, None) == 0
print("up", flush=True)
while True: time.sleep(0.001)
"""
    process = ringwall.start("run", "--name", "here", "--", "/usr/bin/python3", "-c", script)
    assert process.stdout.readline() == b"up\n"
    ringwall("pause", "here").ok()
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 125 and b"does not stay so" in errors


def test_git_says_where_to_push(ringwall, repository):
    for url, words in {"git@example.org:a/b": "no network inside: run this git command outside", "https://example.org/a/b": "run-this-git-command-outside"}.items():
        for command in (f"git push {url} main", f"git fetch {url}", f"git ls-remote {url}"):
            result = ringwall.sh(command)
            assert result.status != 0 and [line for line in result.err.splitlines() if words in line], result
    # A server inside is reached as ever.
    served = ringwall.sh("python3 -m http.server -b 127.0.0.1 8417 2>/dev/null & sleep 1; git ls-remote http://localhost:8417/x; git ls-remote http://127.0.0.1:8417/x")
    assert served.err.count("not found") == 2, served


def test_a_repository_overrules_the_preferences(ringwall, place, repository):
    assert ringwall.sh("git config user.name; git config pull.rebase; git config core.pager; true").ok() == "Person\ntrue"
    git(place, "config", "user.name", 'At "work" now')
    assert ringwall.sh("git commit -q --allow-empty -m x && git log -1 --format=%an").ok() == 'At "work" now'
    assert ringwall.sh("git config user.name Inside && git config user.name").ok() == "Inside"


def test_an_interrupted_pick_cannot_name_a_program(ringwall, place, repository):
    """A merge strategy is a program: git-merge-NAME, also one of the tree."""
    conflict = "git checkout -q -b o; echo two >file; git commit -qam two; git checkout -q main; echo three >file; git commit -qam three; "
    program = "mkdir git-merge-x; printf '#!/bin/sh\\ntouch RAN\\n' >git-merge-x/evil; chmod +x git-merge-x/evil; "
    plants = {
        "git cherry-pick o~0 o; echo five >file; git add file; ": ("sequencer/opts", "printf '[options]\\n\\tstrategy = x/evil\\n' >>.git/sequencer/opts; ", "cherry-pick"),
        "git checkout -q o; git rebase main; echo five >file; git add file; ": ("rebase-merge/strategy", "echo x/evil >.git/rebase-merge/strategy; ", "rebase"),
    }
    for stop, (name, plant, command) in plants.items():
        ringwall.sh(conflict + program + stop + plant + "sleep 0.3").err
        assert "x/evil" not in ((place.work / ".git" / name).read_text() if (place.work / ".git" / name).exists() else "")
        subprocess.run(["git", command, "--continue"], cwd=place.work, env={**place.environment(), "GIT_EDITOR": "true"}, capture_output=True)
        assert not (place.work / "RAN").exists()
        subprocess.run(["git", command, "--abort"], cwd=place.work, env=place.environment(), capture_output=True)
        subprocess.run("git checkout -qf main; git branch -D o; git reset -q --hard HEAD~1; rm -rf git-merge-x", shell=True, cwd=place.work, env=place.environment(), capture_output=True)
    # An interrupted pick of its own goes on.
    assert ringwall.sh(conflict + "git cherry-pick o; echo five >file; git add file; GIT_EDITOR=true git cherry-pick --continue").status == 0


def test_bare_layouts_are_seen_while_the_run_goes_on(ringwall, place, repository):
    hook = "printf '#!/bin/sh\\n' >b/hooks/pre-receive; chmod +x b/hooks/pre-receive; sleep 0.3; [ -e b/hooks/pre-receive ] && echo THERE; true"
    assert "THERE" not in ringwall.sh("git init -q --bare b; sleep 0.3; " + hook).out
    config = "git init -q --bare c; sleep 0.3; printf '[core]\\n\\tfsmonitor = x\\n' >>c/config; sleep 0.3; grep fsmonitor c/config; true"
    assert "fsmonitor" not in ringwall.sh(config).out
    dangling = "mkdir -p t/objects t/refs; printf '[core]\\n\\tfsmonitor = x\\n' >t/config; ln -s refs/heads/x t/HEAD; sleep 0.3; cat t/config; true"
    assert "fsmonitor" not in ringwall.sh(dangling).out


def test_a_remote_of_the_person_stays(ringwall, place, repository):
    git(place, "remote", "add", "origin", "https://example.org/mine")
    assert ringwall.sh("git remote remove origin").status != 0
    assert ringwall.sh("git remote rename origin up").status != 0
    assert ringwall.sh("git remote add fork https://example.org/fork && git remote remove fork").status == 0
    ringwall.sh("mkdir -p .git/remotes; echo 'URL: /evil' >.git/remotes/origin; sleep 0.2")
    assert git(place, "ls-remote", "--get-url", "origin").strip() == "https://example.org/mine"
    assert not (place.work / ".git/remotes/origin").exists()


def test_a_plant_just_before_the_end_keeps_the_status(ringwall, place):
    for _ in range(10):
        start = time.monotonic()
        result = ringwall.sh("echo 1 >.envrc; exit 3")
        assert result.status == 3 and time.monotonic() - start < 3 and "took away" in result.err, result


# Git inside.

DAY = """
git init -q --bare r.git
git remote add up "$PWD/r.git" && git push -q up main && git checkout -q -b side --track up/main
echo two >two && git add -A . ':!r.git' && git commit -q -m two && git commit -q --amend -m 'two again'
git checkout -q main && echo three >three && git add three && git commit -q -m three
git merge -q --no-edit side && git tag v1 && git branch -m side aside
echo dirty >>file && git stash -q && git stash pop -q && git checkout -q file
git checkout -q -b topic HEAD~1 && echo four >four && git add four && git commit -q -m four && git rebase -q main
git bisect start HEAD HEAD~2 >/dev/null 2>&1 && git bisect run true >/dev/null 2>&1 && git bisect reset >/dev/null 2>&1
git worktree add -q wt main && git gc -q && git fsck >/dev/null 2>&1 && git fetch -q up
git config user.name Another && git log --format=%s | wc -l
"""


def test_git_works_inside_as_outside(ringwall, bare, place, repository):
    shutil.copytree(place.work, place.root / "twin", symlinks=True)
    inside = ringwall.sh("set -e;" + DAY, timeout=120)
    outside = bare("sh", "-c", "set -e;" + DAY, cwd=place.root / "twin")
    assert inside.status == outside.status == 0, (inside, outside)
    assert inside.out == outside.out
    assert (place.work / ".git/config").read_text().replace(str(place.work), "") == (place.root / "twin/.git/config").read_text().replace(str(place.root / "twin"), "")


REFUSED = {
    "core.hooksPath": "x",
    "core.fsmonitor": "x",
    "alias.x": "!id",
    "core.editor": "x",
    "core.sshCommand": "x",
    "include.path": "x",
    "filter.x.clean": "x",
    "credential.helper": "x",
    "url.a.insteadOf": "b",
    "remote.mine.url": "https://elsewhere.example/x",
    "remote.new.uploadpack": "x",
    "extensions.worktreeConfig": "1",
    "extensions.partialClone": "origin",
}


@pytest.mark.parametrize("key", REFUSED)
def test_settings_that_run_or_redirect_are_refused_with_words(ringwall, bare, place, repository, key):
    git(place, "remote", "add", "mine", "https://example.org/x")
    before = (place.work / ".git/config").read_text()
    result = ringwall("run", "--", "git", "config", key, REFUSED[key])
    assert result.status != 0 and key.split(".")[0] in result.err and "was refused" in result.err, result
    assert (place.work / ".git/config").read_text() == before
    assert bare("git", "config", key, REFUSED[key]).status == 0


def test_watches_that_run_out_are_told_or_end_a_strict_run(ringwall, place):
    """A user namespace around it has a limit of its own."""
    if os.getuid() == 0:
        pytest.skip("root's runs need root of the host, not of a user namespace")
    for n in range(40):
        (place.work / f"d{n}").mkdir()

    few = 'echo 5 >/proc/sys/user/max_inotify_watches; exec "$@"'
    around = ["unshare", "-U", "--map-current-user", "--keep-caps", "sh", "-c", few, "sh"]
    told = ringwall("run", "--", "sleep", "0.2", prefix=around)
    assert told.status == 0 and "not every folder of the workspace can be watched" in told.err, told
    strict = ringwall("run", "--strict", "--", "sleep", "5", prefix=around)
    assert strict.status == 125 and "the policy is strict" in strict.err, strict


def test_a_run_without_any_watch_says_so_and_finds_what_was_planted_in_the_end(ringwall, place, repository):
    """A person has 128 of them on most systems, and each run takes one."""
    if os.getuid() == 0:
        pytest.skip("root's runs need root of the host, not of a user namespace")
    none = 'echo 0 >/proc/sys/user/max_inotify_instances; exec "$@"'
    around = ["unshare", "-U", "--map-current-user", "--keep-caps", "sh", "-c", none, "sh"]
    plants = "mkdir -p new/.git/hooks && echo evil >new/.git/hooks/pre-commit; exit 3"
    told = ringwall("run", "--", "sh", "-c", plants, prefix=around)
    assert told.status == 3 and "fs.inotify.max_user_instances" in told.err, told
    assert not (place.work / "new/.git/hooks/pre-commit").exists(), told
    strict = ringwall("run", "--strict", "--", "sleep", "5", prefix=around)
    assert strict.status == 125 and "fs.inotify.max_user_instances" in strict.err, strict
