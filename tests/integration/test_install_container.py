"""The recipe for CI and devcontainers: an agent's plain name in a container, walled, without the job's tokens."""

import pytest
from test_container import IDS, UNCONFINED, give, podman, pytestmark  # noqa: F401 (a fixture, and who can run it)

PACKAGE = "@anthropic-ai/claude-code"
AGENT = """#!/bin/sh
echo "first process: $(tr '\\\\0' ' ' </proc/1/cmdline)"
env | grep -E 'TOKEN|SECRET|API_KEY' | sort
"""
TOKENS = ["--env=GITHUB_TOKEN=ghs_x", "--env=ACTIONS_RUNTIME_TOKEN=y", "--env=ANTHROPIC_API_KEY=k"]
STEP = "PATH=$HOME/.npm-global/bin:$PATH; {install}; claude -p 'read the issue'"


@pytest.fixture
def runner(podman):  # noqa: F811
    """A container's home with the agent as npm leaves it."""
    home = podman.root / "home/person"
    package = home / ".npm-global/lib/node_modules" / PACKAGE
    package.mkdir(parents=True)
    (package / "cli.sh").write_text(AGENT)
    (package / "cli.sh").chmod(0o755)
    (home / ".npm-global/bin").mkdir()
    (home / ".npm-global/bin/claude").symlink_to(f"../lib/node_modules/{PACKAGE}/cli.sh")
    give(home, IDS["person"])
    return podman


def step(podman, install, flags):  # noqa: F811
    return podman.run("person", "sh", "-c", STEP.format(install=install), flags=[*TOKENS, *flags])


def test_a_step_runs_walled_and_without_the_jobs_tokens(runner):
    bare = step(runner, "true", [])
    assert "GITHUB_TOKEN=ghs_x" in bare.out and "ringwall-init" not in bare.out, bare
    walled = step(runner, "/opt/ringwall install claude >/dev/null || exit 9", UNCONFINED)
    assert walled.status == 0, walled
    assert "ringwall-init" in walled.out, walled
    assert "GITHUB_TOKEN" not in walled.out and "ACTIONS" not in walled.out, walled
    assert "ANTHROPIC_API_KEY=k" in walled.out, "what the agent's profile passes is there"


def test_without_the_flags_it_refuses_and_changes_nothing(runner):
    refused = step(runner, "/opt/ringwall install claude || exit 9", [])
    assert refused.status == 9 and "nothing was changed" in refused.err, refused
    assert "--security-opt" in refused.err
    home = runner.root / "home/person"
    assert (home / ".npm-global/bin/claude").is_symlink()
    assert not (home / ".local").exists() and not (home / ".claude").exists()


def test_for_everybody_in_a_container(runner):
    """As a devcontainer does it: root installs, the person works."""
    local = runner.root / "opt/local"
    package = local / "lib/node_modules" / PACKAGE
    package.mkdir(parents=True)
    (package / "cli.sh").write_text(AGENT)
    (package / "cli.sh").chmod(0o755)
    (local / "bin").mkdir()
    (local / "bin/claude").symlink_to(f"../lib/node_modules/{PACKAGE}/cli.sh")
    work = ["env", "PATH=/opt/local/bin:/usr/bin:/bin", "claude"]
    assert "ringwall-init" not in runner.run("person", *work, flags=UNCONFINED).out
    script = "cp /opt/ringwall /opt/local/bin/ && /opt/local/bin/ringwall install --system claude >/dev/null"
    done = runner.run("root", "sh", "-c", script, flags=UNCONFINED)
    assert done.status == 0, done
    assert "hook --walled --agent claude" in (runner.root / "etc/claude-code/managed-settings.json").read_text()
    walled = runner.run("person", *work, flags=UNCONFINED)
    assert walled.status == 0 and "ringwall-init" in walled.out, walled
    shown = ["/opt/local/bin/ringwall", "run", "--profile", "claude", "--", "cat", "/etc/claude-code/managed-settings.json"]
    inside = runner.run("person", *shown, flags=UNCONFINED)
    assert "/run/ringwall/ringwall hook --agent claude" in inside.out, "the gate's hooks, of the run's own settings"
    assert "--walled" not in inside.out, inside
