"""ringwall install where a person's machine is not as expected: links, umasks, files that are there already."""

import os
import subprocess

import pytest

from conftest import needs_root
from test_install import AGENT, is_inside, machine  # noqa: F401 (a fixture)
from test_policy_layers import in_own_etc


def front(machine):
    return machine.home / ".local/share/ringwall/bin"


class TestLinksToShims:
    @pytest.mark.parametrize("is_first", [True, False])
    def test_a_link_to_the_front_shim_starts_the_agent(self, machine, is_first):
        machine.call("install", "claude").ok()
        folder = machine.home / "z"
        folder.mkdir()
        (folder / "claude").symlink_to(front(machine) / "claude")
        machine.path = [folder, front(machine), machine.bin] if is_first else [front(machine), folder, machine.bin]
        started = machine.plain("--version")
        assert "AGENT --version" in started.out and is_inside(started)
        ran = machine.call("run", "claude", "x")
        assert "AGENT x" in ran.out and is_inside(ran)
        assert machine.ways() == {}, "it leads inside"

    def test_a_link_to_a_shim_stays_a_link(self, machine):
        machine.call("install", "claude").ok()
        folder = machine.home / "bin"
        folder.mkdir()
        (folder / "claude").symlink_to(machine.bin / "claude")
        machine.path = [folder]
        machine.call("install", "claude").ok()
        assert (folder / "claude").is_symlink() and is_inside(machine.plain("--version"))
        machine.call("uninstall").ok()
        assert not is_inside(machine.plain("--version"))


