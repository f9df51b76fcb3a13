"""What all tests of the promises share: the facts outside, one bare run, one run inside."""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))

import caller_terminal  # noqa: E402
import outside_facts  # noqa: E402
import sandbox_run  # noqa: E402


@pytest.fixture(scope="session")
def outside(tmp_path_factory):
    # In the home, since a socket's path may not be long.
    runtime = os.path.join(os.environ["HOME"], "run")
    os.makedirs(runtime, 0o700, exist_ok=True)  # a second try has the same home
    os.environ["XDG_RUNTIME_DIR"] = runtime
    facts = outside_facts.Outside(tmp_path_factory.mktemp("outside"))
    facts.facts.update({f"most_{name}": most for name, most in sandbox_run.LIMITS.items()})
    yield facts
    facts.remove()


@pytest.fixture(scope="session")
def leaky_descriptors(outside):
    """What a careless caller leaves open: a folder, a file and a socket, above 2."""
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    file = os.open(outside.facts["canary_file"], os.O_RDONLY)
    outside.facts["open_files"] = [os.readlink(f"/proc/self/fd/{fd}") for fd in (folder, file)]
    yield (folder, file)
    os.close(folder)
    os.close(file)


@pytest.fixture(scope="session")
def bare(outside, leaky_descriptors, tmp_path_factory):
    """Every probe without any wall, while a run is going on that could be meddled with."""
    facts_file = tmp_path_factory.mktemp("facts") / "facts.json"
    with sandbox_run.Run(outside) as run, caller_terminal.CallerTerminal() as terminal:
        run.shell("true")
        return sandbox_run.probe_bare(
            outside, facts_file, pass_fds=leaky_descriptors, terminal=terminal
        )


@pytest.fixture(scope="session")
def run(outside, leaky_descriptors):
    with caller_terminal.CallerTerminal() as terminal:
        with sandbox_run.Run(outside, pass_fds=leaky_descriptors, terminal=terminal) as going_on:
            yield going_on


@pytest.fixture(scope="session")
def inside(run):
    return run.probe()
