"""What git keeps of an interrupted rebase, am or cherry-pick, and obeys when the person goes on outside."""

import subprocess

import pytest

FOLDERS = "mkdir -p .git/rebase-merge .git/rebase-apply .git/sequencer; "
PLANTS = {
    "a counter that a prompt runs": ("rebase-merge/msgnum", "$(id)1"),
    "the other counter": ("rebase-merge/end", "2\n$(id)"),
    "a counter of am": ("rebase-apply/next", "`id`"),
    "the other counter of am": ("rebase-apply/last", "1;id"),
    "an option for a strategy that is a script": ("rebase-merge/strategy_opts", "-- --x '--}$(id)'"),
    "an option that writes a file": ("rebase-merge/strategy_opts", " --index-output=/tmp/x"),
    "the same of a cherry-pick": ("sequencer/opts", '[options]\n\tstrategy-option = ""\n'),
    "an option of am that writes a file": ("rebase-apply/apply-opt", " '--build-fake-ancestor=/tmp/x'"),
    "a key that is a file": ("rebase-merge/gpg_sign_opt", "-S/tmp/x"),
    "a remote in the settings of a worktree": ("config.worktree", '[remote "origin"]\n\tpushurl = https://example.org/x\n'),
}


@pytest.fixture
def git(place):
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n")

    def git(*words, check=True, folder=place.work):
        return subprocess.run(["git", *words], cwd=folder, env=place.environment(), check=check, capture_output=True, text=True).stdout

    git("init", "-q", "-b", "main", ".")
    return git


@pytest.mark.parametrize("what", PLANTS)
def test_what_git_would_obey_is_taken_away(ringwall, bare, place, git, what):
    name, text = PLANTS[what]
    act = FOLDERS + 'printf %s "$1" >.git/' + name
    result = ringwall("run", "--", "sh", "-c", act + "; sleep 0.3; ls .git/" + name, "-", text)
    assert "quarantine" in result.err and result.out == "", result
    assert not (place.work / ".git" / name).exists()
    assert bare("sh", "-c", act, "-", text).status == 0
    assert (place.work / ".git" / name).read_text() == text


def test_in_a_git_folder_of_another_name_too(ringwall, bare, place, git):
    act = """git init -q --bare kept; git init -q --bare kept/modules/x; cd kept/modules/x
        mkdir rebase-merge; echo 'exec id' >rebase-merge/git-rebase-todo"""
    result = ringwall.sh(act + "; sleep 0.3; ls rebase-merge")
    assert "quarantine" in result.err and result.out == "", result
    assert bare("sh", "-c", act.replace("kept", "other")).status == 0
    assert (place.work / "other/modules/x/rebase-merge/git-rebase-todo").exists()


def test_a_git_file_leads_to_no_place_where_nobody_looks(ringwall, bare, place, git):
    act = """mkdir -p .git/objects/a.git/modules sub && git init -q .git/objects/a.git/modules/x &&
        echo "gitdir: $PWD/.git/objects/a.git/modules/x" >sub/.git; sleep 0.3; ls sub/.git"""
    result = ringwall.sh(act)
    assert "quarantine" in result.err and result.out == "", result
    assert not (place.work / "sub/.git").exists()
    assert bare("sh", "-c", act).out == "sub/.git\n"


# A conflict, in which the inside ends and the person goes on outside.
CONFLICT = """
echo 1 >a; git add a; git commit -q -m 1; git branch side; echo 2 >a; git commit -q -a -m 2
git checkout -q side; echo 3 >a; git commit -q -a -m 3; echo b >b; git add b; git commit -q -m 4
"""
INTERRUPTED = {
    "rebase -X ours -X find-renames=40%": ("git rebase -q -X find-renames=40% -X ignore-space-change main", "rebase"),
    "rebase --apply": ("git rebase -q --apply main", "rebase"),
    "am": ("git format-patch -q main --stdout >../p; git checkout -q main; git am -q -3 -C1 --whitespace=fix ../p", "am"),
    "cherry-pick": ("git checkout -q main; git cherry-pick -X patience side~1 side", "cherry-pick"),
}


@pytest.mark.parametrize("what", INTERRUPTED)
def test_what_git_inside_leaves_goes_on_outside(ringwall, place, git, what):
    act, command = INTERRUPTED[what]
    result = ringwall.sh(CONFLICT + act.replace("../p", "/tmp/p"))
    assert "quarantine" not in result.err, result
    (place.work / "a").write_text("both\n")
    git("add", "a")
    git("-c", "core.editor=true", command, "--continue")
    assert (place.work / "b").exists() and git("status", "--porcelain") == ""


def test_settings_of_a_worktree_that_leave_files_out(ringwall, place, git):
    git("commit", "-q", "--allow-empty", "-m", "1")
    git("config", "extensions.worktreeConfig", "true")
    text = "[core]\\n\\tsparseCheckout = true\\n\\tsparseCheckoutCone = true\\n[index]\\n\\tsparse = true\\n"
    result = ringwall.sh(f"printf '{text}' >.git/config.worktree; sleep 0.3; git status -s")
    assert result.status == 0 and "quarantine" not in result.err, result


