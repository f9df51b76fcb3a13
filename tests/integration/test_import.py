"""ringwall import: settings of other sandboxes as a policy that loads and holds."""

import json
import os
import stat

import pytest

CLAUDE = {
    "permissions": {
        "allow": ["Bash(npm run test:*)", "Read(~/notes/**)"],
        "deny": ["Bash(curl:*)", "Read(./plans/**)", "Read(~/.ssh/**)", "Edit(./fixed.cfg)"],
        "additionalDirectories": ["ROOT/shared"],
    },
    "env": {"GREETING": "it's \"me\"\n", "SERVICE_TOKEN": "t0p"},
    "sandbox": {"enabled": True, "filesystem": {"denyRead": ["~/.aws"], "allowWrite": ["~/nowhere"]}},
}
SRT = {
    "network": {"deniedDomains": [], "allowedDomains": []},
    "filesystem": {"denyRead": ["~/.ssh", "plans"], "allowWrite": [".", "ROOT/shared", "/tmp"], "denyWrite": ["*.cfg"]},
}


@pytest.fixture
def project(place):
    for folder in (place.home / "notes", place.root / "shared"):
        folder.mkdir()
        (folder / "text").write_text("of the host\n")
    (place.work / "plans").mkdir()
    (place.work / "plans/secret").write_text("SECRET")
    (place.work / "fixed.cfg").write_text("fixed")
    (place.work / ".claude").mkdir()
    return place


def write(place, path, settings):
    text = settings if isinstance(settings, str) else json.dumps(settings, indent=2)
    path.write_text(text.replace("ROOT", str(place.root)))
    return path


@pytest.fixture
def policy(project, ringwall):
    def make(tool, settings, name=".claude/settings.json"):
        path = write(project, project.work / name, settings)
        out = project.root / "out.toml"
        assert ringwall("import", tool, path, "-o", out).ok() == ""
        return out

    return make


TRY = """
cat plans/secret 2>/dev/null; echo new >fixed.cfg 2>/dev/null; cat fixed.cfg
echo; cat ~/notes/text 2>/dev/null; echo more >>"$SHARED/text"; printf '%s' "$GREETING"
"""


def test_claude_settings_hold_as_a_policy(project, ringwall, policy):
    out = policy("claude", CLAUDE)
    assert ringwall("run", "--policy", out, "--explain", "--", "true").ok()
    result = ringwall.sh(TRY, "--policy", out, "--set", f"SHARED={project.root}/shared")
    assert result.status == 0 and result.out == "fixed\nof the host\nit's \"me\"\n"
    assert (project.root / "shared/text").read_text() == "of the host\nmore\n"
    text = out.read_text()
    for words in ("Bash(curl:*)", "allowUnsandboxedCommands", "~/.aws", "~/nowhere", "binds the agent's own tools"):
        assert words in text
    assert "t0p" not in text


def test_srt_settings_hold_as_a_policy(project, ringwall, policy):
    out = policy("srt", SRT, ".srt.json")
    assert ringwall("run", "--policy", out, "--explain", "--", "true").ok()
    assert ringwall.sh(TRY, "--policy", out, "--set", f"SHARED={project.root}/shared").out == "fixed\n"
    assert (project.root / "shared/text").read_text() == "of the host\nmore\n"


def test_the_usual_file_is_read_and_shown(project, ringwall):
    write(project, project.home / ".srt-settings.json", SRT)
    assert f'{project.root}/shared",  # filesystem.allowWrite' in ringwall("import", "srt").ok()
    ringwall("import", "claude").refused(".claude/settings.json")


def test_a_file_that_is_there_stays(project, ringwall):
    path = write(project, project.work / "s.json", SRT)
    out = write(project, project.root / "out.toml", "mine")
    ringwall("import", "srt", path, "-o", out).refused("is there already")
    assert out.read_text() == "mine"
    os.chmod(out, 0o666)
    ringwall("import", "srt", path, "-o", out, "--force").ok()
    assert out.read_text().startswith("# Made by: ringwall import srt")
    assert stat.S_IMODE(out.stat().st_mode) & 0o022 == 0


def test_mistakes_are_told_with_their_place(project, ringwall):
    path = write(project, project.work / "s.json", '{\n "network": 3,\n "filesystem": {"denyRead": [1]}\n}')
    result = ringwall("import", "srt", path)
    result.refused("s.json:2:13: network must be an object", "s.json:3:30: filesystem.denyRead.0 must be")
    assert result.out == ""
    write(project, path, '{"a": 1,}')
    ringwall("import", "srt", path).refused("s.json:1:9: is not JSON")
    write(project, path, " " * (1 << 21))
    ringwall("import", "srt", path).refused("larger than")
    fifo = project.work / "fifo"
    os.mkfifo(fifo)
    ringwall("import", "srt", fifo).refused("is not a file")
    ringwall("import", "srt", project.work / "none").refused("none")
    ringwall("import", "docker").refused("known are: claude, srt")
