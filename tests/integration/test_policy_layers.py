"""Layers of the policy: what comes with a repository can only narrow, and locks hold."""

import json
import os
import pty
import subprocess

import pytest
from conftest import needs_root


@pytest.fixture
def secret(place):
    """A file of the real home that no run sees."""
    folder = place.home / ".ssh"
    folder.mkdir(mode=0o700)
    (folder / "id").write_text("SECRET")
    return folder / "id"


def widening(place):
    file = place.work / ".ringwall.toml"
    file.write_text('[files]\nhide = ["notes/"]\nread = ["~/.ssh"]\n')
    return file


def person(place, text):
    folder = place.home / ".config/ringwall"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "policy.toml").write_text(text)
    return folder / "policy.toml"


def trusted(ringwall):
    return json.loads(ringwall("trust", "--list", "--json").ok())


def test_a_repository_cannot_widen(ringwall, place, secret):
    file = widening(place)
    result = ringwall.sh(f"echo RAN; cat {secret}")
    result.refused(f"{file}:3:9", "files.read", "~/.ssh".replace("~", str(place.home)), "only narrow")
    assert f"ringwall trust {file}" in result.hint()
    assert "SECRET" not in result.out
    # Without the entry that widens it is used: the twin.
    file.write_text('[files]\nhide = ["notes/"]\n')
    (place.work / "notes").mkdir()
    (place.work / "notes/x").write_text("NOTE")
    assert ringwall.sh("cat notes/x 2>/dev/null; echo RAN").out.strip() == "RAN"


def test_trust_is_for_the_exact_content(ringwall, place, secret):
    file = widening(place)
    said = ringwall("trust", "--yes", file).ok()
    assert f"{file}:3" in said and "files.read" in said and "hide" not in said
    assert ringwall.sh(f"cat {secret}").ok() == "SECRET"
    assert [row["file"] for row in trusted(ringwall)] == [str(file)]
    text = file.read_text()
    file.write_text(text + "#")
    ringwall.sh(f"echo RAN; cat {secret}").refused("only narrow")
    file.write_text(text)
    assert ringwall.sh(f"cat {secret}").ok() == "SECRET"
    ringwall("trust", "--revoke", file).ok()
    assert trusted(ringwall) == []
    ringwall.sh("echo RAN").refused("only narrow")
    ringwall("trust", "--revoke", file).refused("not trusted")


def test_trust_holds_for_one_place(ringwall, place, secret):
    """The same bytes in another repository are another decision."""
    ringwall("trust", "--yes", widening(place)).ok()
    other = place.home / "other"
    other.mkdir()
    (other / ".ringwall.toml").write_text((place.work / ".ringwall.toml").read_text())
    ringwall.sh("echo RAN", cwd=other).refused("only narrow")
    # Told from elsewhere which workspace it is, the file of that workspace counts.
    ringwall.sh("echo RAN", "-w", other).refused(str(other))
    assert ringwall.sh(f"cat {secret}").ok() == "SECRET"


def test_trust_is_a_persons_word(ringwall, place, secret):
    file = widening(place)
    ringwall("trust", file).refused("no terminal")
    ringwall("trust", "--yes", file, env={"RINGWALL_RUN": "x-1"}).refused("outside of every run")
    assert trusted(ringwall) == []
    ringwall("trust", "--yes", place.work / "none.toml").refused("not the file of a workspace")
    assert "needs no trust" in narrowing(ringwall, file)


def narrowing(ringwall, file):
    file.write_text("[home]\nfresh = true\n")
    return ringwall("trust", file).ok()


@pytest.mark.parametrize("answer, agreed", [("y", True), ("n", False), ("", False)])
def test_trust_asks(ringwall, place, secret, answer, agreed):
    file = widening(place)
    near, far = pty.openpty()
    os.write(near, answer.encode() + b"\n")
    result = ringwall("trust", file, stdin=far)
    os.close(near)
    os.close(far)
    assert "[y/N]" in result.out
    assert result.status == (0 if agreed else 1), result
    assert bool(trusted(ringwall)) == agreed