# In a repository where it was off before: git sets extensions.worktreeConfig and writes config.worktree for it.
SPARSE = {
    "set": "git sparse-checkout set a && test ! -e b",
    "set without cones": "git sparse-checkout set --no-cone '/a/*' && test ! -e b",
    "init": "git sparse-checkout init --cone && test ! -e b/y && test -e top",
    "init, with a sparse index": "git sparse-checkout init --cone --sparse-index && git sparse-checkout set b && test ! -e a",
    "and off again": "git sparse-checkout set a && git sparse-checkout disable && test -e b/y",
    "more than once": "git sparse-checkout set a && git sparse-checkout add b && git sparse-checkout set b && test ! -e a && git sparse-checkout reapply",
    "in a worktree": "git worktree add -q wt && cd wt && git sparse-checkout set a && test ! -e b && test -e ../b && git sparse-checkout disable && test -e b",
    "of a clone": "git clone -q --sparse . copy && cd copy && test ! -e b && git sparse-checkout set b && test ! -e a",
}


def fill(place, git):
    for name in ("a/x", "b/y", "top"):
        (place.work / name).parent.mkdir(exist_ok=True)
        (place.work / name).write_text(name)
    git("add", ".")
    git("commit", "-q", "-m", "1")


@pytest.mark.parametrize("way", SPARSE)
def test_files_can_be_left_out_where_none_were_before(ringwall, place, git, way):
    fill(place, git)
    for _ in range(2):  # what the run before has left is there at the start then
        result = ringwall.sh("set -e; git update-index -q --refresh; " + SPARSE[way])
        assert result.status == 0 and "ringwall:" not in result.err, result
        git("sparse-checkout", "disable")
        assert git("status", "--porcelain", "--untracked-files=no") == "" and (place.work / "b/y").exists()
        subprocess.run("rm -rf wt copy; git worktree prune; git branch -q -D wt", shell=True, cwd=place.work, env=place.environment(), capture_output=True)


def test_the_settings_of_a_worktree_take_nothing_else(ringwall, bare, place, git):
    """Not when they appear, not once they are there, and none that slept there until now."""
    fill(place, git)
    sets = "git sparse-checkout set a; git config --worktree {0}; for n in $(seq {2}); do git config --worktree --get {1} >/dev/null || break; sleep 0.05; done; git config --worktree --get {1}"
    for setting, kept in (("core.fsmonitor ./x", "core.fsmonitor"), ("remote.origin.pushurl https://example.org/x", "remote.origin.pushurl"), ("branch.main.remote .", "branch.main.remote"), ("core.hooksPath x", "core.hooksPath")):
        for _ in range(2):
            result = ringwall.sh(sets.format(setting, kept, 100))
            assert result.status != 0 and result.out == "" and kept.split(".")[0] in result.err, result
        assert bare("sh", "-c", sets.format(setting, kept, 1)).status == 0
        git("config", "--worktree", "--unset", kept)
    assert (place.work / ".git/config.worktree").exists()


@pytest.mark.parametrize("place_of_it", [".git/config.worktree", ".git/worktrees/wt/config.worktree"])
def test_settings_that_slept_do_not_wake(ringwall, bare, place, git, place_of_it):
    fill(place, git)
    git("worktree", "add", "-q", "wt")
    (place.work / place_of_it).write_text("[core]\n\tfsmonitor = ./x\n")
    act = "git config extensions.worktreeConfig true"
    result = ringwall.sh(act)
    assert result.status != 0 and "one that lies there says core.fsmonitor" in result.err, result
    assert git("config", "extensions.worktreeConfig", check=False) == ""
    assert bare("sh", "-c", act).status == 0
    git("config", "--unset", "extensions.worktreeConfig")
    (place.work / place_of_it).write_text("[core]\n\tsparseCheckout = true\n")
    assert ringwall.sh(act).status == 0


def test_a_submodule_keeps_saying_where_its_working_tree_lies(ringwall, bare, place, git):
    fill(place, git)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(place.work), "sub")
    act = "git -C sub config extensions.worktreeConfig true"
    result = ringwall.sh(act)
    assert result.status != 0 and "where its working tree lies" in result.err, result
    assert bare("sh", "-c", act).status == 0


def test_a_rebase_runs_no_command_and_stops_where_one_is_wanted(ringwall, bare, place, git):
    """An exec line would run outside too; the person is told of what does the same, as docs/limits.md has it."""
    fill(place, git)
    for n in (1, 2, 3):
        git("commit", "-q", "--allow-empty", "-m", f"step {n}")
    result = ringwall.sh("git rebase -q --exec 'cat a/x >>seen' HEAD~3")
    assert "put break in its place" in result.err, result
    assert not (place.work / ".git/rebase-merge/git-rebase-todo").exists()
    assert bare("sh", "-c", "git rebase --abort; rm -f seen; git rebase -q --exec 'cat a/x >>seen' HEAD~3; cat seen").out == "a/x" * 3
    steps = "GIT_SEQUENCE_EDITOR='sed -i /^pick/abreak' git rebase -q -i HEAD~3; while test -d .git/rebase-merge; do cat a/x >>/tmp/seen && git rebase --continue || break; done; cat /tmp/seen"
    result = ringwall.sh(steps)
    assert result.status == 0 and result.out.endswith("a/x" * 3) and "quarantine" not in result.err, result