@needs_root
class TestForEverybody:
    """In a mount namespace whose /etc, /usr/local and /var/lib are its own."""

    LAYERS = """
set -e
mount -t tmpfs none /mnt
for folder in etc usr/local var/lib; do
  mkdir -p /mnt/$folder/u /mnt/$folder/w
  mount -t overlay -o lowerdir=/$folder,upperdir=/mnt/$folder/u,workdir=/mnt/$folder/w none /$folder
done
install -m 755 "$RINGWALL_BIN" /usr/local/bin/ringwall
printf '#!/bin/sh\\necho AGENT\\n' > /usr/local/bin/claude
chmod 755 /usr/local/bin/claude
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
"""

    def script(self, machine, text):
        values = machine.place.environment({"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
        values["RINGWALL_BIN"] = os.environ["RINGWALL_BIN"]
        return subprocess.run(["unshare", "-m", "--propagation", "private", "sh", "-c", self.LAYERS + text], cwd="/",
                              env=values, capture_output=True, text=True, timeout=120)

    @pytest.mark.parametrize("mask", ["022", "077"])
    def test_everybody_can_read_it_whatever_the_umask(self, machine, mask):
        done = self.script(machine, f"""
umask {mask}
ringwall install --system claude >&2
for path in /etc/claude-code/managed-settings.json /usr/local/lib/ringwall/real/claude \\
    /usr/local/lib/ringwall/ringwall-wrap /var/lib/ringwall/install/manifest.json; do
  as_nobody test -r $path && echo readable
done
""")
        assert (done.returncode, done.stdout.split()) == (0, ["readable"] * 4), done

    @pytest.mark.parametrize("closed, mend", [("chmod 600 /etc/claude-code/managed-settings.json", "chmod a+r "),
                                              ("chmod 700 /etc/claude-code", "chmod a+rx "), ("true", "")])
    def test_settings_that_bind_nobody_are_refused(self, machine, closed, mend):
        done = self.script(machine, f"""
mkdir -m 755 /etc/claude-code
echo '{{}}' > /etc/claude-code/managed-settings.json
{closed}
ringwall install --system claude
""")
        if not mend:
            assert done.returncode == 0, done
            return
        assert done.returncode == 125 and mend in done.stderr and "cannot be read by everybody" in done.stderr, done


def test_a_program_that_was_moved_away_once_is_never_overwritten(machine):
    folder = machine.home / ".local/share/pnpm"
    program = machine.write(folder / "claude", AGENT, 0o755)
    kept = machine.write(folder / ".claude.ringwall-real", "precious", 0o755)
    before = machine.snapshot()
    machine.call("install", "claude").refused("is there already")
    assert machine.snapshot() == before
    kept.unlink()
    machine.call("install", "claude").ok()
    assert kept.read_text() == AGENT
    machine.call("uninstall").ok()
    assert program.read_text() == AGENT and not kept.exists()


@pytest.mark.parametrize("damage", ["lost", "truncated"])
def test_without_its_manifest_an_installation_is_found_again(machine, place, damage):
    program = machine.write(machine.home / ".local/share/pnpm/claude", AGENT, 0o755)
    settings = machine.write(machine.home / ".claude/settings.json", '{\n  "model": "x"\n}\n')
    rc = machine.write(machine.home / ".bashrc", "one\n")
    machine.call("install", "claude").ok()
    manifest = place.state / "install/manifest.json"
    if damage == "lost":
        manifest.unlink()
    else:
        manifest.write_text(manifest.read_text()[:100])
        for words in (["install", "claude"], ["uninstall"], ["installed"]):
            assert f"mv {manifest} " in machine.call(*words).hint()
        manifest.rename(f"{manifest}.damaged")
    machine.call("install", "claude").ok()
    assert is_inside(machine.plain("--version"))
    machine.call("uninstall").ok()
    assert not is_inside(machine.plain("--version"))
    assert program.read_text() == AGENT and os.listdir(program.parent) == ["claude"]
    assert settings.read_text() == '{\n  "model": "x"\n}\n' and rc.read_text() == "one\n"
    assert not front(machine).exists()


class TestLinkedSettings:
    """An agent that worked in a person's dotfiles may have made a link of one of them."""

    @pytest.mark.parametrize("name, there", [
        (".claude/settings.json", ".docker/config.json"), (".bashrc", ".ssh/authorized_keys"), (".bashrc", ".netrc")])
    def test_that_lead_to_something_else_are_not_edited(self, machine, name, there):
        victim = machine.write(machine.home / there, "{}\n", 0o600)
        way = machine.home / "dot/file"
        way.parent.mkdir()
        way.symlink_to(victim)
        (machine.home / name).parent.mkdir(exist_ok=True)
        (machine.home / name).symlink_to(way)
        before = machine.snapshot()
        machine.call("install", "claude").refused(there, "not edited")
        assert machine.snapshot() == before
        way.unlink()
        machine.write(way, "{}\n")
        machine.call("install", "claude").ok()
        assert "ringwall" in way.read_text() and victim.read_text() == "{}\n"

    @pytest.mark.parametrize("there", ["dot/.claude/settings.json", ".dotfiles/claude.json", ".config/dotfiles/c.json"])
    def test_of_a_persons_own_are(self, machine, there):
        real = machine.write(machine.home / there, "{}\n")
        (machine.home / ".claude").mkdir()
        (machine.home / ".claude/settings.json").symlink_to(real)
        machine.call("install", "claude").ok()
        assert "ringwall" in real.read_text()

    @pytest.mark.parametrize("mode", [0o777, 0o755])
    def test_in_a_folder_that_others_can_change(self, machine, mode):
        real = machine.write(machine.home / "dot/claude.json", "{}\n")
        real.parent.chmod(mode)
        (machine.home / ".claude").mkdir()
        (machine.home / ".claude/settings.json").symlink_to(real)
        installed = machine.call("install", "claude")
        installed.ok() if mode == 0o755 else installed.refused("others can change")


class TestFolderInPlaceOfTheHome:
    LEAVES = "#!/bin/sh\nls -A; echo obey > CLAUDE.md; ls -A\n"

    def test_is_empty_at_each_start_and_gone_in_the_end(self, machine):
        machine.write(machine.bin.parent / "lib/node_modules/@anthropic-ai/claude-code/cli.sh", self.LEAVES, 0o755)
        machine.call("install", "claude").ok()
        for _ in range(2):
            started = machine.plain(cwd=machine.home)
            assert started.out.split() == ["CLAUDE.md"], started
        machine.call("uninstall").ok()
        assert not (machine.home / ".cache/ringwall").exists()

    def test_is_another_for_one_that_starts_meanwhile(self, machine, place):
        machine.call("install", "claude").ok()
        values = place.environment(machine.environment())
        first = subprocess.Popen([machine.bin / "claude", "wait"], cwd=machine.home, env=values, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert first.stdout.readline().startswith(b"AGENT wait")
            second = machine.plain("--version", cwd=machine.home)
            assert is_inside(second) and "no-project-2" in second.err
        finally:
            first.communicate(b"\n", 60)


class TestAccountsHome:
    """HOME may name another folder than the account's: that one is no workspace either."""

    @needs_root
    def test_is_not_granted(self, machine, place, ringwall):
        other = machine.home / "account"
        (other / "project").mkdir(parents=True)
        (other / ".git").mkdir()
        script = f"sed -i 's|^root:\\([^:]*\\):0:0:\\([^:]*\\):[^:]*:|root:\\1:0:0:\\2:{other}:|' /etc/passwd"
        etc = in_own_etc(script)
        assert "RAN" in machine.call("run", "--", "echo", "RAN", cwd=other).out, "of nobody it is a folder as others"
        machine.call("run", "--", "echo", "RAN", cwd=other, prefix=etc).refused("home")
        below = machine.call("run", "--", "sh", "-c", "pwd; ls -A ..", cwd=other / "project", prefix=etc)
        assert below.out.split() == [str(other / "project"), "project"], below


class TestAPersonsOwnWrapper:
    @pytest.mark.parametrize("start", ["{place}/claude", "~/.local/share/ringwall/bin/claude"])
    def test_keeps_working_inside(self, machine, start):
        folder = machine.home / "bin"
        machine.write(folder / "claude", f'#!/bin/sh\nexec {start.format(place=machine.bin)} --model x "$@"\n', 0o755)
        machine.path = [front(machine), folder, machine.bin]
        if "{place}" in start:
            assert "AGENT --model x hi" in machine.plain("hi").out, "it does without walls"
        machine.call("install", "claude").ok()
        started = machine.plain("hi")
        assert "--model x hi" in started.out and is_inside(started), started
        machine.call("uninstall").ok()
        assert "exec" in (folder / "claude").read_text()


class TestWaysAround:
    """What `installed` finds besides paths that end in the agent's name."""

    @pytest.mark.parametrize("file, text, kind", [
        (".config/systemd/user/b.service", "[Service]\nExecStart={real} -p x\n", "path"),
        (".config/Code/User/settings.json", '{{"x": "{real}"}}\n', "path"),
        (".config/fish/functions/claude.fish", "function claude\n  {real} $argv\nend\n", "alias"),
        (".config/fish/conf.d/a.fish", "alias claude={real}\n", "alias"),
        (".bash_aliases", "alias -- claude={real}\n", "alias"),
        (".stuff", "alias claude={real}\n", "alias"),
    ])
    def test_by_the_packages_own_name(self, machine, file, text, kind):
        machine.write(machine.home / ".bashrc", ". ~/.stuff\n")
        machine.call("install", "claude").ok()
        assert machine.ways() == {}
        real = (machine.bin / "../lib/node_modules/@anthropic-ai/claude-code/cli.sh").resolve()
        written = machine.write(machine.home / file, text.format(real=real))
        found = machine.ways()
        assert found[kind].startswith(f"{written}:"), found

    def test_a_copy_among_a_projects_packages(self, machine, place):
        machine.call("install", "claude").ok()
        own = machine.write(place.work / "node_modules/.bin/claude", AGENT, 0o755)
        assert machine.ways() == {"copy": str(own)}
