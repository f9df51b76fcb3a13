"""What the person's git settings name in the tree is protected, and what a hidden link leads to is hidden.

That attacks on it are stopped is tests/attacks/planted and tests/attacks/credentials; here is the honest use beside.
"""

import subprocess

import pytest


@pytest.fixture
def repository(place):
    def git(*words):
        subprocess.run(["git", *words], cwd=place.work, check=True, capture_output=True)

    git("init", "-q")
    (place.work / "tools/hooks").mkdir(parents=True)
    (place.work / "tools/hooks/pre-commit").write_text("#!/bin/sh\n")
    (place.work / "tools/clean.sh").write_text("cat\n")
    (place.work / "tools/other.sh").write_text("cat\n")
    git("config", "core.hooksPath", "tools/hooks")
    git("config", "filter.tidy.clean", "sh tools/clean.sh")
    return place.work


def test_what_lies_beside_can_be_changed(ringwall, repository):
    script = "echo new > tools/other.sh && echo new > tools/made && mkdir tools/more && cat tools/other.sh tools/made"
    assert ringwall.sh(script, "--no-audit").ok() == "new\nnew"
    result = ringwall.sh("echo new > tools/clean.sh; echo new > tools/hooks/pre-commit; cat tools/clean.sh")
    assert result.out == "cat\n"
    assert result.err.count("Read-only file system") == 2


def test_the_person_can_take_it_out(ringwall, repository):
    flags = ("--unprotect", "/tools/hooks/", "--unprotect", "/tools/clean.sh")
    ringwall.sh("echo new > tools/clean.sh; echo new > tools/hooks/pre-commit", *flags)
    assert (repository / "tools/clean.sh").read_text() == "new\n"
    assert (repository / "tools/hooks/pre-commit").read_text() == "new\n"


def test_settings_that_variables_lead_to(ringwall, place, repository):
    """The person's own, in other places than the usual ones."""
    (place.home / "cfg/git").mkdir(parents=True)
    (place.home / "cfg/git/config").write_text("[core]\n\tfsmonitor = tools/other.sh\n")
    (place.home / "global").write_text("[core]\n\tpager = tools/pager.sh\n")
    (repository / "tools/pager.sh").write_text("cat\n")
    script = "echo new >tools/other.sh; echo new >tools/pager.sh; cat tools/other.sh tools/pager.sh"
    assert ringwall.sh(script, env={"XDG_CONFIG_HOME": str(place.home / "cfg")}).out == "cat\nnew\n"
    (repository / "tools/pager.sh").write_text("cat\n")
    assert ringwall.sh(script, env={"GIT_CONFIG_GLOBAL": str(place.home / "global")}).out == "new\ncat\n"


def test_a_link_with_a_hidden_name(ringwall, place):
    (place.work / "settings").mkdir()
    (place.work / "settings/local").write_text("A_PASSWORD=SECRET-0123456789\n")
    (place.work / "settings/other").write_text("DATA\n")
    (place.work / ".env").symlink_to("settings/local")
    (place.work / ".env.local").symlink_to("/nowhere/at/all")
    script = "cat .env; cat settings/local; cat settings/other"
    result = ringwall.sh(script)
    assert result.out == "DATA\n" and "settings/local" in result.err
    for pattern in (".env", "/settings/local"):
        assert "SECRET-0123456789" in ringwall.sh(script, "--show", pattern).out


def plants(ringwall, path):
    """Whether what git outside would run at `path` can be changed or made inside."""
    before = path.read_bytes() if path.exists() else None
    ringwall.sh(f"mkdir -p '{path.parent}'; echo planted > '{path}'")
    return (path.read_bytes() if path.exists() else None) != before


def test_hooks_of_a_repository_below_the_top(ringwall, place, repository):
    for sub in ("sub", "other"):
        subprocess.run(["git", "init", "-q", sub], cwd=place.work, check=True)
        (place.work / sub / "hooks").mkdir()
        (place.work / sub / "hooks/pre-commit").write_text("#!/bin/sh\n")
    subprocess.run(["git", "-C", "sub", "config", "core.hooksPath", "hooks"], cwd=place.work, check=True)
    assert not plants(ringwall, place.work / "sub/hooks/pre-commit")
    assert not plants(ringwall, place.work / "sub/hooks/post-commit")
    assert plants(ringwall, place.work / "other/hooks/pre-commit"), "no setting names it"


