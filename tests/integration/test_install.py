"""ringwall install: plain names are walled, ways around are found, and uninstall leaves every byte as it was."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import Result, needs_root, not_for_root
from terminals import tmux, wait_until  # noqa: F401 (a fixture)
from test_policy_layers import in_own_etc, organisation

PACKAGE = "@anthropic-ai/claude-code"
# Says where it is; with "wait" it stays until its input ends.
AGENT = """#!/bin/sh
echo "AGENT $* in $(readlink /proc/self/ns/pid)"
case $1 in
  wait) read -r line ;;
  again) exec claude "second" ;;
esac
"""


class Machine:
    """A home as npm, nvm and installers leave it, and Ringwall in it."""

    def __init__(self, place, ringwall):
        self.place = place
        self.ringwall = ringwall
        self.home = place.home
        self.bin = self.npm("v24")
        self.path = [self.bin]

    def npm(self, version):
        """A global package of npm's, in the folder of a Node version by nvm."""
        node = self.home / ".nvm/versions/node" / version
        package = node / "lib/node_modules" / PACKAGE
        package.mkdir(parents=True)
        self.write(package / "cli.sh", AGENT, 0o755)
        (node / "bin").mkdir()
        (node / "bin/claude").symlink_to(f"../lib/node_modules/{PACKAGE}/cli.sh")
        return node / "bin"

    def update(self, name="cli2.sh"):
        """What npm does to its link, whatever lies there: it was measured with npm 11."""
        package = self.bin.parent / "lib/node_modules" / PACKAGE
        self.write(package / name, AGENT.replace("AGENT", "UPDATED"), 0o755)
        (self.bin / "claude").unlink()
        (self.bin / "claude").symlink_to(f"../lib/node_modules/{PACKAGE}/{name}")

    @staticmethod
    def write(path, text, mode=0o644):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def environment(self, **more):
        folders = ":".join(map(str, [*self.path, "/usr/local/bin", "/usr/bin", "/bin"]))
        return {"PATH": folders, "SHELL": "/bin/bash", **more}

    def call(self, *args, env=None, input=b"", **options):
        process = self.ringwall.start(*args, env=self.environment(**(env or {})), **options)
        out, err = process.communicate(input, 120)
        return Result(process.returncode, out, err)

    def plain(self, *words, env=None, cwd=None):
        """The plain name, found on PATH as a shell finds it."""
        values = self.place.environment(self.environment(**(env or {})))
        done = subprocess.run(
            ["sh", "-c", 'exec claude "$@"', "sh", *words], cwd=cwd or self.place.work, env=values,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def hook(self, event="UserPromptSubmit", agent="claude", **options):
        return self.call("hook", "--walled", "--agent", agent, "--event", event, input=b"{}", **options)

    def ways(self, **options):
        seen = self.call("installed", "--json", **options)
        (state,) = json.loads(seen.out)["agents"]
        return {way["kind"]: way["where"] for way in state["ways_around"]}

    def snapshot(self):
        """Every file and link below the home with bytes, mode and time; Ringwall's records are its own."""
        seen = {}
        for folder, folders, files in os.walk(self.home):
            folders[:] = [name for name in folders if f"{folder}/{name}" != str(self.place.state)]
            for name in folders + files:
                path = f"{folder}/{name}"
                facts = os.lstat(path)
                if os.path.islink(path):
                    seen[path] = (os.readlink(path), facts.st_mtime_ns)
                elif os.path.isdir(path):
                    seen[path] = facts.st_mode
                else:
                    seen[path] = (Path(path).read_bytes(), facts.st_mode, facts.st_mtime_ns)
        for name in (".local", ".local/state"):
            seen.pop(f"{self.home}/{name}", None)
        return seen


@pytest.fixture
def machine(place, ringwall):
    return Machine(place, ringwall)


def here():
    return os.readlink("/proc/self/ns/pid")


def is_inside(result):
    assert result.status == 0, result
    return here() not in result.out


def namespaces_of_agent(machine, *command):
    """Starts it, finds its process from outside, and gives its namespaces."""
    values = machine.place.environment(machine.environment())
    process = subprocess.Popen([*command, "wait"], cwd=machine.place.work, env=values,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout.readline().startswith(b"AGENT wait")
        lines = {pid: Path("/proc", str(pid), "cmdline").read_bytes() for pid in machine.place.processes()}
        (pid,) = [pid for pid, line in lines.items()
                  if line.startswith(b"/bin/sh\0") and line.endswith(b"\0wait\0")]
        return {name: os.readlink(f"/proc/{pid}/ns/{name}") for name in ("pid", "mnt", "net", "ipc", "user")}
    finally:
        process.communicate(b"\n", 60)


class TestPlainName:
    def test_is_inside_by_its_namespaces(self, machine):
        mine = {name: os.readlink(f"/proc/self/ns/{name}") for name in ("pid", "mnt", "net", "ipc", "user")}
        claude = str(machine.bin / "claude")
        assert namespaces_of_agent(machine, claude) == mine, "without an installation it is bare"
        machine.call("install", "claude").ok()
        inside = namespaces_of_agent(machine, claude)
        assert all(inside[name] != mine[name] for name in mine), inside

    def test_every_way_by_name_leads_inside(self, machine):
        machine.npm("v22")
        machine.call("install", "claude").ok()
        assert is_inside(machine.plain("--version"))
        machine.path = [machine.home / ".nvm/versions/node/v22/bin"]
        assert is_inside(machine.plain("--version"))
        machine.path = [machine.home / ".local/share/ringwall/bin", machine.bin]
        assert "AGENT --version" in machine.plain("--version").out
        assert is_inside(machine.plain("--version"))
        ran = machine.call("run", "claude", "x")
        assert "AGENT x" in ran.out and is_inside(ran)

    def test_a_shell_finds_the_shim_first(self, machine, place):
        (machine.home / ".bashrc").write_text(f'export PATH="{machine.bin}:$PATH"\n')
        machine.call("install", "claude").ok()
        values = place.environment(machine.environment())
        said = subprocess.run(["bash", "-i", "-c", "type -p claude"], env=values, capture_output=True, text=True)
        assert said.stdout.strip() == f"{machine.home}/.local/share/ringwall/bin/claude"

    def test_inside_it_starts_the_agent_itself(self, machine):
        machine.call("install", "claude").ok()
        again = machine.plain("again")
        assert "AGENT second" in again.out and is_inside(again), again

    def test_in_the_home_it_starts_in_an_empty_folder(self, machine):
        machine.call("install", "claude").ok()
        started = machine.plain("--version", cwd=machine.home)
        assert is_inside(started) and "no-project" in started.err

    def test_nothing_is_walled_where_ringwall_is_gone(self, machine):
        machine.call("install", "claude").ok()
        shim = machine.bin / "claude"
        shim.write_text(shim.read_text().replace("exec '/", "exec '/gone/"))
        refused = machine.plain("--version")
        assert refused.status == 127 and "AGENT" not in refused.out

    def test_in_tmux(self, machine, tmux):
        """A shell of tmux reads what shells read: the plain name is walled, on a terminal of its own."""
        machine.write(machine.home / ".bashrc", f'PS1="> "\nexport PATH="{machine.bin}:$PATH"\n')
        pane = tmux.open("bash -i", size=(24, 200))
        pane.expect("^>")
        pane.type("claude bare\n")
        pane.expect("AGENT bare in")
        assert here() in pane.text(), "without an installation it is bare"
        machine.call("install", "claude").ok()
        pane.type("clear; exec bash -i\n")
        pane.type("claude walled\n")
        pane.expect("AGENT walled in")
        assert here() not in pane.text()


class TestUninstall:
    def test_leaves_every_byte(self, machine):
        machine.write(machine.home / ".claude/settings.json", '{\n\t"model": "x",   "hooks": {}}', 0o600)
        machine.write(machine.home / ".bashrc", "# mine, without an end")
        machine.write(machine.home / ".local/share/pnpm/claude", AGENT, 0o755)
        machine.write(machine.home / ".local/share/claude/versions/2.1.0", AGENT, 0o755)
        (machine.home / ".local/bin").mkdir()
        (machine.home / ".local/bin/claude").symlink_to(machine.home / ".local/share/claude/versions/2.1.0")
        dotfiles = machine.write(machine.home / "dotfiles/zshrc", "x\n")
        (machine.home / ".zshrc").symlink_to(dotfiles)
        before = machine.snapshot()
        machine.call("install", "claude", "codex", "gemini", "copilot").ok()
        assert machine.snapshot() != before
        machine.path = [machine.home / ".local/share/pnpm"]
        assert is_inside(machine.plain("--version"))
        machine.path = [machine.home / ".local/bin"]
        assert is_inside(machine.plain("--version"))
        machine.call("install", "claude").ok()
        machine.call("uninstall", "claude").ok()
        assert not is_inside(machine.plain("--version"))
        machine.call("uninstall").ok()
        assert machine.snapshot() == before
        assert not (machine.place.state / "install").exists()

    def test_keeps_what_the_person_changed_since(self, machine):
        settings = machine.write(machine.home / ".claude/settings.json", '{"model": "x"}')
        rc = machine.write(machine.home / ".bashrc", "one\n")
        machine.call("install", "claude").ok()
        changed = json.loads(settings.read_text())
        changed["model"] = "y"
        changed["hooks"]["PreToolUse"].append({"hooks": [{"type": "command", "command": "mine"}]})
        settings.write_text(json.dumps(changed))
        rc.write_text(rc.read_text() + "two\n")
        assert "was changed since" in machine.call("uninstall").ok()
        mine = {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}
        assert json.loads(settings.read_text()) == {"model": "y", "hooks": mine}
        assert rc.read_text() == "one\ntwo\n"

    def test_leaves_a_newer_program(self, machine):
        machine.call("install", "claude").ok()
        machine.update()
        assert "that stays" in machine.call("uninstall").ok()
        assert os.readlink(machine.bin / "claude").endswith("cli2.sh")

    def test_gives_a_program_back_whose_shim_was_removed(self, machine):
        program = machine.write(machine.home / ".local/share/pnpm/claude", AGENT, 0o755)
        machine.call("install", "claude").ok()
        program.unlink()
        machine.call("uninstall").ok()
        assert program.read_text() == AGENT

    def test_a_manifest_that_cannot_be_read_stops_everything(self, machine, place):
        machine.call("install", "claude").ok()
        manifest = place.state / "install/manifest.json"
        whole = manifest.read_text()
        manifest.write_text(whole[: len(whole) // 2])
        before = machine.snapshot()
        for words in (["uninstall"], ["install", "claude"], ["installed"]):
            machine.call(*words).refused("manifest.json")
        assert machine.snapshot() == before
        assert is_outside_refused_somehow(machine)
        manifest.write_text(whole)
        machine.call("uninstall").ok()

    def test_of_nothing_is_refused(self, machine):
        machine.call("uninstall").refused("nothing is installed")
        machine.call("uninstall", "claude").refused("not installed")


class TestRefusals:
    def test_settings_that_cannot_be_kept(self, machine):
        machine.write(machine.home / ".claude/settings.json", "// mine\n{}")
        before = machine.snapshot()
        machine.call("install", "claude").refused("settings.json")
        assert machine.snapshot() == before

    def test_a_host_without_user_namespaces_is_left_alone(self, machine, place):
        before = machine.snapshot()
        state_before = place.state.exists()
        script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
        prefix = ["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", script, "sh"]
        refused = machine.call("install", "claude", prefix=prefix)
        refused.refused("nothing was changed", "user")
        assert "user.max_user_namespaces" in refused.hint() or "namespaces" in refused.hint()
        assert machine.snapshot() == before and place.state.exists() == state_before

    @not_for_root
    def test_what_fails_in_the_midst_is_undone(self, machine):
        machine.write(machine.home / ".local/share/pnpm/claude", AGENT, 0o755)
        machine.write(machine.home / ".claude/settings.json", "{}")
        (machine.home / ".claude").chmod(0o555)
        before = machine.snapshot()
        machine.call("install", "claude").refused("settings.json")
        assert machine.snapshot() == before
        (machine.home / ".claude").chmod(0o755)
        machine.call("install", "claude").ok()
        assert is_inside(machine.plain("--version"))

    def test_unknown_agents_are_named(self, machine):
        machine.call("install", "cluade").refused("cluade", "claude")
        machine.call("install").refused("which agent")

    def test_inside_a_run(self, machine, ringwall):
        machine.call("install", "claude").ok()
        program = os.environ["RINGWALL_BIN"]
        folder = str(Path(program).parent)
        for words in (["off", "claude", "--for", "1h", "--reason", "x"], ["install", "claude"], ["uninstall"]):
            inside = machine.call("run", "--ro", folder, "--", program, *words)
            assert inside.status == 125 and "outside of every run" in inside.err, inside

    def test_no_run_may_change_the_shims(self, machine):
        machine.call("install", "claude").ok()
        folder = machine.home / ".local/share"
        for granted in (folder, folder / "ringwall/bin"):
            machine.call("run", "--rw", granted, "--", "echo", "RAN").refused("installed agents")
        assert "RAN" in machine.call("run", "--rw", machine.home / ".nvm", "--", "echo", "RAN").out

    def test_dry_run_changes_nothing(self, machine):
        before = machine.snapshot()
        assert ".nvm/versions/node/v24/bin/claude" in machine.call("install", "--dry-run", "claude").ok()
        assert machine.snapshot() == before


def is_outside_refused_somehow(machine):
    return machine.hook().status == 2


def is_outside_refused(machine, **options):
    """The hook of an agent that runs without walls."""
    refused = machine.hook(**options)
    return refused.status == 2 and "without walls" in refused.err


class TestHook:
    def test_refuses_outside_and_says_nothing_inside(self, machine, ringwall):
        machine.call("install", "claude").ok()
        for event in ("UserPromptSubmit", "PreToolUse"):
            assert is_outside_refused(machine, event=event)
        start = machine.hook(event="SessionStart")
        assert start.status == 0 and "without walls" in json.loads(start.out)["systemMessage"]
        program = os.environ["RINGWALL_BIN"]
        inside = machine.call("run", "--ro", Path(program).parent, "--", program, "hook", "--walled", "--agent",
                              "claude", "--event", "PreToolUse")
        assert (inside.status, inside.out, inside.err) == (0, "", "")

    @pytest.mark.parametrize("agent, event", [("codex", "PreToolUse"), ("gemini", "BeforeTool"),
                                              ("copilot", "preToolUse"), ("codex", "UserPromptSubmit")])
    def test_every_agents_refuses(self, machine, agent, event):
        assert is_outside_refused(machine, agent=agent, event=event)

    def test_the_command_in_the_settings_is_what_refuses(self, machine, place):
        machine.call("install", "claude").ok()
        hooks = json.loads((machine.home / ".claude/settings.json").read_text())["hooks"]
        command = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
        done = subprocess.run(["sh", "-c", command], env=place.environment(), input=b"{}", capture_output=True)
        assert done.returncode == 2 and b"without walls" in done.stderr
        gone = command.replace(os.environ["RINGWALL_BIN"], "/gone/ringwall")
        assert subprocess.run(["sh", "-c", gone], capture_output=True).returncode == 2

    def test_inside_the_copied_settings_let_it_work(self, machine):
        """With a program that is not there inside, the gate's own answers."""
        machine.call("install", "claude").ok()
        script = machine.bin.parent / "lib/node_modules" / PACKAGE / "cli.sh"
        machine.write(script, """#!/usr/bin/python3
import json, os, subprocess
hooks = json.load(open(os.path.expanduser("~/.claude/settings.json")))["hooks"]
for event in ("UserPromptSubmit", "PreToolUse", "SessionStart"):
    done = subprocess.run(hooks[event][0]["hooks"][0]["command"], shell=True, input=b"{}", capture_output=True)
    print(event, done.returncode, done.stdout, done.stderr)
""", 0o755)
        said = machine.plain()
        assert said.out.splitlines() == [f"{event} 0 b'' b''" for event in
                                         ("UserPromptSubmit", "PreToolUse", "SessionStart")], said

    def test_no_variable_or_file_of_a_repository_says_inside(self, machine, place):
        machine.call("install", "claude").ok()
        (place.work / "run/ringwall").mkdir(parents=True)
        assert is_outside_refused(machine, env={"RINGWALL_RUN": "project-1", "CLAUDE_PROJECT_DIR": "/"})


def test_settings_where_a_variable_says(machine):
    other = machine.home / "other"
    other.mkdir()
    machine.call("install", "claude", env={"CLAUDE_CONFIG_DIR": str(other)}).ok()
    assert "hook --walled" in (other / "settings.json").read_text()
    machine.call("uninstall").ok()
    assert list(other.iterdir()) == []


class TestUpdates:
    def test_are_noticed_and_walled_again_by_the_hook(self, machine):
        machine.call("install", "claude").ok()
        assert machine.call("installed").status == 0
        machine.update()
        assert not is_inside(machine.plain("--version")), "npm has put its own link there"
        assert machine.call("installed").status == 1
        assert machine.ways()["unwalled"] == str(machine.bin / "claude")
        refused = machine.hook()
        assert refused.status == 2 and "An update had replaced" in refused.err and "again" in refused.err
        started = machine.plain("--version")
        assert "UPDATED --version" in started.out and is_inside(started)
        assert machine.call("installed").status == 0

    def test_a_shell_stays_walled_all_the_while(self, machine):
        machine.call("install", "claude").ok()
        machine.update()
        machine.path.insert(0, machine.home / ".local/share/ringwall/bin")
        started = machine.plain("--version")
        assert "UPDATED --version" in started.out and is_inside(started)
        assert "it is walled again" in started.err
        assert is_inside(machine.plain("--version")) and machine.plain("--version").err == ""

    def test_of_a_program_that_is_no_link(self, machine):
        """An installer writes it anew over the shim; what was moved away is the older one."""
        folder = machine.home / ".local/share/pnpm"
        program = machine.write(folder / "claude", AGENT, 0o755)
        machine.path = [folder]
        machine.call("install", "claude").ok()
        program.unlink()
        machine.write(program, AGENT.replace("AGENT", "UPDATED"), 0o755)
        assert machine.ways()["unwalled"] == str(program)
        machine.call("install", "claude").ok()
        started = machine.plain("--version")
        assert "UPDATED --version" in started.out and is_inside(started)
        machine.call("uninstall").ok()
        assert "UPDATED" in program.read_text() and os.listdir(folder) == ["claude"]

    def test_that_come_before_uninstalling(self, machine):
        folder = machine.home / ".local/share/pnpm"
        program = machine.write(folder / "claude", AGENT, 0o755)
        machine.call("install", "claude").ok()
        program.unlink()
        machine.write(program, "new", 0o755)
        assert "that stays" in machine.call("uninstall").ok()
        assert program.read_text() == "new" and os.listdir(folder) == ["claude"]

    def test_a_new_node_version_is_found(self, machine):
        machine.call("install", "claude").ok()
        new = machine.npm("v26")
        assert machine.ways() == {"unwalled": str(new / "claude")}
        machine.call("install", "claude").ok()
        assert machine.call("installed").status == 0


def test_hooks_that_come_at_once_mend_it_together(machine):
    machine.call("install", "claude").ok()
    before = machine.snapshot()
    machine.update("cli.sh")
    words = ["hook", "--walled", "--agent", "claude", "--event", "PreToolUse"]
    processes = [machine.ringwall.start(*words, env=machine.environment()) for _ in range(8)]
    for process in processes:
        process.communicate(b"{}", 60)
        assert process.returncode == 2
    assert machine.call("installed").status == 0
    after = machine.snapshot()
    assert before.keys() == after.keys()
    machine.call("uninstall").ok()


class TestWaysAround:
    def test_are_found(self, machine, place):
        machine.call("install", "claude").ok()
        machine.path.insert(0, machine.home / ".local/share/ringwall/bin")
        assert machine.call("installed", "claude").status == 0
        home = machine.home
        bundled = home / ".vscode/extensions/anthropic.claude-code-2.1/resources/native-binary/claude"
        machine.write(bundled, AGENT, 0o755)
        machine.write(home / ".bash_aliases", f"\nalias claude='{bundled}'\n")
        machine.write(home / ".config/Code/User/settings.json", f'{{"x": "{bundled}"}}\n')
        machine.write(place.work / ".github/workflows/ci.yml", f"run: npx -y {PACKAGE} -p hi\n")
        found = machine.ways()
        assert found["alias"] == f"{home}/.bash_aliases:2"
        assert found["path"] == f"{home}/.config/Code/User/settings.json:1"
        assert found["npx"] == f"{place.work}/.github/workflows/ci.yml:1"
        assert found["bundled"] == str(bundled)
        told = machine.call("installed")
        assert told.status == 1 and "process wrapper" in told.out

    def test_a_projects_own_copy_is_found_and_left_alone(self, machine, place):
        own = machine.write(place.work / "node_modules/.bin/claude", AGENT, 0o755)
        machine.path.insert(0, own.parent)
        machine.call("install", "claude").ok()
        assert own.read_text() == AGENT
        assert machine.ways()["copy"] == str(own)

    def test_a_path_to_a_shim_is_none(self, machine):
        machine.call("install", "claude").ok()
        machine.write(machine.home / ".config/zed/settings.json", f'{{"x": "{machine.bin}/claude"}}\n')
        assert machine.ways() == {}

    def test_settings_that_were_opened_again(self, machine):
        machine.call("install", "claude").ok()
        (machine.home / ".claude/settings.json").write_text("{}")
        assert set(machine.ways()) == {"settings"}
        machine.call("install", "claude").ok()
        assert machine.ways() == {}

    def test_nothing_installed(self, machine):
        nothing = machine.call("installed")
        assert nothing.status == 1 and "ringwall install" in nothing.out
        assert json.loads(machine.call("installed", "--json").out) == {"agents": []}


class TestOff:
    @pytest.fixture(autouse=True)
    def installed(self, machine):
        machine.call("install", "claude").ok()
        yield
        machine.call("off", "claude", "--end")

    def off(self, machine, time="1h", **options):
        return machine.call("off", "claude", "--for", time, "--reason", "to look closer", **options)

    def test_the_person_can_and_it_is_noted(self, machine):
        told = self.off(machine)
        assert told.status == 0 and "WITHOUT WALLS" in told.err
        started = machine.plain("--version")
        assert not is_inside(started) and "to look closer" in started.err
        assert machine.hook().status == 0
        seen = machine.call("installed")
        assert seen.status == 1 and "OFF until" in seen.out and "to look closer" in seen.out
        machine.call("off", "claude", "--end").ok()
        assert is_inside(machine.plain("--version")) and is_outside_refused(machine)
        seen = machine.call("installed")
        assert seen.status == 0 and "was off" in seen.out

    def test_ends_by_itself(self, machine):
        self.off(machine, "1s")
        wait_until(lambda: is_outside_refused(machine), what="the end of its time")
        assert is_inside(machine.plain("--version"))

    def test_needs_a_time_and_a_reason(self, machine):
        machine.call("off", "claude").refused("for how long")
        machine.call("off", "claude", "--for", "1h").refused("why")
        self.off(machine, "25h").refused("24 hours")
        self.off(machine, "soon").refused("--for")
        machine.call("off", "codex", "--for", "1h", "--reason", "x").refused("not installed")

    def test_is_refused_where_the_policy_says_so(self, machine, place):
        self.off(machine)
        assert not is_inside(machine.plain("--version"))
        machine.write(machine.home / ".config/ringwall/policy.toml", "[walls]\nno_off = true\n")
        self.off(machine).refused("no_off", "policy.toml")
        assert is_inside(machine.plain("--version")), "one that holds already ends with it"
        assert is_outside_refused(machine)

    @needs_root
    def test_an_organisation_locks_it(self, machine, place):
        machine.write(machine.home / ".config/ringwall/policy.toml", "[walls]\nno_off = false\n")
        assert self.off(machine).status == 0
        unlocked = in_own_etc(organisation("[walls]\nno_off = true"))
        assert self.off(machine, prefix=unlocked).status == 0, "the person's own word comes later"
        etc = in_own_etc(organisation('lock = ["walls.no_off"]\n[walls]\nno_off = true'))
        self.off(machine, prefix=etc).refused("walls.no_off")
        (machine.home / ".config/ringwall/policy.toml").unlink()
        self.off(machine, prefix=unlocked).refused("no_off")
        assert is_outside_refused(machine, prefix=etc), "nor does one hold that was given before"

    def test_notes_in_another_home_are_no_leave(self, machine, place):
        """A repository may bring any file, and a variable may name any home."""
        self.off(machine)
        forged = place.work / "home"
        (forged / ".local/state").mkdir(parents=True)
        shutil.copytree(place.state / "install", forged / ".local/state/ringwall/install")
        machine.call("off", "claude", "--end").ok()
        assert is_outside_refused(machine, env={"HOME": str(forged)})


def test_a_process_wrapper_of_an_editor(machine, place):
    """VS Code's Claude extension starts its own copy by the wrapper that its settings name."""
    machine.call("install", "claude").ok()
    bundled = machine.write(
        machine.home / ".vscode/extensions/anthropic.claude-code-2.1/resources/native-binary/claude", AGENT, 0o755)
    wrapper = machine.home / ".local/share/ringwall/bin/ringwall-wrap"
    values = place.environment(machine.environment())
    for words, inside in (([bundled], False), ([wrapper, bundled], True)):
        done = subprocess.run([*words, "--output-format", "stream-json"], cwd=place.work, env=values,
                              capture_output=True, text=True)
        assert "AGENT --output-format stream-json" in done.stdout
        assert (here() not in done.stdout) == inside
