"""The host keeps working on the tree of a run: what it saves there is guarded again, and who grabs it meanwhile wins nothing."""

import os
import re
import subprocess
import time

import pytest
from terminals import wait_until


@pytest.fixture
def repository(place):
    """One that the person made outside."""
    git(place, "init", "-q", "-b", "main", ".")
    return place.work


def git(place, *words):
    return subprocess.run(["git", *words], cwd=place.work, env=place.environment(), check=True, capture_output=True, text=True).stdout


ATTACK = """
while :; do
  (echo '[alias] x = !id' >>.git/config) 2>/dev/null
  (echo planted >>.vscode/tasks.json) 2>/dev/null
  cat .env 2>/dev/null || echo refused
  sleep 0.0002
done
"""


def save(place, name, text):
    """As editors do."""
    (place.work / "saved").write_text(text)
    os.rename(place.work / "saved", place.work / name)


@pytest.mark.alone
def test_what_the_host_replaces_is_guarded_again(ringwall, place, repository):
    (place.work / ".vscode").mkdir()
    save(place, ".vscode/tasks.json", "{}\n")
    save(place, ".env", "A=0\n")
    process = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up;" + ATTACK)
    try:
        assert process.stdout.readline() == b"up\n"
        ringwall.wait_for_run("here")
        time.sleep(0.2)
        for i in range(1000):
            if i % 10 == 9:
                git(place, "config", "user.name", f"n{i}")
            save(place, ".vscode/tasks.json", "{}\n")
            save(place, ".env", f"A={i}\n")
            time.sleep(0.002)
        time.sleep(0.3)
        acts = "echo y >>.git/config; echo y >>.vscode/tasks.json; cat .env; mv .git g; mv .vscode v"
        after = ringwall("exec", "here", "--", "sh", "-c", acts)
        assert after.out == "" and after.err.count("Read-only") == 2 and after.err.count("busy") == 2, after
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=120)
    # Each A= is a moment that was won: how many depends on the host, but none is won for good.
    moments = out.rpartition(b"A=")[2]
    assert b"refused" in moments, out[-200:]
    # Of the host's own changes those are put back into which the run wrote in that moment.
    config = (place.work / ".git/config").read_text()
    assert "alias" not in config and "name = n" in config


# What a run may try in the moment after a host program has put another file in the place of a single protected one.
GRABS = {
    "write": "open('.mcp.json', 'a').write('planted\\n')",
    "hold": "held.append(open('.mcp.json', 'a')); held[-1].write('planted\\n'); held[-1].flush()",
    "map": "f = open('.mcp.json', 'r+b'); m = mmap.mmap(f.fileno(), 0); held.append(m); m[:7] = b'planted'",
    "replace": "open('x', 'w').write('planted\\n'); os.rename('x', '.mcp.json')",
    "replace from elsewhere": "open('sub/x', 'w').write('planted\\n'); os.rename('sub/x', '.mcp.json')",
    "exchange": "open('x', 'w').write('planted\\n'); assert libc.renameat2(-100, b'x', -100, b'.mcp.json', 2) == 0",
    "remove": "os.unlink('.mcp.json'); open('.mcp.json', 'w').write('planted\\n')",
    "link": "os.symlink('x', 'y'); open('x', 'w').write('planted\\n'); os.rename('y', '.mcp.json')",
}
GRAB = """
import ctypes, mmap, os, sys
libc = ctypes.CDLL(None)
held = []
os.makedirs('sub', exist_ok=True)
print('up', flush=True)
while not os.path.exists('stop'):
    for name in ('x', 'y'):
        try: os.unlink(name)
        except OSError: pass
    try: ACT
    except (OSError, ValueError, AssertionError): continue
    print('won', flush=True)
"""


@pytest.mark.alone
@pytest.mark.parametrize("grab", GRABS)
def test_who_grabs_a_protected_file_that_the_host_saves_wins_nothing(ringwall, bare, place, grab):
    """It says what the person saved, now or before; what the run has made of it is in quarantine."""
    script = GRAB.replace("ACT", GRABS[grab])
    save(place, ".mcp.json", "{}     \n")
    (place.work / "stop").touch()
    bare("/usr/bin/python3", "-c", script.replace("while not", "for _ in range(3): #"))
    assert "planted" in (place.work / ".mcp.json").read_text()  # it works
    for name in ("stop", "x", "y", ".mcp.json"):
        (place.work / name).unlink(missing_ok=True)
    save(place, ".mcp.json", "{}     \n")

    def is_clean():
        try:
            return "planted" not in (place.work / ".mcp.json").read_text()
        except OSError:
            return True

    process = ringwall.start("run", "--name", "here", "--", "/usr/bin/python3", "-c", script)
    try:
        assert process.stdout.readline() == b"up\n"
        ringwall.wait_for_run("here")
        time.sleep(0.2)
        for i in range(60):
            save(place, ".mcp.json", f"{{{i}}}     \n")
            time.sleep(0.03)
            wait_until(is_clean, i)
        (place.work / "stop").touch()
    finally:
        process.terminate()
        out, errors = process.communicate(timeout=120)
    print(f"won {out.count(b'won')} of 60 moments, {errors.count(b'took away')} told", errors.decode()[-300:])
    assert is_clean()


def test_a_save_outside_stays_and_is_told(ringwall, place):
    save(place, ".mcp.json", "{}\n")
    process = ringwall.start("run", "--name", "here", "--", "sleep", "30")
    try:
        ringwall.wait_for_run("here")
        time.sleep(0.2)
        for i in range(3):
            save(place, ".mcp.json", f"{{{i}}}\n")
            time.sleep(0.1)
        assert (place.work / ".mcp.json").read_text() == "{2}\n"
        assert ringwall("exec", "here", "--", "sh", "-c", "echo x >>.mcp.json").status != 0
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=120)
    assert errors.count(b"was saved outside") == 1 and b"took away" not in errors, errors


def test_a_change_outside_that_runs_something_is_put_back_and_kept(ringwall, place, repository):
    """Whose it is cannot be told: it could have been written by the run in that moment."""
    process = ringwall.start("run", "--name", "here", "--", "sleep", "30")
    try:
        ringwall.wait_for_run("here")
        time.sleep(0.2)
        git(place, "config", "alias.mine", "!echo mine")
        wait_until(lambda: "mine" not in (place.work / ".git/config").read_text())
        git(place, "config", "remote.new.url", "https://example.org/x")
        time.sleep(0.2)
        assert "example.org" in (place.work / ".git/config").read_text()
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=120)
    item = re.search(rb"quarantine restore (\S+)", errors).group(1).decode()
    ringwall("quarantine", "restore", item, "--to", str(place.work / "changed")).ok()
    assert "mine" in (place.work / "changed").read_text()


def test_what_the_host_removes_is_not_given_to_the_run(ringwall, place):
    (place.work / ".envrc").write_text("mine\n")
    process = ringwall.start("run", "--name", "here", "--", "sleep", "30")
    try:
        ringwall.wait_for_run("here")
        time.sleep(0.2)
        os.unlink(place.work / ".envrc")
        time.sleep(0.1)
        assert ringwall("exec", "here", "--", "sh", "-c", "echo planted >.envrc; sleep 0.2; test ! -e .envrc").status == 0
    finally:
        process.terminate()
        process.communicate(timeout=120)
    assert not (place.work / ".envrc").exists()