def test_hooks_of_a_worktree(ringwall, place, repository):
    """Its settings lie in the repository that it belongs to, outside of what is granted."""
    main = place.home / "main"
    subprocess.run(["git", "init", "-q", main], check=True)
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", "-C", main, *identity, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run(["git", "-C", main, "worktree", "add", "-q", place.work / "tree"], check=True)
    hook = place.work / "tree/ci/pre-commit"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\n")
    assert plants(ringwall, hook), "nothing names it yet"
    subprocess.run(["git", "-C", main, "config", "core.hooksPath", "ci"], check=True)
    assert not plants(ringwall, hook)


def test_settings_that_cannot_be_understood_stop_the_run(ringwall, repository):
    config = repository / ".git/config"
    text = config.read_text()
    config.write_text(text + "[core\n")
    result = ringwall.sh("echo ran")
    assert result.status == 125 and result.out == ""
    assert str(config) in result.err and "line" in result.err and "git config --file" in result.err
    config.write_text(text)
    assert ringwall.sh("echo ran", "--no-audit").ok() == "ran"


def git_in(folder, *words):
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def test_files_in_the_git_folder_that_settings_name(ringwall, place, repository):
    work = place.work
    git_in(work, "config", "include.path", "extra.inc")
    git_in(work, "config", "core.hooksPath", ".git/mine")
    git_in(work, "config", "core.sshCommand", "ssh -F .git/ssh_config")
    git_in(work, "config", "alias.last", "!cat .git/HEAD .git/index")
    (work / ".git/extra.inc").write_text("[user]\n\tname = P\n")
    (work / ".git/mine").mkdir()
    assert not plants(ringwall, work / ".git/extra.inc")
    assert not plants(ringwall, work / ".git/mine/pre-commit")
    assert not plants(ringwall, work / ".git/ssh_config")
    assert plants(ringwall, work / ".git/other"), "nothing names it"
    script = "git add -A && git -c user.name=x -c user.email=x@x.x commit -qm x && git log --oneline | wc -l"
    assert ringwall.sh(script, "--no-audit").ok().strip() == "1"


def test_commands_that_say_where_they_are(ringwall, place, repository):
    work = place.work
    (work / "scripts").mkdir()
    for name in ("scripts/a.sh", "tools/b.sh", "tools/c.sh"):
        (work / name).write_text("#!/bin/sh\n")
    git_in(work, "config", "alias.a", "!$(git rev-parse --show-toplevel)/scripts/a.sh")
    git_in(work, "config", "alias.b", "!cd tools && ./b.sh")
    git_in(work, "config", "core.fsmonitor", '"$(git rev-parse --show-toplevel)"/tools/c.sh')
    for name in ("scripts/a.sh", "tools/b.sh", "tools/c.sh"):
        assert not plants(ringwall, work / name), name
    assert plants(ringwall, work / "scripts/b.sh"), "nothing names it"


@pytest.fixture
def with_hooks(place):
    """Committed hooks, as teams have them."""
    git_in(place.home, "init", "-q", str(place.work))
    (place.work / "ci/hooks").mkdir(parents=True)
    (place.work / "ci/hooks/pre-commit").write_text("#!/bin/sh\n")
    (place.work / "a.txt").write_text("a\n")
    git_in(place.work, "config", "core.hooksPath", "ci/hooks")
    git_in(place.work, "config", "alias.st", "!./tools/st.sh")
    git_in(place.work, "add", "-A")
    git_in(place.work, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "x")
    return place.work


def test_a_worktree_that_a_run_makes(ringwall, with_hooks):
    script = """
        git worktree add -q wt -b feature && cat wt/a.txt && echo new > wt/a.txt
        echo planted > wt/ci/hooks/post-checkout; mkdir -p wt/tools; echo planted > wt/tools/st.sh
        sleep 0.5; ls wt/ci/hooks wt/tools"""
    result = ringwall.sh(script, "--no-audit")
    assert result.out == "a\nwt/ci/hooks:\npre-commit\n\nwt/tools:\n", result
    assert "took away" in result.err
    worktree = with_hooks / "wt"
    assert (worktree / "a.txt").read_text() == "new\n"
    # What the checkout brought is what the person has at the top.
    assert (worktree / "ci/hooks/pre-commit").read_text() == "#!/bin/sh\n"
    assert not plants(ringwall, worktree / "ci/hooks/pre-commit"), "in the next run"


