"""P30 by the view: a denied program is taken away, and no road leads to it."""

import os
import subprocess

import pytest
from cases import CASES, RAN
from conftest import outcome

DENY = ("--deny-program", "target", "--deny-program")


def deny_flags(kit):
    """The target by its name; the library, which has none on any PATH, by its file."""
    return [*DENY, f"file:{kit.folder}/libtarget.so"]


def ids(case):
    return case.name


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_bare(kit, case):
    environment = kit.place.environment(kit.environment())
    done = subprocess.run(
        ["sh", "-c", case.script], cwd=kit.work, env=environment, capture_output=True, text=True, check=False
    )
    assert ("ran" if "TARGET-RAN" in done.stdout else "stopped") == case.bare, done


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_allowed(kit, case, ringwall):
    result = ringwall.sh(case.script, *kit.flags())
    assert outcome(result) == case.allowed, result


@pytest.mark.parametrize("case", [c for c in CASES if "view" in c.deny], ids=ids)
def test_denied(kit, case, ringwall):
    result = ringwall.sh(case.script, *kit.flags(), *deny_flags(kit))
    assert outcome(result) == case.deny["view"], result


@pytest.mark.parametrize("case", [c for c in CASES if "view" in c.deny and c.allowed == RAN][:12], ids=ids)
def test_without_the_wall(kit, case, mutant):
    """The same tests can fail: with the wall taken away the roads are open."""
    result = mutant("denied-programs").sh(case.script, *kit.flags(), *deny_flags(kit))
    assert outcome(result) == RAN, result


def test_what_is_not_denied_stays(kit, ringwall):
    other = kit.folder / "neighbour"
    other.write_text("#!/bin/sh\necho NEIGHBOUR\n")
    other.chmod(0o755)
    result = ringwall.sh("$KIT/neighbour; ls $KIT; ls /usr/bin | wc -l", *kit.flags(), *deny_flags(kit))
    lines = result.out.splitlines()
    assert lines[0] == "NEIGHBOUR", result
    assert "target" not in lines and "alias" not in lines and "wrapper" not in lines, result
    assert int(lines[-1]) == len(os.listdir("/usr/bin")), result
