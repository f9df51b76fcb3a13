"""The screen of `make run`: its table is measured, its status is true, and it leaves nothing."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import IS_ROOT, without

TOP = Path(__file__).resolve().parent.parent.parent
DEMO = TOP / "tools/demo.sh"
BINARY = os.environ["RINGWALL_BIN"]
MUTANT = os.environ.get("RINGWALL_MUTANT_BIN", "")

ACTS = (
    "read ~/.ssh/id_ed25519",
    "read ~/.aws/credentials",
    "take keys from the environment",
    "see your other programs",
    "read another program's variables",
    "kill another program",
    "plant a command in ~/.bashrc",
    "change your other project",
    "send the key to a server",
    "sign with your ssh-agent",
    "make a namespace of its own",
    "type a command into your terminal",
)
# Reading the variables of another program cannot be let through for an ordinary user: that takes the
# user namespace away, without which he can build no wall at all.
WALLS_OF_ACTS = [
    ("private-home,landlock", ("read ~/.ssh/id_ed25519", "read ~/.aws/credentials")),
    ("environment", ("take keys from the environment",)),
    ("fresh-proc", ("see your other programs",)),
    ("pid-namespace,landlock,own-identity", ("kill another program",)),
    ("new-root,landlock", ("plant a command in ~/.bashrc", "change your other project")),
    ("network-namespace", ("send the key to a server",)),
    ("private-home,landlock,socket-masks", ("sign with your ssh-agent",)),
    ("system-calls,limits", ("make a namespace of its own",)),
]
if IS_ROOT:
    everything = "user-namespace,own-identity,pid-namespace,capabilities,landlock"
    WALLS_OF_ACTS.append((everything, ("read another program's variables",)))
TASKS = ("edit a file of the workspace", "git commit", "compile a program and run it")


@pytest.fixture
def throwaway(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def show(binary=BINARY, **variables):
    environment = {**os.environ, "LANG": "C.UTF-8", **variables}
    return subprocess.run(
        [DEMO, binary], env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def row_of(output, label):
    lines = [line for line in output.splitlines() if line.startswith(f"  {label} ")]
    assert len(lines) == 1, (label, output)
    return lines[0]


def test_everything_is_stopped_and_the_work_is_done(throwaway):
    done = show()
    print(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    for act in ACTS:
        assert re.search("[✗-] .* ✓ ", row_of(done.stdout, act))
    for task in TASKS:
        assert row_of(done.stdout, task).count("✓ done") == 2
    assert "12 of 12 acts stopped, 3 of 3 tasks done." in done.stdout
    assert "make run CMD='bash'" in done.stdout
    assert "build/ringwall verify" in done.stdout


def test_it_fits_one_screen(throwaway):
    lines = show().stdout.splitlines()
    assert len(lines) <= 23  # and the shell's next prompt
    assert max(len(line) for line in lines) <= 80


def test_it_leaves_nothing(throwaway):
    home = sorted(os.listdir(os.environ["HOME"]))
    show()
    assert os.listdir(throwaway) == []
    assert sorted(os.listdir(os.environ["HOME"])) == home
    # Of this user: the same demonstration may be going on as another one.
    processes = subprocess.run(["ps", "-u", str(os.getuid()), "-o", "args"], capture_output=True)
    assert b"made-up-" not in processes.stdout


def test_without_colours_it_is_plain(throwaway):
    assert "\x1b" not in show().stdout


@pytest.mark.skipif(not MUTANT, reason="needs the build that can take walls away")
@pytest.mark.parametrize("walls, acts", WALLS_OF_ACTS)
def test_a_missing_wall_shows(throwaway, tmp_path, walls, acts):
    # The demo hands its programs an environment of its own, so the wish goes into a wrapper.
    wrapper = tmp_path.parent / "mutant"
    wrapper.write_text(f'#!/bin/sh\nRINGWALL_TAKE_AWAY={without(walls)} exec "{MUTANT}" "$@"\n')
    wrapper.chmod(0o755)
    done = show(str(wrapper))
    print(done.stdout, done.stderr)
    assert done.returncode == 1
    for act in acts:
        assert row_of(done.stdout, act).count("✗") == 2, act


def test_a_binary_that_cannot_run_is_told(throwaway):
    done = show("/bin/false")
    assert done.returncode == 1
    assert "cannot run here" in done.stderr
    assert os.listdir(throwaway) == []