def test_what_a_checkout_brought_and_was_changed(ringwall, with_hooks):
    script = "git worktree add -q wt -b feature && sleep 0.3 && echo planted >> wt/ci/hooks/pre-commit; sleep 0.5"
    result = ringwall.sh(script)
    assert "took away" in result.err, result
    assert not (with_hooks / "wt/ci/hooks/pre-commit").exists()


def test_what_lies_there_before_the_worktree_is_one(ringwall, with_hooks):
    """The hooks come first, and the .git last; or by a link on the way."""
    script = """
        mkdir -p wt/ci/hooks && echo planted > wt/ci/hooks/pre-commit && sleep 0.3 && cat wt/ci/hooks/pre-commit
        git worktree add -q other -b feature && mv other/.git wt/.git
        mkdir -p evil/hooks && git worktree add -q link -b more && rm -r link/ci && ln -s ../evil link/ci; sleep 0.5"""
    result = ringwall.sh(script)
    assert result.out == "planted\n", result
    assert not (with_hooks / "wt/ci/hooks/pre-commit").exists()
    assert not (with_hooks / "link/ci").is_symlink()


def test_a_repository_that_a_run_makes(ringwall, place, with_hooks):
    """It has its own settings, and the person's."""
    script = """
        git init -q new && mkdir -p new/ci/hooks new/dev/hooks
        echo own > new/ci/hooks/pre-commit; echo planted > new/dev/hooks/pre-commit; sleep 0.5"""
    (place.home / ".gitconfig").write_text("[core]\n\thooksPath = dev/hooks\n")
    result = ringwall.sh(script, "--no-audit")
    assert "took away" in result.err, result
    assert not (with_hooks / "new/dev/hooks/pre-commit").exists()
    assert (with_hooks / "new/ci/hooks/pre-commit").read_text() == "own\n", "that is of the other repository"


def test_a_submodule_that_leads_git_elsewhere(ringwall, place, with_hooks):
    """core.worktree of its config, so that a checkout in it writes hooks and settings of editors."""
    make = """
        git init -q x && git -C x -c user.name=x -c user.email=x@x.x commit -q --allow-empty -m x
        mkdir -p .git/modules docs && echo a > docs/a && mv x/.git .git/modules/x
        echo 'gitdir: ../.git/modules/x' > x/.git
        git --git-dir=.git/modules/x config core.worktree {}; sleep 0.5; cat .git/modules/x/config"""
    for target in ("../../../ci/hooks", "../../../.vscode", "../../../docs"):
        result = ringwall.sh(make.format(target) + "; rm -rf .git/modules/x x")
        assert "core.worktree leads to a folder that is not the submodule's" in result.err, (target, result)
    result = ringwall.sh(make.format("../../../x"), "--no-audit")
    assert "worktree = ../../../x" in result.out and "took away" not in result.err, result


def test_a_submodule_that_git_adds(ringwall, place, with_hooks):
    git_in(place.work, "init", "-q", "library")
    git_in(place.work / "library", "commit", "-q", "--allow-empty", "-m", "x")
    script = """
        git -c protocol.file.allow=always submodule --quiet add ./library deep/lib && git submodule status
        git submodule --quiet deinit -f deep/lib
        git -c protocol.file.allow=always submodule --quiet update --init deep/lib
        git -C deep/lib log --oneline | wc -l"""
    result = ringwall.sh(script, "--no-audit")
    assert result.status == 0 and "took away" not in result.err, result
    assert result.out.endswith("1\n")


def test_commits_that_stand_in_the_place_of_others_are_told(ringwall, with_hooks):
    script = "git -c user.name=x -c user.email=x@x.x commit -q --allow-empty -m y && git replace HEAD HEAD~1"
    assert "git show other commits in the place of some (refs/replace/" in ringwall.sh(script).err
    assert "git show other commits" not in ringwall.sh("git log -1 --format=%s").err, "it was so before"
    grafts = "mkdir -p .git/info && git rev-parse HEAD > .git/info/grafts"
    assert "(info/grafts)" in ringwall.sh(grafts).err


def test_a_workspace_of_more_than_a_thousand_repositories_starts(ringwall, place):
    for number in range(1100):
        git = place.work / f"repo{number}/.git"
        for name in ("objects", "refs"):
            (git / name).mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text("[core]\n\tbare = false\n")
    result = ringwall.sh("echo RAN; echo x 2>/dev/null > repo1099/.git/config || echo refused", timeout=200)
    assert result.status == 0 and result.out == "RAN\nrefused\n", result
