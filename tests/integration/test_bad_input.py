"""Bad input gets a clear error, nothing runs, and nothing is lost."""

import json
import os
import pwd
import subprocess

import pytest
from conftest import not_for_root


def policy(place, text, mode=0o600, folder=None):
    file = (folder or place.home) / "policy.toml"
    file.write_text(text)
    file.chmod(mode)
    return file


def test_a_policy_file_is_used(ringwall, place):
    (place.home / "data").mkdir()
    (place.home / "data/file").write_text("DATA")
    file = policy(place, '[files]\nread = ["data"]\n[environment]\nset = ["A=b"]\n')
    assert ringwall.sh("cat ~/data/file; echo $A", "--policy", file).ok() == "DATAb"
    # Flags come on top.
    assert ringwall.sh("echo $A", "--policy", file, "--set", "A=c").ok() == "c"


@pytest.mark.parametrize("option", ["--policy", "--cast", "--name"])
def test_an_option_that_a_shell_has_left_empty_is_refused(ringwall, place, option):
    result = ringwall("run", option, "", "--", "touch", "ran")
    assert result.status == 125 and option.lstrip("-") in result.err and "empty" in result.err, result
    assert not (place.work / "ran").exists()


@pytest.mark.parametrize(
    "text, place_told, words, hint",
    [
        ("[files]\nraed = []\n", ":2:1", "files.raed", "files.read"),
        ("[fils]\nread = []\n", ":1:2", "fils", "files"),
        ("files = 3\n", ":1:1", "section", "[files]"),
        ('[files]\nread = "x"\n', ":2:", "list of texts", None),
        ("[files]\nread = [3]\n", ":2:", "list of texts", None),
        ('[home]\nfresh = "yes"\n', ":2:", "true or false", None),
        ('[home]\nname = "../x"\n', ":2:", "letters", None),
        ('[home]\ncaches = ["gems"]\n', ":2:", "gems", "npm"),
        ('[home]\nkeep = ["../../x"]\n', ":2:", "below the folder", None),
        ("[files\n", ":1:", "", None),
        ("\x00\x01", ":1:", "", None),
    ],
)
def test_a_mistake_in_a_policy_is_told_with_its_place(ringwall, place, text, place_told, words, hint):
    file = policy(place, text)
    result = ringwall.sh("echo RAN", "--policy", file).refused(f"{file}{place_told}", words)
    if hint:
        assert hint in result.err.split("→", 1)[1]


def test_all_mistakes_of_a_policy_are_told_at_once(ringwall, place):
    file = policy(place, "[files]\na = 1\nb = 2\n")
    ringwall.sh("echo RAN", "--policy", file).refused("files.a", "files.b", "2 mistakes")


def test_a_policy_in_the_workspace_is_refused(ringwall, place):
    file = policy(place, "[files]\n", folder=place.work)
    result = ringwall.sh("echo RAN", "--policy", file).refused("agent may change")
    assert "move it" in result.hint()
    outside = policy(place, "[files]\n")
    assert ringwall.sh("echo RAN", "--policy", outside).ok() == "RAN"
    (place.home / "more").mkdir()
    other = policy(place, "[files]\n", folder=place.home / "more")
    ringwall.sh("echo RAN", "--policy", other, "--rw", place.home / "more").refused("agent may change")


def test_a_policy_behind_a_link_in_the_workspace_is_refused(ringwall, place):
    """The agent could turn the link to a policy of its own for the next run."""
    file = policy(place, "[files]\n")
    (place.work / "link").symlink_to(place.home)
    ringwall.sh("echo RAN", "--policy", place.work / "link/policy.toml").refused("agent may change")
    (place.home / "link.toml").symlink_to(file)
    hint = ringwall.sh("echo RAN", "--policy", place.home / "link.toml").refused("symbolic link").hint()
    assert "look where it leads" in hint and "cp " not in hint


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_policy_that_others_can_write_is_refused(ringwall, place, mode):
    file = policy(place, "[files]\n", mode)
    assert "chmod go-w" in ringwall.sh("echo RAN", "--policy", file).refused("by others").hint()
    file.chmod(0o644)
    assert ringwall.sh("echo RAN", "--policy", file).ok() == "RAN"


def test_a_policy_that_is_no_file(ringwall, place):
    ringwall.sh("echo RAN", "--policy", place.home).refused("not a file")
    ringwall.sh("echo RAN", "--policy", place.home / "missing").refused("missing")
    os.mkfifo(place.home / "fifo")
    ringwall.sh("echo RAN", "--policy", place.home / "fifo").refused("not a file")


def test_mistakes_of_a_policy_as_json(ringwall, place):
    file = policy(place, "[files]\na = 1\n")
    err = ringwall.sh("echo RAN", "--json", "--policy", file).err
    events = [json.loads(line) for line in err.splitlines()]
    assert {event["event"] for event in events} == {"refused"}