def test_the_run_cannot_change_the_file_it_obeys(ringwall, place):
    file = place.work / ".ringwall.toml"
    file.write_text("[home]\nfresh = true\n")
    assert "Read-only" in ringwall.sh("echo x >> .ringwall.toml || true").err
    assert file.read_text() == "[home]\nfresh = true\n"


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "large"])
def test_a_workspace_file_that_is_none(ringwall, place, kind):
    file = place.work / ".ringwall.toml"
    if kind == "link":
        (place.home / "real.toml").write_text("")
        file.symlink_to(place.home / "real.toml")
    elif kind == "fifo":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        with open(file, "w") as out:
            out.truncate(10 << 20)
    ringwall.sh("echo RAN").refused(str(file))


def test_a_workspace_cannot_say_which_workspace_it_is(ringwall, place):
    file = place.work / ".ringwall.toml"
    file.write_text(f'[files]\nworkspace = "{place.home}/x"\n')
    ringwall.sh("echo RAN").refused("cannot say this")
    ringwall("trust", "--yes", file).refused("cannot say this")


def test_the_persons_file_and_what_comes_on_top(ringwall, place):
    person(place, '[environment]\nset = ["A=person", "B=person"]\n[limits]\nopen_files = 100\n')
    assert ringwall.sh("echo $A$B $(ulimit -n)", "--set", "B=flag").ok() == "personflag 100"
    more = place.home / "more.toml"
    more.write_text('[limits]\nopen_files = 90\n')
    assert ringwall.sh("ulimit -n", "--policy", more).ok() == "90"
    (place.work / ".ringwall.toml").write_text("[limits]\nopen_files = 80\n")
    assert ringwall.sh("ulimit -n", "--policy", more).ok() == "80"
    assert ringwall.sh("ulimit -n", "--open-files", 120).ok() == "120"
    (place.work / ".ringwall.toml").write_text("[limits]\nopen_files = 101\n")
    ringwall.sh("echo RAN").refused("limits.open_files 101", "only narrow")


def test_the_persons_file_lies_where_xdg_says(ringwall, place):
    person(place, '[environment]\nset = ["A=usual"]\n')
    other = place.home / "xdg/ringwall"
    other.mkdir(parents=True)
    (other / "policy.toml").write_text('[environment]\nset = ["A=xdg"]\n')
    env = {"XDG_CONFIG_HOME": str(place.home / "xdg")}
    assert ringwall.sh("echo $A").ok() == "usual"
    assert ringwall.sh("echo $A", env=env).ok() == "xdg"
    # Neither is ever given to a run.
    for folder in (other, place.home / ".config/ringwall"):
        ringwall.sh("echo RAN", "--rw", folder, env=env).refused("Ringwall's own files")


def test_a_persons_file_in_the_workspace_decides_nothing(ringwall, place):
    folder = place.work / "config/ringwall"
    folder.mkdir(parents=True)
    (folder / "policy.toml").write_text("")
    env = {"XDG_CONFIG_HOME": str(place.work / "config")}
    ringwall.sh("echo RAN", env=env).refused("Ringwall's own files")


def test_nothing_of_a_broken_layer_is_used(ringwall, place):
    person(place, '[environment]\nset = ["A=1"]\n[files]\nread = ["/etc/hostname"]\nraed = []\n')
    ringwall.sh("echo RAN").refused("policy.toml:5:1", "files.raed")


def test_variables_by_either_flag(ringwall, place):
    out = ringwall.sh("echo $A $B", "--env", "A", "--env", "B=2=3", env={"A": "1"}).ok()
    assert out == "1 2=3"


def in_own_etc(script):
    """Runs a shell script with an /etc that can be changed and is seen by nobody else."""
    layers = "mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w && "
    layers += "mount -t overlay -o lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w none /etc && "
    return ["unshare", "-m", "--propagation", "private", "sh", "-c", layers + script + ' && exec "$@"', "sh"]


def organisation(text, name="policy.toml"):
    return f"mkdir -p /etc/ringwall/policy.d && cat > /etc/ringwall/{name} <<'END'\n{text}\nEND\ntrue"


@needs_root
@pytest.mark.parametrize("locked", [True, False])
def test_a_lock_holds_for_a_run_that_goes_on(ringwall, place, locked):
    etc = in_own_etc(organisation('lock = ["network.allow"]' if locked else ""))
    process = ringwall.start("run", "--name", "live", "--", "sh", "-c", "echo up; read line", prefix=etc)
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("live")
    result = ringwall("allow", "live", "granted.ringwall.invalid")
    result.refused("network.allow is locked", "policy.toml:1") if locked else result.ok()
    process.communicate(b"\n", 60)


