"""Profiles: what an agent gets by its name alone, and who does not get it."""

import json
import os

import pytest
from conftest import needs_root
from test_policy_layers import in_own_etc, organisation, person

# What a fake agent tells about where it is.
REPORT = """#!/bin/sh
echo "updater=$DISABLE_AUTOUPDATER key=$ANTHROPIC_API_KEY config=$CLAUDE_CONFIG_DIR"
echo "login=$(cat ~/.claude/.credentials.json 2>/dev/null)"
echo "settings=$(cat ~/.claude/settings.json 2>/dev/null)"
echo "managed=$(cat /etc/claude-code/managed-settings.json 2>/dev/null)"
eval "$1"
"""


def install(folder, name="claude", text=REPORT):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return file


class Agent:
    def __init__(self, ringwall, place):
        self.ringwall = ringwall
        self.place = place
        self.bin = place.home / ".npm-global/bin"
        install(self.bin)

    def __call__(self, script="", *options, path=None, cwd=None, env=None):
        values = {"PATH": f"{path or self.bin}:/usr/bin:/bin", **(env or {})}
        result = self.ringwall("run", *options, "--", "claude", script, env=values, cwd=cwd or self.place.work)
        assert result.status == 0, result
        return dict(line.split("=", 1) for line in result.out.splitlines() if "=" in line)

    def workspace(self, name):
        folder = self.place.root / name
        folder.mkdir(exist_ok=True)
        return folder


@pytest.fixture
def agent(ringwall, place):
    return Agent(ringwall, place)


def test_an_agent_gets_its_switches(agent, place):
    told = agent()
    assert told["updater"] == f"1 key= config={place.home}/.claude"
    assert agent(env={"ANTHROPIC_API_KEY": "K"})["updater"].startswith("1 key=K ")


def test_a_key_that_is_not_set_is_no_matter(agent, ringwall):
    result = ringwall("run", "--", "claude", env={"PATH": f"{agent.bin}:/usr/bin:/bin"})
    assert "is not set" not in result.err


def test_one_login_for_all_workspaces(agent):
    first, second = agent.workspace("first"), agent.workspace("second")
    assert agent("echo TOKEN > ~/.claude/.credentials.json", cwd=first)["login"] == ""
    assert agent(cwd=second)["login"] == "TOKEN"
    # The twin: another program has nothing of it.
    install(agent.bin, "other")
    result = agent.ringwall("run", "--", "other", cwd=second, env={"PATH": f"{agent.bin}:/bin"})
    assert "login=\n" in result.out
    # And a run that keeps nothing has none.
    assert agent("", "--fresh", cwd=second)["login"] == ""


def test_what_was_said_in_one_workspace_is_no_others(agent, ringwall):
    first, second = agent.workspace("first"), agent.workspace("second")
    say = "mkdir ~/.claude/projects/p; echo SAID > ~/.claude/projects/p/1.jsonl; echo TOKEN > ~/.claude/.credentials.json"
    agent(say, cwd=first)
    look = "echo heard=$(grep -rl SAID ~/.claude)"
    told = agent(look, cwd=second)
    assert told["login"] == "TOKEN" and told["heard"] == ""
    assert told != agent(look, cwd=first) and "1.jsonl" in agent(look, cwd=first)["heard"]
    # The twin: a folder of the store that nobody keeps apart is everybody's, and what is kept may be named.
    agent("mkdir ~/.claude/other; echo SAID > ~/.claude/other/1", cwd=first)
    assert agent(look, cwd=second)["heard"].endswith("/other/1")
    assert agent(look, "--keep", ".claude/other", cwd=second)["heard"] == ""


def test_an_agent_cannot_lead_what_is_kept_apart_elsewhere(agent, place):
    """The place of the mount lies in the store, which agents without the profile's list can fill."""
    secret = place.home / "secret"
    secret.mkdir()
    fill = f"rm -rf ~/.store/chats; ln -s {secret} ~/.store/chats"
    options = ("--login", "store:.store")
    agent(fill, *options, cwd=agent.workspace("first"))
    kept = (*options, "--keep", ".store/chats")
    agent("echo SAID > ~/.store/chats/1", *kept, cwd=agent.workspace("second"))
    assert not list(secret.iterdir())
    assert agent("echo kept=$(cat ~/.store/chats/1)", *kept, cwd=agent.workspace("second"))["kept"] == "SAID"
    assert agent("mv ~/.store/chats ~/.store/away; echo moved=$?", *kept)["moved"] != "0"


