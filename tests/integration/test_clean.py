"""ringwall clean: what crashes leave goes, what runs use and what a person named stays."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pexpect
import pytest
from conftest import remove

WAITS = "echo up; read line"
# What an agent can do to whoever cleans up behind it.
HOSTILE = r"""
import os
os.chdir(os.path.expanduser("~/.cache"))
for name in (b"\x1b[31m", b"a\nb", b"\xff\xfe", b"-rf", b".workspace.1", b"x" * 255):
    os.mkdir(name)
    open(name + b"/f" if len(name) < 255 else b"f", "w").close()
os.symlink(os.environ["VICTIM"], "link")
os.symlink("/", "root")
os.mkfifo("fifo")
os.makedirs("closed/deeper")
open("closed/deeper/file", "w").close()
os.chmod("closed/deeper", 0)
os.chmod("closed", 0)
os.mkdir("deep")
os.chdir("deep")
for _ in range(2000):
    os.mkdir("d")
    os.chdir("d")
"""


def start_waiting(ringwall, *options, **more):
    # Without what a killed run leaves half kept for undo, which comes and goes by chance.
    run = ringwall.start("run", "--no-undo", *options, "--", "sh", "-c", WAITS, **more)
    assert run.stdout.readline() == b"up\n"
    return run


def kill(run):
    run.kill()
    run.communicate()


def homes(place):
    folder = place.state / "homes"
    return sorted(os.listdir(folder)) if folder.exists() else []


def found(ringwall, *options, **more):
    """What clean says that it has removed, as kinds and paths. Shared memory is shared with others."""
    lines = json.loads(ringwall("clean", "--json", *options, **more).ok())
    assert all(line["removed"] == ("--dry-run" not in options) for line in lines), lines
    ours = (str(ringwall.place.root), ringwall.place.mark)
    return [(line["kind"], line["path"]) for line in lines if any(word in line["path"] for word in ours)]


def said(ringwall, *options):
    """The lines about this test's own leftovers."""
    lines = ringwall("clean", *options).ok().splitlines()
    return "\n".join(line for line in lines if str(ringwall.place.root) in line)


@pytest.fixture
def other(place):
    """A second workspace, which a test may remove."""
    folder = place.root / "other"
    folder.mkdir()
    return folder


def test_nothing_to_clean(ringwall, place):
    ringwall("run", "true").ok()
    ringwall("clean")  # what others left
    assert ringwall("clean").ok() == ""
    assert ringwall("clean", "--json").ok() == "[]"
    child = pexpect.spawn(ringwall.command(["clean"])[0], ["clean"], env=place.environment(), timeout=120)
    child.expect("nothing to clean\r\n")
    child.expect(pexpect.EOF)


def test_help_has_examples(ringwall):
    out = ringwall("clean", "--help").ok()
    assert "Examples:" in out and "--dry-run" in out
    ringwall("clean", "--home").refused("--home needs a value")
    ringwall("clean", "--hom", "x").refused("unknown")
    ringwall("clean", "project-1").refused("unexpected argument")


# Entries of runs


def test_the_entry_of_a_killed_run(ringwall, place):
    kill(start_waiting(ringwall, "--name", "left"))
    place.wait_until_gone()
    path = f"{place.runtime}/ringwall/left"
    words = re.escape(f"the entry of a run that is gone, {path}") + r" \([\d.]+ (Ki)?B\)"
    assert re.fullmatch("would remove " + words, said(ringwall, "--dry-run"))
    assert place.registry() == ["left"]
    assert re.fullmatch("removed " + words, said(ringwall))
    assert not (place.runtime / "ringwall").exists()
    assert found(ringwall) == []


def test_a_run_that_goes_on_is_not_touched(ringwall, place):
    kill(start_waiting(ringwall, "--name", "left"))
    run = start_waiting(ringwall, "--name", "here")
    ringwall.wait_for_run("here")
    run.send_signal(signal.SIGSTOP)
    assert found(ringwall) == []  # the start of the second run has swept the first
    run.send_signal(signal.SIGCONT)
    assert place.registry() == ["here"]
    assert ringwall("exec", "here", "echo", "in").ok() == "in"
    run.communicate(b"\n", 60)
    assert run.returncode == 0


