"""Every way of attempts.c: gets through bare, and does not under the guard, but for those named in the table."""

import subprocess

import attack_table
import conftest
import pytest


@pytest.fixture(scope="module")
def answers(guard, user, programs, make_home):
    """Of one run for each mode, by mode and name."""
    found = {}

    def ask(mode):
        if mode not in found:
            folder = make_home()
            attempts = [programs / "attempts", "."]
            sandbox = [conftest.BINARY, "run", "--guard", "tracepoints", "--ro", programs]
            line = attempts if mode == "bare" else [*sandbox, *attack_table.rules_of(mode, programs, folder / "work"), "--", *attempts]
            with open(programs / "target", "rb") as target:
                done = subprocess.run(
                    guard.command(user, folder, *line),
                    stdin=target,
                    capture_output=True,
                    text=True,
                    timeout=conftest.RUN_SECONDS,
                    check=False,
                )
            assert done.returncode == 0, done.stderr
            found[mode] = attack_table.parse(done.stdout)
        return found[mode]

    return ask


@pytest.mark.parametrize("name", attack_table.ATTEMPTS)
def test_gets_through_bare(answers, name):
    if name == "asked-before" and answers("bare")[name] == "refused":
        pytest.skip("this kernel cannot be asked beforehand (AT_EXECVE_CHECK)")
    assert answers("bare")[name] == "ran"


@pytest.mark.parametrize("mode", ["deny", "allow"])
@pytest.mark.parametrize("name", attack_table.ATTEMPTS)
def test_under_the_guard(answers, name, mode):
    assert answers(mode)[name] == attack_table.expected(name, mode)


def test_table_is_whole(answers):
    assert set(answers("bare")) == set(attack_table.ATTEMPTS)