def test_credentials_of_the_host_stay_outside_unless_asked_for(agent, place):
    folder = place.home / ".claude"
    folder.mkdir()
    (folder / ".credentials.json").write_text("HOST")
    assert agent()["login"] == ""
    assert agent("", "--copy-login")["login"] == "HOST"
    assert agent()["login"] == "HOST"


def test_settings_are_those_of_the_real_home_at_every_start(agent, place):
    folder = place.home / ".claude"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents/mine.md").write_text("MINE")
    (folder / "settings.json").write_text("{}")
    plant = (
        "echo planted > ~/.claude/settings.json; echo x > ~/.claude/agents/more.md;"
        "mkdir -p ~/.claude/plugins/p ~/.claude/hooks; echo x > ~/.claude/hooks/h; ln -s /etc ~/.claude/rules/etc"
    )
    assert agent(plant, cwd=agent.workspace("one"))["settings"] == "{}"
    look = "cd ~/.claude; echo found=$(for f in $(find . ! -type d); do [ ! -e $f ] || echo $f; done)"
    told = agent(look, cwd=agent.workspace("two"))
    assert told["settings"] == "{}"
    assert sorted(told["found"].split()) == ["./agents/mine.md", "./settings.json"]
    assert (folder / "settings.json").read_text() == "{}"


def test_servers_that_a_run_named_are_forgotten(agent):
    file = "~/.claude/.claude.json"
    state = '{"id": 7, "mcpServers": {"x": {"command": "evil"}}, "projects": {"/p": {"mcpServers": {"y": {}}, "n": [1]}}}'
    agent(f"echo '{state}' > {file}")
    told = agent(f"echo state=$(cat {file})")
    assert json.loads(told["state"]) == {"id": 7, "projects": {"/p": {"n": [1]}}}
    # What cannot be understood goes as a whole.
    agent(f"echo '{{\"mcpServers\": 1,' > {file}")
    assert agent(f"echo there=$(ls {file} 2>/dev/null)")["there"] == ""


def test_a_store_that_was_closed_opens_again(agent, place):
    (place.home / ".claude").mkdir()
    (place.home / ".claude/settings.json").write_text("{}")
    agent("echo TOKEN > ~/.claude/.credentials.json; chmod 0 ~/.claude/settings.json ~/.claude")
    told = agent()
    assert told["login"] == "TOKEN" and told["settings"] == "{}"


def test_a_link_of_an_earlier_workspace_is_not_followed(agent, place):
    work = agent.workspace("dotfiles")
    (place.home / "secret").write_text("SECRET")
    (work / "settings.json").write_text("{}")
    (place.home / ".claude").mkdir()
    (place.home / ".claude/settings.json").symlink_to(work / "settings.json")
    assert agent(f"ln -sf {place.home}/secret settings.json", cwd=work)["settings"] == "{}"
    assert os.path.islink(work / "settings.json")
    assert "SECRET" not in agent()["settings"]


def test_settings_that_are_too_large_stop_the_run(agent, ringwall, place):
    folder = place.home / ".claude"
    folder.mkdir()
    with open(folder / "CLAUDE.md", "wb") as file:
        file.truncate(17 << 20)
    result = ringwall("run", "claude", env={"PATH": f"{agent.bin}:/bin"})
    result.refused("CLAUDE.md", "too large", "--no-profile")


@pytest.mark.skipif(os.path.isdir("/etc/claude-code"), reason="this host has settings of its own")
def test_managed_settings_are_there_and_stay(agent):
    file = "/etc/claude-code/managed-settings.json"
    script = (
        f"chmod 644 {file} 2>&1 | sed 's/^/chmod=/'; rm -f {file} 2>&1 | sed 's/^/rm=/';"
        f"echo x 2>/dev/null > {file} || echo wrote=no"
    )
    told = agent(script)
    settings = json.loads(told["managed"])
    assert settings["env"]["DISABLE_AUTOUPDATER"] == "1"
    assert settings["sandbox"] == {"enabled": False}
    assert "Read-only" in told["chmod"] and "Read-only" in told["rm"]
    assert told["wrote"] == "no"