def test_every_registry_is_cleaned(ringwall, place):
    """One shell of the person has XDG_RUNTIME_DIR and another has not."""
    memory = f"/dev/shm/ringwall-{os.getuid()}"
    runs = [start_waiting(ringwall, "--name", place.mark, env={"XDG_RUNTIME_DIR": None})]
    runs.append(start_waiting(ringwall, "--name", "left"))
    for run in runs:
        kill(run)
    place.wait_until_gone()
    left = [("run", f"{memory}/{place.mark}"), ("run", f"{place.runtime}/ringwall/left")]
    # Who held the entry of a killed run lets go a moment later.
    end = time.monotonic() + 10
    while not all(one in found(ringwall, "--dry-run") for one in left) and time.monotonic() < end:
        time.sleep(0.05)
    seen = found(ringwall)
    assert all(one in seen for one in left), seen
    assert not os.path.exists(f"{memory}/{place.mark}")


def test_a_start_after_a_crash_cleans_by_itself(ringwall, place):
    """Every process of two runs at once, as the OOM killer or a power cut would."""
    runs = [start_waiting(ringwall, "--name", name) for name in ("one", "two")]
    for pid in place.processes():
        with contextlib.suppress(ProcessLookupError):  # one takes others along
            os.kill(pid, signal.SIGKILL)
    for run in runs:
        run.communicate()
    place.wait_until_gone()
    assert place.registry() == ["one", "two"]
    assert ringwall("run", "--name", "two", "true").ok() == ""
    assert place.registry() == []
    assert found(ringwall) == []


def test_entries_that_were_never_named(ringwall, place, bare):
    registry = place.runtime / "ringwall"
    registry.mkdir(mode=0o700)
    dead = subprocess.Popen(["true"])
    dead.wait()
    (registry / f".new-{dead.pid}").mkdir()
    (registry / f".new-{os.getpid()}").mkdir()
    assert found(ringwall) == [("run", f"{registry}/.new-{dead.pid}")]
    (registry / f".new-{os.getpid()}").rmdir()
    assert found(ringwall) == [("registry", str(registry))]


def test_a_registry_that_others_can_change_is_not_ours(ringwall, place):
    registry = place.runtime / "ringwall"
    registry.mkdir()
    registry.chmod(0o777)
    (registry / "planted").mkdir()
    assert found(ringwall) == []
    shutil.rmtree(registry)


# Files


def test_an_interrupted_write(ringwall, place):
    ringwall.sh("touch ~/.cache/.kept.1").ok()
    (name,) = homes(place)
    dead = subprocess.Popen(["true"])
    dead.wait()
    half = place.state / "homes" / name / f".workspace.{dead.pid}"
    half.write_text("/ho")
    assert found(ringwall) == [("file", str(half))]
    assert ringwall.sh("ls -A ~/.cache").ok() == ".kept.1"


def test_a_note_that_a_power_cut_emptied(ringwall, place):
    """Without cleaning, the home would belong to nobody for good."""
    ringwall.sh("touch ~/.cache/kept").ok()
    (name,) = homes(place)
    note = place.state / "homes" / name / "workspace"
    note.write_text("")
    assert found(ringwall) == [("note", str(note))]
    assert ringwall.sh("ls ~/.cache").ok() == "kept"
    assert note.read_text() == str(place.work)


def test_layers_of_caches(ringwall, place):
    cache = place.home / ".npm/_cacache"
    cache.mkdir(parents=True)
    (cache / "package").write_text("real")
    ringwall.sh("echo more >> ~/.npm/_cacache/package", "--cache", "npm").ok()
    assert found(ringwall) == []
    (work,) = place.state.glob("homes/*/layers/npm/*/work")
    (work / "work").chmod(0o700)
    (work / "work/#1").write_text("half a package")
    (work / "work").chmod(0)
    run = start_waiting(ringwall, "--cache", "npm", "--home", "elsewhere")
    assert found(ringwall, "--dry-run") == [("layer", str(work))]
    assert found(ringwall) == [("layer", str(work))]
    run.communicate(b"\n", 60)
    assert ringwall.sh("cat ~/.npm/_cacache/package", "--cache", "npm").ok() == "realmore"


@pytest.fixture
def rooms():
    """Folders of verifications in /tmp; what a test leaves there is removed."""

    def look():
        return {path for path in Path("/tmp").glob("ringwall-verify-*") if path.stat().st_uid == os.getuid()}

    before = look()
    yield look
    for path in look() - before:
        remove(path)


def test_what_a_killed_verify_left(ringwall, place, rooms, knows_programs):
    verify = ringwall.start("verify", stdin=subprocess.DEVNULL)
    marker = place.state / f"verify-{verify.pid}"
    while verify.poll() is None and not marker.exists():
        pass
    kill(verify)
    place.wait_until_gone()
    if marker.exists():
        assert ("verification", str(marker)) in found(ringwall)
    found(ringwall)
    assert not [name for name in os.listdir(place.state) if name.startswith("verify-")]
    assert not [name for name in homes(place) if name.startswith("verify-")]


# Homes


