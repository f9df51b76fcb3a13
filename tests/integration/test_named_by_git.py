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
