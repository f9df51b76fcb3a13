"""What an index of git holds that `git checkout .` outside would write, though nobody sees it before."""

import re
import subprocess

import pytest

# Adds entries to an index, in the way of its arguments: INDEX VERSION FLAGS (PATH MODE CONTENT)...
WRITER = """
import hashlib, os, struct, subprocess, sys
index, version, hushed = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "hushed"
data = open(index, "rb").read()
count, at, entries = struct.unpack(">I", data[8:12])[0], 12, {}
for _ in range(count):
    length = struct.unpack(">H", data[at + 60:at + 62])[0] & 0xfff
    entries[data[at + 62:at + 62 + length]] = data[at:at + 60]
    at += (62 + length + 8) // 8 * 8
plain = set(entries)
for path, mode, content in zip(*[iter(sys.argv[4:])] * 3):
    made = subprocess.run(["git", "hash-object", "-w", "--stdin"], input=content.encode(), capture_output=True, check=True)
    entries[path.encode()] = struct.pack(">10I", *[0] * 6, int(mode, 8), 0, 0, 0) + bytes.fromhex(made.stdout.decode())
out, last = b"DIRC" + struct.pack(">II", version, len(entries)), b""
for name in sorted(entries):
    is_hushed = hushed and name not in plain
    flags = len(name) | (0xC000 if is_hushed and version > 2 else 0x8000 if is_hushed else 0)
    entry = entries[name] + struct.pack(">H", flags) + (struct.pack(">H", 0x2000) if flags & 0x4000 else b"")
    if version == 4:
        entry += bytes([len(last)]) + name + b"\\0"
    else:
        entry += name
        entry += b"\\0" * ((len(entry) + 8) // 8 * 8 - len(entry))
    out, last = out + entry, name
open(index + ".new", "wb").write(out + hashlib.sha1(out).digest())
os.rename(index + ".new", index)
"""
HOOK = "#!/bin/sh\ntouch ../ran\n"
# What git never adds, and what lies there after `git checkout .`.
IMPOSSIBLE = {
    "a hook": (".git/hooks/post-checkout", "100755", HOOK),
    "a file above the workspace": ("../above", "100644", "x"),
    "the repository's config": (".git/config", "100644", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n# planted\n"),
    "a hook in another spelling": ("sub/../.git/hooks/post-checkout", "100755", HOOK),
}


@pytest.fixture
def git(place):
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n")

    def git(*words, check=True, folder=place.work):
        return subprocess.run(["git", *words], cwd=folder, env=place.environment(), check=check, capture_output=True, text=True).stdout

    git("init", "-q", "-b", "main", ".")
    (place.work / "a").write_text("a\n")
    (place.work / ".vscode").mkdir()
    (place.work / ".vscode/tasks.json").write_text("{}\n")
    git("add", ".")
    git("commit", "-qm", "one")
    return git


def staging(*entries, index=".git/index", version=3, hushed="hushed"):
    """Words of a command that puts these into the index."""
    return ["/usr/bin/python3", "-c", WRITER, index, str(version), hushed, *sum(map(list, entries), [])]


def lies_there(place, name):
    path = place.work / name
    return path.exists() and (name != ".git/config" or "planted" in path.read_text())


@pytest.mark.parametrize("what", IMPOSSIBLE)
@pytest.mark.parametrize("version", [2, 3, 4])
def test_what_git_never_adds_goes_with_its_index(ringwall, bare, place, git, what, version):
    entry = IMPOSSIBLE[what]
    result = ringwall("run", "--", *staging(entry, version=version))
    assert "quarantine" in result.err and "git reset" in result.err, result
    assert not (place.work / ".git/index").exists()
    git("reset", "-q")
    (place.work / "a").write_text("changed\n")
    git("checkout", ".")
    assert not lies_there(place, entry[0]) and (place.work / "a").read_text() == "a\n"
    assert git("status", "--porcelain") == ""
    bare(*staging(entry, version=version))
    git("checkout", ".", check=False)
    assert lies_there(place, entry[0].replace("sub/../", "")) or "sub" in entry[0]


@pytest.mark.parametrize("what", ["a worktree", "a submodule's repository", "a nested repository", "a repository of sha256"])
def test_so_it_is_in_every_repository(ringwall, place, git, what):
    made = {
        "a worktree": ("git worktree add -q w", ".git/worktrees/w/index"),
        "a submodule's repository": ("git init -q --bare .git/modules/m", ".git/modules/m/index"),
        "a nested repository": ("git init -q n; cd n; echo x >x; git add x; cd ..", "n/.git/index"),
        "a repository of sha256": ("git init -q --object-format=sha256 n", "n/.git/index"),
    }
    act, index = made[what]
    empty = "DIRC\\0\\0\\0\\2\\0\\0\\0\\0" + "\\0" * 20
    script = f'{act}; [ -e {index} ] || printf "{empty}" >{index}; shift; exec "$@"'
    result = ringwall("run", "--", "sh", "-c", script, "-", "-", *staging(IMPOSSIBLE["a hook"], index=index))
    assert "quarantine" in result.err and not (place.work / index).exists(), result


def test_it_is_found_while_the_run_goes_on(ringwall, place, git):
    script = '"$@"; for i in $(seq 300); do [ -e .git/index ] || exec echo gone; sleep 0.1; done'
    result = ringwall("run", "--", "sh", "-c", script, "-", *staging(IMPOSSIBLE["a hook"]))
    assert result.out == "gone\n" and "quarantine" in result.err, result


@pytest.mark.parametrize("entry", [IMPOSSIBLE["a hook"], ("b", "100644", "b")])
def test_it_is_found_after_a_kill(ringwall, place, git, entry):
    run = ringwall.start("run", "--", "sh", "-c", '"$@"; echo done; sleep 100', "-", *staging(entry))
    assert run.stdout.readline() == b"done\n"
    run.kill()
    run.communicate()
    place.wait_until_gone()
    assert (place.work / ".git/index").exists()
    result = ringwall("run", "--", "true")
    assert ("quarantine" in result.err) == (entry[0] != "b"), result
    assert (place.work / ".git/index").exists() == (entry[0] == "b")


def test_a_split_index_is_looked_at_in_both_parts(ringwall, place, git):
    script = '"$@" && git update-index --split-index; ls .git | grep -c sharedindex'
    result = ringwall("run", "--", "sh", "-c", script, "-", *staging(IMPOSSIBLE["a hook"]))
    assert "quarantine" in result.err and not (place.work / ".git/index").exists(), result
    git("reset", "-q")
    assert git("status", "--porcelain") == ""


def test_what_a_split_index_replaces_is_told(ringwall, place, git):
    git("update-index", "--split-index")
    act = 'sleep 0.1; id=$(echo planted | git hash-object -w --stdin); git update-index --cacheinfo 100644,$id,.vscode/tasks.json; '
    result = ringwall.sh(act + "ls .git/sharedindex.*")
    assert "staged protected files: .vscode/tasks.json in" in result.err, result
    assert "planted" in git("cat-file", "blob", ":.vscode/tasks.json")
    git("reset", "-q")
    result = ringwall.sh("touch -d 2020-01-01 a .vscode; git update-index --refresh; echo b >b; git add b")
    assert "staged" not in result.err, result


def test_who_hides_a_protected_file_from_status_loses_the_index(ringwall, place, git):
    entry = (".envrc", "100644", "touch ran\n")
    result = ringwall("run", "--", *staging(entry))
    assert ".envrc" in result.err and "git status says nothing" in result.err, result
    assert not (place.work / ".git/index").exists()


@pytest.mark.parametrize("name", [".envrc", ".vscode/tasks.json", ".husky/post-checkout", ".lfsconfig"])
def test_a_protected_file_that_was_staged_is_told(ringwall, place, git, name):
    result = ringwall("run", "--", *staging((name, "100755", "x"), hushed="plainly"))
    assert f"staged protected files: {name} in" in result.err, result
    assert (place.work / ".git/index").exists()
    again = ringwall("run", "--", "git", "status")
    assert "staged" not in again.err, again


# The repository tracks a protected file, and nothing of it changes.
DAILY = {
    "add and commit": "echo b >b; git add -A; git commit -qm b",
    "reset": "echo b >b; git add b; git reset -q; git rm -q --cached a; git reset -q --hard",
    "a branch and back": "git checkout -qb other; echo b >b; git add b; git commit -qm b; git checkout -q main",
    "a rebase": "git checkout -qb o; echo b >b; git add b; git commit -qm b; git checkout -q main; echo c >c; git add c; git commit -qm c; git rebase -q main o",
    "a worktree": "git worktree add -q --no-checkout w; cd w; git reset -q",
    "a stash": "echo b >a; git stash -q; git stash pop -q",
    "a split index": "git update-index --split-index; echo b >b; git add b; git commit -qm b",
    "version 4": "git update-index --index-version 4; echo b >b; git add b",
    "flags": "git update-index --assume-unchanged a .vscode/tasks.json",
}


@pytest.mark.parametrize("what", DAILY)
def test_daily_work_is_not_told_of(ringwall, place, git, what):
    result = ringwall.sh("set -e; " + DAILY[what])
    assert result.status == 0 and not re.search("staged|quarantine|index", result.err), result
    git("status")


def test_a_protected_file_is_staged_as_it_lies_there(ringwall, place, git):
    (place.work / ".envrc").write_text("export A=1\n")
    (place.work / ".envrc").chmod(0o644)
    assert "staged" not in ringwall.sh("git add -A; git commit -qm x").err
    assert ".envrc" in git("ls-files")
    # Of another mode or content it is told.
    result = ringwall.sh("git update-index --chmod=+x .envrc")
    assert "staged protected files: .envrc in" in result.err, result


@pytest.mark.parametrize("count", [30_000])
def test_a_large_index_that_git_reads_in_several_threads_may_stay(ringwall, place, git, count):
    script = f"for n in range({count}): open(f'f{{n}}', 'w').close()"
    result = ringwall.sh(f'/usr/bin/python3 -c "{script}"; git -c index.threads=4 add -A')
    assert result.status == 0 and not re.search("staged|quarantine", result.err), result


def test_a_review_shows_it_first(ringwall, bare, place, git):
    bare("rm", "-f", "a")
    git("checkout", ".")
    ringwall("run", "--review", "--", *staging(IMPOSSIBLE["a hook"]))
    shown = ringwall("diff")
    assert "git checkout outside would write .git/hooks/post-checkout" in shown.out, shown
    ringwall("apply")
    git("checkout", ".")
    assert not (place.work / ".git/hooks/post-checkout").exists()
    ringwall("discard")
    ringwall("run", "--review", "--", *staging((".envrc", "100644", "x"), hushed="plainly"))
    assert ".envrc" in ringwall("diff").out
    ringwall("discard")
    ringwall("run", "--review", "--", "sh", "-c", "echo b >b; git add -A")
    shown = ringwall("diff")
    assert "git checkout" not in shown.out, shown
