"""What a person is told of programs, before and after: it is true, and what it offers works."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess

import pytest
from conftest import outcome


def digest(path):
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def policy(ringwall):
    """Runs `ringwall programs …`, which may write into the person's policy: what it says on stderr."""

    def change(*words):
        process = ringwall.start(*words)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        return err.decode()

    return change


TREE = ["--exec", "allow", "--exec-tree", "."]


@pytest.mark.parametrize("flags", [[], ["--allow-program", "system"]], ids=["no list", "a list of flags"])
def test_the_offered_command_lets_it_run(kit, ringwall, policy, flags):
    """And takes nothing away: what the read-only folders hold runs as before."""
    refused = ringwall.sh("./brought; echo ON", *TREE, *flags)
    assert outcome(refused) == "stopped" and "ON" in refused.out, refused
    offered = re.search(r"ringwall (programs allow .*)", refused.err)[1]
    policy(*shlex.split(offered))
    result = ringwall.sh("./brought; bash -c 'echo ON'", *TREE)
    assert outcome(result) == "ran" and "ON" in result.out, result
    kit.put("attack", kit.work / "another")
    again = re.search(r"ringwall (programs allow .*)", ringwall.sh("./another; :", *TREE).err)[1]
    assert "system" not in again, "it is in the policy now"


def test_a_first_entry_ends_the_default_and_says_so(kit, ringwall, policy):
    said = policy("programs", "allow", digest(kit.target))
    assert "nothing else runs in mode allow" in said and "programs allow system" in said, said
    assert policy("programs", "allow", "system") == ""


def test_the_log_says_why_once(kit, ringwall):
    ringwall.sh("./brought; :", "--name", "told", *TREE)
    log = ringwall("log", "told", "--denied").out
    assert "brought" in log and "it is not among what may run" in log and "it it" not in log, log


def answer(ringwall, program, *flags):
    told = ringwall("explain", "exec", program, *flags)
    assert told.status in (0, 1), told
    return told.status == 0, told.out


def test_explain_exec_in_mode_allow_is_what_happens(kit, ringwall):
    """Written programs do not run; in an exec tree only those that are allowed."""
    known = ["--allow-program", "system", "--allow-program", f"file:{kit.target}"]
    built_here = ["--exec", "allow", "--allow-program", "system", "--allow-program", "built-here"]
    kit.put("attack", kit.work / "unknown")
    for program, flags, runs in (
        ("./brought", ["--exec", "allow"], False),
        ("./brought", TREE, False),
        ("./brought", [*TREE, *known], True),
        ("./unknown", [*TREE, *known], False),
        ("./unknown", built_here, False),
        ("ls", ["--exec", "allow"], True),
        ("ls", TREE, True),
    ):
        says, why = answer(ringwall, program, *flags)
        assert says == runs, (program, flags, why)
        result = ringwall.sh(f"{program} && echo DONE; :", *flags)
        assert ("DONE" in result.out or outcome(result) == "ran") == runs, result
        assert runs or "change" in why, why


def test_explain_exec_under_deny_later(kit, ringwall):
    later = ["--deny-program", f"file:{kit.target}", "--deny-later"]
    for program, words in (("/lib64/ld-linux-x86-64.so.2", "any file that it is given"), ("strace", "traces")):
        says, why = answer(ringwall, program, *later)
        assert not says and words in why, why
        assert answer(ringwall, program, *later[:2])[0]  # the twin
    assert answer(ringwall, "ls", *later)[0]


@pytest.mark.parametrize(
    "flags, hint",
    [
        (["--allow-program", "ls"], "--exec allow"),
        (["--exec-tree", "."], "--exec allow"),
        (["--deny-program", "ls", "--exec-tree", "."], "--exec allow"),
        (["--deny-later"], "--deny-program"),
    ],
)
def test_a_flag_that_would_do_nothing_is_refused(ringwall, place, policy, flags, hint):
    result = ringwall.sh("echo RAN", *flags)
    result.refused("does nothing without")
    assert hint in result.hint(), result
    # A policy may hold what is meant for runs in another mode.
    policy("programs", "allow", "ls")
    assert ringwall.sh("echo RAN").ok() == "RAN"


def test_what_the_kernel_refuses_is_announced(kit, ringwall):
    """A noexec mount asks nobody: the start says what such a refusal looks like, and that it is not recorded."""
    result = ringwall.sh("./brought; echo $?", "--name", "plain", "--exec", "allow")
    assert outcome(result) == "stopped" and "126" in result.out and "Permission denied" in result.err, result
    assert "does not run: the kernel says" in result.err and "not recorded" in result.err, result
    assert "outside of the exec trees" in ringwall.sh("true", *TREE).err
    assert "not recorded" in ringwall("log", "plain").out
    assert "not recorded" not in ringwall.sh("true", "--deny-program", "target").err  # the twin


def test_a_command_that_mode_allow_refuses(kit, ringwall):
    result = ringwall("run", "--exec", "allow", "--", "./brought")
    assert result.status == 126 and "does not run in mode allow: it can be written inside" in result.err, result
    assert "--exec-tree" in result.hint(), result


def test_a_script_that_only_bears_an_allowed_name(kit, ringwall):
    """Deep in a read-only folder lies a test or an example of that name: no reason to refuse the run."""
    other = kit.folder / "deep/rm"
    other.write_text("#!/usr/bin/python3\n")
    other.chmod(0o755)
    flags = [*kit.flags(), "--exec", "allow", "--allow-program", "sh", "--allow-program", "rm"]
    result = ringwall.sh("rm --version", *flags, timeout=300)
    assert result.status == 0 and "rm (GNU" in result.out, result


def test_a_denied_program_too_deep_to_be_taken_away(kit, ringwall, place):
    """Beyond what one call can name: refused, with what to do."""
    name = 200 * "d"
    folder = os.open(kit.folder, os.O_RDONLY)
    for _ in range(22):
        os.mkdir(name, dir_fd=folder)
        below = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    copy = os.open("w", os.O_CREAT | os.O_WRONLY, 0o755, dir_fd=folder)
    os.write(copy, kit.target.read_bytes())
    os.close(copy)
    os.close(folder)
    result = ringwall.sh("true", *kit.flags(), "--deny-program", "target")
    result.refused("lies too deep to be taken away")
    assert "move it up" in result.hint(), result
    subprocess.run(["rm", "-rf", kit.folder / name], check=True)


@pytest.mark.skipif(not shutil.which("busybox"), reason="there is no busybox here")
def test_why_names_what_does_the_same(kit, ringwall):
    told = ringwall("programs", "why", "wget").out
    assert "what does the same and stays: busybox wget" in told, told
    assert "does the same" not in ringwall("programs", "why", "busybox").out
