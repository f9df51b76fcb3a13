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
    assert ringwall.sh(script).ok() == "new\nnew"
    result = ringwall.sh("echo new > tools/clean.sh; echo new > tools/hooks/pre-commit; cat tools/clean.sh")
    assert result.out == "cat\n"
    assert result.err.count("Read-only file system") == 2


def test_the_person_can_take_it_out(ringwall, repository):
    flags = ("--unprotect", "/tools/hooks/", "--unprotect", "/tools/clean.sh")
    ringwall.sh("echo new > tools/clean.sh; echo new > tools/hooks/pre-commit", *flags)
    assert (repository / "tools/clean.sh").read_text() == "new\n"
    assert (repository / "tools/hooks/pre-commit").read_text() == "new\n"


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