def test_refusals_of_explain_as_json(ringwall):
    event = json.loads(ringwall("run", "--explain", "--json", "-w", "/", "true").err)
    assert event["event"] == "refused" and event["hint"]


def test_json_stays_json_with_bytes_that_are_no_text(ringwall, place):
    name = b"bad\xff\xfename"
    os.mkdir(os.fsencode(place.home) + b"/" + name)
    result = ringwall("run", "--json", "-w", place.home / os.fsdecode(name), "true")
    assert result.status == 0
    for line in result.err.splitlines():
        line.encode("utf-8")  # no surrogates: what was written is UTF-8
        json.loads(line)


# Home


def test_no_home_variable_asks_the_account_database(ringwall, place):
    real = pwd.getpwuid(os.getuid()).pw_dir
    result = ringwall.sh("echo $HOME", "--fresh", env={"HOME": None})
    if result.status == 0:
        assert result.out.strip() == real
    else:
        result.refused("home")


@pytest.mark.parametrize("value, words", [("relative", "home"), ("/nonexistent/x", "/nonexistent/x"), ("/", "HOME")])
def test_a_home_that_cannot_be_used(ringwall, value, words):
    result = ringwall.sh("echo RAN", env={"HOME": value}).refused(words)
    assert "set HOME" in result.hint()


@not_for_root
def test_a_home_that_belongs_to_another_user(ringwall):
    result = ringwall.sh("echo RAN", env={"HOME": "/usr"}).refused("another user")
    assert "HOME" in result.hint()


def test_a_home_that_is_a_file(ringwall, place):
    (place.root / "file").write_text("")
    ringwall.sh("echo RAN", env={"HOME": str(place.root / "file")}).refused("not a folder")


# Runtime folder


def test_the_runtime_folder_holds_the_registry(ringwall, place):
    process = ringwall.start("run", "--name", "here", "--", "sh", "-c", "ls /run; echo up; read line")
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    assert place.registry() == ["here"]
    process.communicate(b"\n", 60)
    assert place.registry() == []


@pytest.mark.parametrize("kind", ["unset", "open to others", "missing", "relative", "a link"])
def test_a_runtime_folder_that_cannot_be_trusted_is_not_used(ringwall, place, kind):
    values = {"unset": None, "missing": "/nonexistent", "relative": "run"}
    value = values.get(kind, str(place.runtime))
    if kind == "open to others":
        place.runtime.chmod(0o755)
    if kind == "a link":
        (place.root / "link").symlink_to(place.runtime)
        value = str(place.root / "link")
    name = f"test{os.getpid()}"
    options = {"env": {"XDG_RUNTIME_DIR": value}}
    process = ringwall.start("run", "--name", name, "--", "sh", "-c", "echo up; read line", **options)
    assert process.stdout.readline() == b"up\n"
    assert list(place.runtime.iterdir()) == []
    names = [run["name"] for run in json.loads(ringwall("ls", "--json", **options).ok())]
    process.communicate(b"\n", 60)
    assert name in names
    names = [run["name"] for run in json.loads(ringwall("ls", "--json", **options).ok())]
    assert name not in names


def test_state_that_cannot_be_written(ringwall, place):
    (place.home / ".local").mkdir()
    (place.home / ".local/state").write_text("a file in the way")
    ringwall.sh("echo RAN").refused(".local/state")
    (place.home / ".local/state").unlink()
    assert ringwall.sh("echo RAN").ok() == "RAN"


def test_a_state_folder_that_is_a_link(ringwall, place):
    """A person may keep state on another disk."""
    (place.root / "disk").mkdir()
    (place.home / ".local").mkdir()
    (place.home / ".local/state").symlink_to(place.root / "disk")
    result = ringwall.sh("echo RAN; touch ~/.cache/x")
    if result.status == 0:
        assert ringwall.sh("ls ~/.cache").ok() == "x"
    else:
        result.refused(".local/state")


# Current folder


def test_a_current_folder_that_is_gone(ringwall, place):
    gone = place.home / "gone"
    gone.mkdir()
    command = ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *ringwall.command(["run", "echo", "RAN"])]
    done = subprocess.run(command, cwd=gone, env=place.environment(), capture_output=True, text=True)
    assert done.returncode == 125 and "current folder" in done.stderr and "RAN" not in done.stdout


def test_a_strict_umask_is_kept(ringwall, place):
    script = "touch new; mkdir /tmp/d; umask; stat -c %a new /tmp/d /usr /etc"
    result = ringwall.sh(script, preexec_fn=lambda: os.umask(0o077))
    assert result.ok().split()[:4] == ["0077", "600", "700", "755"]
    assert ringwall.sh("umask", preexec_fn=lambda: os.umask(0o002)).ok() == "0002"