@needs_root
def test_locks_hold_against_everybody(ringwall, place, secret):
    text = 'lock = ["files.read", "limits.open_files"]\n[limits]\nopen_files = 100'
    etc = in_own_etc(organisation(text))
    assert ringwall.sh("ulimit -n", prefix=etc).ok() == "100"
    result = ringwall.sh("echo RAN", "--ro", secret, prefix=etc)
    result.refused("--ro", "files.read", "locked by /etc/ringwall/policy.toml:1")
    assert "administers" in result.hint()
    ringwall.sh("echo RAN", "--open-files", 101, prefix=etc).refused("locked")
    ringwall.sh("echo RAN", "--open-files", 99, prefix=etc).refused("locked")
    assert ringwall.sh("echo RAN", "--open-files", 100, prefix=etc).ok() == "RAN"
    person(place, f'[files]\nread = ["{secret}"]\n')
    ringwall.sh("echo RAN", prefix=etc).refused("policy.toml:2:9", "locked")
    person(place, "")
    file = widening(place)
    ringwall("trust", "--yes", file, prefix=etc).refused("locked")
    ringwall("trust", "--yes", file).ok()
    assert ringwall.sh(f"cat {secret}").ok() == "SECRET"
    ringwall.sh("echo RAN", prefix=etc).refused("locked")


@needs_root
def test_risk_can_be_locked(ringwall, place):
    """Thresholds, weights and what a level does; nobody loosens or tightens them then."""
    text = 'lock = ["risk.isolated", "risk.boundary", "risk.at_caution"]\n[risk]\nisolated = 0.6\nat_caution = ["freeze"]'
    etc = in_own_etc(organisation(text))
    for flags in (("--risk-isolated", "none"), ("--risk-isolated", "0.7"), ("--risk-boundary", "0"), ("--at-caution", "kill")):
        ringwall.sh("echo RAN", *flags, prefix=etc).refused("locked by /etc/ringwall/policy.toml:1")
        assert ringwall.sh("echo RAN", *flags).ok() == "RAN"
    person(place, '[risk]\nisolated = "none"\n')
    ringwall.sh("echo RAN", prefix=etc).refused("policy.toml:2", "locked")
    person(place, "[risk]\ncaution = 0.2\n")
    assert ringwall.sh("echo RAN", "--name", "locked", prefix=etc).ok() == "RAN"
    started = json.loads(ringwall("log", "locked", "--json").out.splitlines()[0])
    assert started["risk_thresholds"] == [0, 200_000, 550_000, 600_000, 970_000]


@needs_root
def test_the_organisations_files_in_the_order_of_their_names(ringwall, place):
    parts = [
        organisation('[environment]\nset = ["A=0", "B=0"]'),
        organisation('[environment]\nset = ["A=2"]', "policy.d/20.toml"),
        organisation('[environment]\nset = ["A=1"]', "policy.d/10.toml"),
        organisation("broken", "policy.d/10.toml.bak"),
    ]
    etc = in_own_etc(" && ".join(f"{{ {part}; }}" for part in parts))
    assert ringwall.sh("echo $A$B", prefix=etc).ok() == "20"


@needs_root
def test_an_organisations_file_that_is_not_roots(ringwall, place):
    script = organisation("") + " && chown 12345 /etc/ringwall/policy.toml"
    ringwall.sh("echo RAN", prefix=in_own_etc(script)).refused("another user")
    script = organisation("", "policy.d/1.toml") + " && chmod 777 /etc/ringwall"
    ringwall.sh("echo RAN", prefix=in_own_etc(script)).refused("others can write")


def test_what_is_shown_of_a_policy_holds_no_secret(ringwall):
    """People paste it into reports. The command itself gets the value."""
    key = "sk-ant-api03-" + "aB3" * 30
    given = ("--env", "MY_TOKEN", "--set", f"OTHER_KEY={key}")
    env = {"MY_TOKEN": key}
    for words in (("run", "--explain"), ("run", "--explain", "--json"), ("policy", "show"), ("policy", "show", "--json")):
        done = ringwall(*words, *given, "--", "true", env=env)
        assert done.status == 0 and key not in done.out + done.err, words
    for words in (("MY_TOKEN",), ("OTHER_KEY", "--json")):
        assert key not in ringwall("explain", "env", *words, *given, env=env).ok()
    assert ringwall.sh("echo $MY_TOKEN $OTHER_KEY", *given, env=env).out == f"{key} {key}\n"