@pytest.mark.parametrize("folder", ["node_modules/.bin", "bin"])
def test_a_program_of_the_repository_gets_nothing(agent, place, folder):
    agent("echo TOKEN > ~/.claude/.credentials.json")
    install(place.work / folder)
    for options in ([], ["--rw", place.home / "data"]):
        (place.home / "data").mkdir(exist_ok=True)
        told = agent("", *options, path=place.work / folder)
        assert told["updater"] == " key= config="
        assert told["login"] == "" and told["managed"] == ""


def test_a_program_of_an_earlier_workspace_gets_nothing(agent):
    work = agent.workspace("hostile")
    agent("mkdir bin && cp $(command -v claude) bin/", cwd=work)
    assert agent(path=work / "bin")["updater"] == " key= config="


def test_no_profile_starts_from_nothing(agent):
    assert agent("", "--no-profile")["updater"] == " key= config="
    assert agent("", "--no-profile", "--profile", "claude")["updater"].startswith("1 ")


def test_a_profile_can_be_added(ringwall):
    assert ringwall.sh("echo $DISABLE_AUTOUPDATER").ok() == ""
    assert ringwall.sh("echo $DISABLE_AUTOUPDATER", "--profile", "claude").out == "1\n"
    ringwall.sh("echo RAN", "--profile", "claud").refused("claud", "did you mean claude?")


def test_the_repository_can_neither_choose_nor_drop_it(agent, ringwall, place):
    """With the profile, the gate in the agent's managed settings would go."""
    (place.work / ".ringwall.toml").write_text('[run]\nprofiles = ["codex"]\n')
    ringwall.sh("echo RAN").refused("run.profiles", "cannot say this")
    (place.work / ".ringwall.toml").write_text("[run]\nno_profile = true\n")
    ringwall.sh("echo RAN").refused("run.no_profile", "can only narrow")


def test_the_repository_cannot_have_a_login_removed(agent, ringwall, place):
    (place.work / ".ringwall.toml").write_text('[home]\nforget = [".claude/.credentials.json"]\n')
    ringwall.sh("echo RAN").refused("home.forget", "can only narrow")


def test_the_person_comes_after_the_profile(agent, place):
    person(place, '[environment]\nset = ["DISABLE_AUTOUPDATER=0"]\n')
    told = agent()
    assert told["updater"].startswith("0 ")
    if told["managed"]:
        assert json.loads(told["managed"])["env"]["DISABLE_AUTOUPDATER"] == "0"


def test_show_and_explain_name_the_line(agent, ringwall):
    env = {"PATH": f"{agent.bin}:/usr/bin:/bin"}
    shown = json.loads(ringwall("policy", "show", "--json", "--", "claude", env=env).ok())
    rows = [row for row in shown if row["layer"] == "profile"]
    assert {row["place"] for row in rows} == {"claude"} and all(row["line"] for row in rows)
    assert "profile claude:" in ringwall("policy", "show", "--", "claude", env=env).ok()
    told = ringwall("explain", "connect", "api.anthropic.com:443", "--", "claude", env=env)
    assert told.status == 0 and "network.allow (profile claude:" in told.out
    told = ringwall("explain", "env", "DISABLE_AUTOUPDATER", "--", "claude", env=env)
    assert told.status == 0 and "ringwall run --set DISABLE_AUTOUPDATER=" in told.out


def test_the_list(ringwall):
    listed = json.loads(ringwall("profiles", "--json").ok())
    agents = {row["name"] for row in listed if row["kind"] == "agent"}
    assert agents >= {"claude", "codex", "gemini", "opencode", "copilot", "aider", "goose", "generic"}
    assert ringwall("profiles", "claude").ok().startswith("# agent: Claude Code")
    ringwall("profiles", "claud").refused("did you mean claude?")


@needs_root
def test_locks_hold_against_profiles(agent, ringwall):
    etc = in_own_etc(organisation('lock = ["network.allow", "home.login"]\n'))
    env = {"PATH": f"{agent.bin}:/usr/bin:/bin"}
    result = ringwall("run", "claude", env=env, prefix=etc)
    assert result.status == 0 and "updater=1" in result.out, result
    assert "cannot be reached" not in result.err
    shown = ringwall("policy", "show", "--", "claude", env=env, prefix=etc)
    assert shown.status == 0, shown
    assert "left out: network.allow api.anthropic.com:443" in shown.err
    assert "profile claude" in shown.err and "locked by /etc/ringwall/policy.toml:1" in shown.err
    assert "network.allow = (nothing)" in shown.out
