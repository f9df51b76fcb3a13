"""A short soak: `make soak` does the same for much longer."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import binary

pytestmark = pytest.mark.alone  # it counts what is on the whole host

SOAK = Path(__file__).resolve().parent.parent / "soak" / "soak.py"


@pytest.fixture
def soak():
    def run(path, *options, env=None):
        words = ["/usr/bin/python3", "-B", SOAK, binary(path), "--as-caller", *map(str, options)]
        return subprocess.run(words, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False)

    return run


def test_nothing_is_left_of_runs_that_were_struck(soak):
    done = soak("RINGWALL_BIN", "--runs", 100, "--seed", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100 runs" in done.stdout and "0 findings" in done.stdout


def test_a_soak_can_fail(soak):
    """Without what ties a sandbox to its supervisor, something is left."""
    # Some in which the supervisor is killed, late enough that there is a sandbox on a busy host too.
    numbers = [f"--only={number}" for number in (16, 22, 33, 56, 78, 88, 103)]
    done = soak("RINGWALL_MUTANT_BIN", "--seed", 1, "--patience", 1, *numbers, env={"RINGWALL_TAKE_AWAY": "lifeline,pid-namespace"})
    assert done.returncode == 1 and "still there: " in done.stdout, done.stdout + done.stderr