def test_homes_of_workspaces_that_are_gone(ringwall, place, other):
    ringwall("run", "true").ok()
    (mine,) = homes(place)
    ringwall.sh("head -c 3000000 /dev/zero > ~/.cache/big", "-w", other).ok()
    ringwall("run", "--home", "named", "-w", other, "true").ok()
    (gone,) = set(homes(place)) - {mine, "named"}
    shutil.rmtree(other)
    assert found(ringwall) == []
    line = f"the private home {gone} of the workspace {other} (2.9 MiB)"
    assert said(ringwall, "--homes", "--dry-run") == "would remove " + line
    assert len(homes(place)) == 3
    assert said(ringwall, "--homes") == "removed " + line
    assert homes(place) == sorted([mine, "named"])


def test_a_home_by_name(ringwall, place):
    ringwall("run", "--home", "tries", "true").ok()
    assert "did you mean tries?" in ringwall("clean", "--home", "trie").refused("no private home").hint()
    for name in ("../homes", ".", "", "tries/../tries"):
        ringwall("clean", "--home", name).refused("no private home")
    assert found(ringwall, "--home", "tries") == [("home", str(place.state / "homes/tries"))]
    assert "tries" not in homes(place)


def test_a_workspace_stays_known_as_one(ringwall, place):
    """Programs in it may be an agent's; without its home that would be forgotten."""
    ringwall.sh("touch ~/.cache/old").ok()
    (name,) = homes(place)
    folder = place.state / "homes" / name
    assert found(ringwall, "--home", name) == [("home", str(folder))]
    assert os.listdir(folder) == ["workspace"]
    ringwall("clean", "--home", name).refused("no private home")
    assert ringwall.sh("ls ~/.cache").ok() == ""


def test_a_home_in_use_stays(ringwall, place, other):
    run = start_waiting(ringwall, "-w", other, "--name", "here")
    named = start_waiting(ringwall, "--home", "named", "--name", "there")
    for name in ("here", "there"):
        ringwall.wait_for_run(name)
    shutil.rmtree(other)
    before = homes(place)
    assert found(ringwall, "--homes") == []
    ringwall("clean", "--home", "named").refused("the run there uses it")
    assert homes(place) == before
    # One that does not say what it uses might use any.
    run.send_signal(signal.SIGSTOP)
    ringwall("clean", "--homes").refused("the run here does not say")
    run.send_signal(signal.SIGCONT)
    for process in (run, named):
        process.communicate(b"\n", 60)
    assert [kind for kind, _ in found(ringwall, "--homes", "--home", "named")] == ["home", "home"]
    assert not [name for name in homes(place) if name.startswith(("named", "other-"))]


def test_a_hostile_home(ringwall, place, other):
    victim = place.home / "victim"
    victim.mkdir()
    (victim / "file").write_text("kept")
    victim.chmod(0o500)
    ringwall.python(HOSTILE, "-w", other, "--set", f"VICTIM={victim}").ok()
    (name,) = homes(place)
    shutil.rmtree(other)
    looked = said(ringwall, "--homes", "--dry-run")
    assert looked.startswith(f"would remove the private home {name} of") and "\x1b" not in looked
    assert (place.state / "homes" / name / "workspace").exists()
    removed = said(ringwall, "--homes")
    assert removed.startswith(f"removed the private home {name} of")
    assert homes(place) == []
    assert (victim / "file").read_text() == "kept" and victim.stat().st_mode & 0o777 == 0o500


def test_names_that_others_chose_are_quoted(ringwall, place):
    evil = place.root / "e\x1b[31mvil\n\x9b"
    evil.mkdir()
    ringwall("run", "-w", evil, "true").ok()
    evil.rmdir()
    out = ringwall("clean", "--homes", "--dry-run").raw
    assert b"\x1b" not in out
    (line,) = [line for line in out.splitlines() if b"private home" in line]
    assert b"\\x1b[31mvil\\x0a" in line and line.endswith(b"B)")
    raw = ringwall("clean", "--homes", "--json").raw
    (home,) = [line for line in json.loads(raw) if line["kind"] == "home"]
    assert b"\x1b" not in raw and home["workspace"].startswith(str(place.root))


def test_two_at_once(ringwall, place, other):
    ringwall.sh("cd ~/.cache; mkdir -p $(seq 500 | sed 's,$,/a/b/c,')", "-w", other).ok()
    shutil.rmtree(other)
    cleaners = [ringwall.start("clean", "--homes") for _ in range(4)]
    results = [cleaner.communicate(timeout=120) for cleaner in cleaners]
    assert homes(place) == []
    assert b"".join(out for out, _ in results).count(b"removed the private home") == 1
    assert [err for _, err in results] == [b""] * 4
