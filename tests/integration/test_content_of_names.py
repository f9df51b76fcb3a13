"""Names that ordinary work writes: protected as long as something would run by what they say; and what the settings of agents call."""

import json
import subprocess

import pytest

ORDINARY = {
    ".env": "A=b\nDATABASE_URL=postgres://u@h/d?a=b&c=d\nAPP_NAME='My App'\n",
    ".tool-versions": "node 20.1.0\npython 3.11\n",
    "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\ncatalog:\n  react: ^18\n",
}
RUNNING = {
    ".env": "PATH=/x:/usr/bin\n",
    ".tool-versions": "node path:dist\n",
    "pnpm-workspace.yaml": "pnpmfile: src/x.cjs\n",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_ones_stay(ringwall, place, name):
    (place.work / "text").write_text(ORDINARY[name])
    script = f"cat text > {name}; mkdir -p a; cp text a/{name}; mv a/{name} b; mv b a/{name}; sleep 0.3; cat {name}"
    result = ringwall.sh(script, "--no-audit")
    assert result.out == ORDINARY[name], result
    assert "took away" not in result.err
    assert (place.work / "a" / name).read_text() == ORDINARY[name]
    if name != ".env":  # hidden from the next run
        again = ringwall.sh(f"echo '# more' >> {name}; tail -n 1 {name}", "--no-audit")
        assert again.ok().strip() == "# more"


@pytest.mark.parametrize("name", RUNNING)
def test_what_runs_is_taken_away(ringwall, place, name):
    (place.work / "text").write_text(RUNNING[name])
    result = ringwall.sh(f"cat text > {name}; sleep 0.3; ls {name}")
    assert "took away" in result.err and result.status != 0, result
    assert not (place.work / name).exists()


@pytest.mark.parametrize("name", [".tool-versions", "pnpm-workspace.yaml"])
def test_one_of_the_start_that_is_changed(ringwall, place, name):
    (place.work / name).write_text(ORDINARY[name])
    (place.work / "text").write_text(RUNNING[name])
    result = ringwall.sh(f"cat text >> {name}; sleep 0.3; ls {name}")
    assert "took away" in result.err and not (place.work / name).exists(), result


@pytest.mark.parametrize("name", [".tool-versions", "pnpm-workspace.yaml"])
def test_one_of_the_start_by_which_something_runs(ringwall, place, name):
    """It is the person's: it stays, and cannot be changed."""
    (place.work / name).write_text(RUNNING[name])
    result = ringwall.sh(f"echo '# more' >> {name}; cat {name}")
    assert result.out.strip() == RUNNING[name].strip() and "Read-only" in result.err, result
    assert "took away" not in result.err


def test_a_link_to_an_ordinary_one(ringwall, place):
    (place.work / "text").write_text(ORDINARY[".env"])
    script = "mkdir a; cat text > .env; ln -s ../.env a/.env; sleep 0.4; cat a/.env | head -n 1; ln -s text .tool-versions; sleep 0.4; ls .tool-versions"
    result = ringwall.sh(script)
    assert result.out == "A=b\n", result
    assert (place.work / "a/.env").is_symlink()


def test_the_person_can_take_it_out(ringwall, place):
    assert ringwall.sh("echo PATH=/x > .env; sleep 0.3; cat .env", "--unprotect", ".env").ok() == "PATH=/x"


@pytest.fixture
def agents(place):
    work = place.work
    (work / ".claude/scripts").mkdir(parents=True)
    (work / "tools").mkdir()
    hook = {"type": "command", "command": 'python3 "$CLAUDE_PROJECT_DIR"/.claude/scripts/start.py'}
    settings = {
        "hooks": {"SessionStart": [{"hooks": [hook]}]},
        "statusLine": {"type": "command", "command": ".claude/statusline.py"},
        "permissions": {"allow": ["Read(src/a.py)"]},
    }
    (work / ".claude/settings.json").write_text(json.dumps(settings) + " // a comment\n")
    (work / ".mcp.json").write_text('{"mcpServers":{"x":{"command":"python3","args":["tools/mcp.py", "data.json"]}}}')
    for name in (".claude/scripts/start.py", ".claude/statusline.py", "tools/mcp.py", "tools/other.py", "data.json"):
        (work / name).write_text("was\n")
    return work


def test_what_the_settings_of_agents_call(ringwall, agents):
    script = "for f in .claude/scripts/start.py .claude/statusline.py tools/mcp.py tools/other.py data.json; do echo new > $f; done 2>/dev/null; true"
    ringwall.sh(script)
    called = [".claude/scripts/start.py", ".claude/statusline.py", "tools/mcp.py"]
    assert [(agents / name).read_text() for name in called] == ["was\n"] * 3
    assert (agents / "tools/other.py").read_text() == (agents / "data.json").read_text() == "new\n"


def test_what_they_call_and_is_not_there(ringwall, agents):
    (agents / "tools/mcp.py").unlink()
    result = ringwall.sh("echo planted > tools/mcp.py; sleep 0.3; ls tools")
    assert "took away" in result.err and result.out == "other.py\n", result


def test_what_settings_below_the_top_call(ringwall, agents):
    (agents / "sub/.gemini").mkdir(parents=True)
    (agents / "sub/.gemini/settings.json").write_text('{"mcpServers":{"x":{"command":"./run.sh"}}}')
    (agents / "sub/run.sh").write_text("was\n")
    ringwall.sh("echo new > sub/run.sh; echo new > sub/other.sh")
    assert (agents / "sub/run.sh").read_text() == "was\n"
    assert (agents / "sub/other.sh").read_text() == "new\n"


def test_the_person_can_take_out_what_they_call(ringwall, agents):
    ringwall.sh("echo new > tools/mcp.py", "--unprotect", "/tools/mcp.py")
    assert (agents / "tools/mcp.py").read_text() == "new\n"


def test_files_that_are_loaded_at_a_start(ringwall, place):
    names = ["mise/config.toml", ".direnv/x.rc", ".RData", "irb.rc", "kilo.json", ".pi/extensions/x.ts", ".corepack.env", "prek.toml"]
    script = "; ".join(f"mkdir -p $(dirname {name}); echo x > {name}" for name in names) + "; echo x > global.json; sleep 0.5"
    ringwall.sh(script)
    assert [name for name in names if (place.work / name).exists()] == []
    assert (place.work / "global.json").exists()
