"""What a rule means, what it takes away, and what is said of it."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from conftest import IS_ROOT, built, outcome
from other_clock import OtherClock


def digest(path):
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


def test_by_hash(kit, ringwall):
    """Of unknown size, the first time: everything is looked into; then it is known."""
    flags = [*kit.flags(), "--deny-program", digest(kit.target)]
    for _ in range(2):
        result = ringwall.sh("$KIT/target; $KIT/alias; $KIT/deep/er/other; $WORK/brought", *flags, timeout=300)
        assert outcome(result) == "stopped", result
        assert outcome(ringwall.sh("/lib64/ld-linux-x86-64.so.2 $KIT/data.bin", *flags)) == "stopped"


def test_in_an_offered_cache(kit, ringwall):
    """Of the real home's cache, and of what was written over it; what a run removed is no hindrance."""
    cache = kit.place.home / ".npm/_cacache"
    (cache / "tmp").mkdir(parents=True)
    for name in ("target", "other", "third"):
        kit.put("target", cache / "tmp" / name)
    roads = "for f in target other third new; do ~/.npm/_cacache/tmp/$f; done; :"
    offered = ["--cache", "npm"]
    assert outcome(ringwall.sh(roads, *offered)) == "ran"
    ringwall.sh("cp ~/.npm/_cacache/tmp/target ~/.npm/_cacache/tmp/new; rm ~/.npm/_cacache/tmp/third", *offered).ok()
    result = ringwall.sh(roads, *offered, "--deny-program", digest(kit.target))
    assert result.status == 0 and outcome(result) == "stopped", result


def test_by_a_file_outside_of_all_trees(kit, ringwall):
    elsewhere = kit.place.root / "elsewhere"
    kit.put("target", elsewhere)
    result = ringwall.sh("$KIT/target; $WORK/brought", *kit.flags(), "--deny-program", f"file:{elsewhere}")
    assert outcome(result) == "stopped", result


def test_a_missing_file_is_an_error_with_a_suggestion(kit, ringwall):
    result = ringwall.sh("true", *kit.flags(), "--deny-program", f"file:{kit.folder}/targt")
    result.refused("names a file that is not there")
    assert "target" in result.hint(), result


def test_a_name_that_matches_nothing_is_said(kit, ringwall):
    result = ringwall("run", "--explain", *kit.flags(), "--deny-program", "targit", "--", "true")
    assert "matches nothing" in result.out and "did you mean target?" in result.out, result


def test_the_program_itself_is_denied(kit, ringwall):
    result = ringwall("run", *kit.flags(), "--deny-program", "target", "--", f"{kit.folder}/alias")
    result.refused("is denied by exec.deny target", "--deny-program")


def test_its_interpreter_is_denied(kit, ringwall):
    script = kit.script("by-python", "#!/usr/bin/python3\nprint('RAN')\n")
    result = ringwall("run", *kit.flags(), "--deny-program", "python3", "--", script)
    result.refused("which runs", "is denied by exec.deny python3")


def test_explain_names_every_path_with_its_rule(kit, ringwall):
    plan = ringwall.plan(*kit.flags(), "--deny-program", "target")
    taken = {row["path"]: row for row in plan["programs"]}
    for name in ("target", "alias", "deep/er/other", "wrapper", "wrapper-beside"):
        assert taken[f"{kit.folder}/{name}"]["rule"] == "target", taken
    assert "same bytes" in taken[f"{kit.folder}/alias"]["why"]
    kinds = {m["kind"] for m in plan["mounts"] if m["path"].startswith(str(kit.folder))}
    assert "without" in kinds, plan["mounts"]


def test_any_costs_nothing(kit, ringwall):
    shutil.rmtree(kit.place.state / "programs")
    assert ringwall.sh("true").status == 0
    assert not (kit.place.state / "programs").exists()


def test_an_empty_program_takes_no_other_empty_file(kit, ringwall):
    for name in ("nothing", "other-empty"):
        kit.script(name, "")
    result = ringwall.sh("ls $KIT", *kit.flags(), "--deny-program", "nothing")
    assert "other-empty" in result.out and "nothing" not in result.out.split(), result


def test_special_files_of_that_name(kit, ringwall):
    os.mkfifo(kit.work / "target")
    (kit.folder / "deep/target").mkdir()
    result = ringwall.sh("$KIT/target; ls -d $KIT/deep/target", *kit.flags(), "--deny-program", "target")
    assert outcome(result) == "stopped" and "deep/target" in result.out, result


@pytest.mark.skipif(IS_ROOT, reason="no permission stops root")
def test_what_cannot_be_read_and_may_be_the_same_is_gone(kit, ringwall):
    secret = kit.put("target", kit.folder / "unreadable")
    secret.chmod(0o111)
    result = ringwall.sh("$KIT/unreadable", *kit.flags(), "--deny-program", "target")
    assert outcome(result) == "stopped", result


def test_big_and_sparse_files(kit, ringwall):
    """Only what has the size of a denied one is read: gigabytes of another size cost nothing."""
    big = kit.folder / "big"
    with big.open("wb") as file:
        file.write(b"\x7fELF")
        file.truncate(2 << 30)
    big.chmod(0o755)
    start = time.monotonic()
    result = ringwall.sh("$KIT/target; ls $KIT", *kit.flags(), "--deny-program", "target")
    assert outcome(result) == "stopped" and "big" in result.out, result
    assert time.monotonic() - start < 20
    assert "big" not in ringwall.sh("ls $KIT", *kit.flags(), "--deny-program", f"file:{big}", timeout=120).out.split()


def test_a_hundred_thousand_programs(kit, ringwall):
    many = kit.place.root / "many"
    for n in range(100):
        (many / f"d{n}").mkdir(parents=True)
        first = many / f"d{n}/p0"
        first.write_text(f"#!/bin/sh\n# {n}\n")
        first.chmod(0o755)
        for k in range(1, 1000):
            os.link(first, many / f"d{n}/p{k}")
    (many / "d50/p500").unlink()
    shutil.copy(kit.target, many / "d50/p500")
    flags = [*kit.flags(), "--ro", many, "--deny-program", "target"]
    for _ in range(2):
        result = ringwall.sh(f"{many}/d50/p500; ls {many}/d50 | wc -l", *flags, timeout=120)
        assert outcome(result) == "stopped" and result.out.strip() == "999", result


def test_changed_between_runs(kit, ringwall):
    """A copy that appears, in place or anew, is found although the folder was known."""
    for n in range(400):
        (kit.folder / f"f{n}").mkdir()
        (kit.folder / f"f{n}/tool").write_text(f"#!/bin/sh\n# {n}\n")
        (kit.folder / f"f{n}/tool").chmod(0o755)
    flags = [*kit.flags(), "--deny-program", "target"]
    assert ringwall.sh("true", *flags).status == 0
    time.sleep(0.1)
    assert ringwall.sh("true", *flags).status == 0
    (kit.folder / "f7/tool").write_bytes(kit.target.read_bytes())  # in place
    shutil.copy(kit.target, kit.folder / "f9/new")
    result = ringwall.sh("$KIT/f7/tool; $KIT/f9/new", *flags)
    assert outcome(result) == "stopped", result


@pytest.mark.parametrize("what", ["hashes", "tree"])
def test_a_cache_that_was_tampered_with_is_made_anew(kit, ringwall, what):
    flags = [*kit.flags(), "--deny-program", "target"]
    assert ringwall.sh("true", *flags).status == 0
    for path in (kit.place.state / "programs").iterdir():
        if path.name.startswith(what):
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            path.write_bytes(bytes(data))
    result = ringwall.sh("$KIT/target", *flags, timeout=120)
    assert outcome(result) == "stopped", result
    assert "made anew" in result.err, result
    assert "made anew" not in ringwall.sh("$KIT/target", *flags).err


def test_two_runs_at_once(kit, ringwall):
    shutil.rmtree(kit.place.state / "programs")
    words = ["run", *kit.flags(), "--deny-program", "target", "--", "sh", "-c", "$KIT/target"]
    runs = [ringwall.start(*words) for _ in range(3)]
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert b"TARGET-RAN" not in out, (out, err)
    assert "made anew" not in ringwall(*words).err


def test_a_package_upgrade_outside(kit, ringwall):
    """Files are replaced by rename while a run goes on: the denied stays gone, neighbours work."""
    kit.script("neighbour", "#!/bin/sh\necho OLD\n")
    script = (
        "$KIT/target; $KIT/neighbour; echo ready; read x; "
        "$KIT/target; $KIT/alias; $KIT/neighbour; ls $KIT/target; echo end"
    )
    words = ["run", *kit.flags(), "--deny-program", "target", "--", "sh", "-c", script]
    run = ringwall.start(*words)
    line = b""
    while line != b"ready\n":
        line = run.stdout.readline()
        assert line, run.stderr.read()
    for name, text in (("target", "#!/bin/sh\necho TARGET-RAN\n"), ("neighbour", "#!/bin/sh\necho NEW\n")):
        kit.script(name + ".new", text).rename(kit.folder / name)
    out, err = run.communicate(b"\n", timeout=120)
    assert b"TARGET-RAN" not in out, (out, err)
    assert (b"OLD" in out or b"NEW" in out) and b"end" in out, (out, err)


def test_only_what_is_named_in_mode_allow(kit, ringwall):
    flags = [*kit.flags(), "--exec", "allow"]
    for name in ("sh", "ls", "wc"):
        flags += ["--allow-program", name]
    script = "for f in /usr/bin/*; do [ -x $f ] && echo $f; done | wc -l; $KIT/target; /usr/bin/env true; ls /lib64"
    result = ringwall.sh(script, *flags, timeout=300)
    assert outcome(result) == "stopped", result
    assert int(result.out.split()[0]) < 20, result
    assert "ld-linux" in result.out, result
    refused = ringwall("run", *flags, "--", "env")
    refused.refused("is not among the programs that exec.allow names")


def test_an_allowed_script_needs_its_interpreter(kit, ringwall):
    kit.script("tool", "#!/usr/bin/python3\n")
    flags = [*kit.flags(), "--exec", "allow", "--allow-program", f"file:{kit.folder}/tool", "--allow-program", "sh"]
    result = ringwall.sh("true", *flags, timeout=300)
    result.refused("and not its interpreter /usr/bin/python3")
    assert "--allow-program python3" in result.hint()


def test_programs_command(kit, ringwall):
    hashed = json.loads(ringwall("programs", "hash", kit.target, "--json").ok())
    assert hashed[0]["program"] == digest(kit.target)
    assert ringwall("programs", "hash", "/nowhere").status == 1
    why = json.loads(ringwall("programs", "why", kit.target, *kit.flags(), "--json").ok())
    assert f"{kit.folder}/alias" in [row["path"] for row in why["taken"]]
    assert "sh" in " ".join(why["interpreters"])
    dry = ringwall("programs", "deny", "target", "--dry-run").ok()
    assert "would add" in dry
    home = kit.place.home
    environment = kit.place.environment()
    words = [str(kit.place.links / kit.place.mark), "programs", "deny", "target"]
    done = subprocess.run(words, cwd=kit.work, env=environment, capture_output=True, text=True, check=True)
    assert "now names target" in done.stdout
    assert 'deny = ["target"]' in (home / ".config/ringwall/policy.toml").read_text()
    listed = json.loads(ringwall("programs", "list", *kit.flags(), "--json").ok())
    assert listed["mode"] == "deny" and listed["taken"]
    assert outcome(ringwall.sh("$KIT/target", *kit.flags())) == "stopped"
    told = ringwall("explain", "exec", f"{kit.folder}/target", *kit.flags())
    assert told.status == 1 and "exec.deny" in told.out and "policy.toml" in told.out, told
    words[2] = "allow"
    done = subprocess.run(words, cwd=kit.work, env=environment, capture_output=True, text=True, check=True)
    assert "exec.deny names target too" in done.stderr and "stays denied" in done.stderr
    words[3] = "ls"
    done = subprocess.run(words, cwd=kit.work, env=environment, capture_output=True, text=True, check=True)
    assert "stays denied" not in done.stderr


def test_explain_exec(kit, ringwall):
    assert ringwall("explain", "exec", "ls").status == 0
    told = ringwall("explain", "exec", "bash")
    assert told.status == 0 and "interpreter" in told.out and "--deny-program bash" in told.out, told
    told = ringwall("explain", "exec", "ls", "--deny-program", "ls")
    assert told.status == 1 and "exec.deny" in told.out, told
    assert ringwall("explain", "exec", "no-such-program").status == 1


@pytest.fixture
def system_folder():
    """A folder of the system that holds no programs, too deep to be looked at on each start."""
    top = Path(tempfile.mkdtemp(prefix="ringwall-test-", dir="/usr/local/share"))
    folder = top / "deep/er"
    folder.mkdir(parents=True)
    top.chmod(0o755)
    (folder / "text").write_text("no program\n")
    yield folder
    shutil.rmtree(top)


@pytest.mark.skipif(not IS_ROOT, reason="only root can prepare this")
def test_what_came_to_the_system_since_the_last_look_ends_the_run(kit, ringwall, place, knows_programs, system_folder):
    """The start passes such folders over; the look right after it does not."""
    clock = OtherClock(place.root / "clock")
    deny = ["run", "--deny-program", f"file:{kit.target}", "--"]
    ringwall(*deny, "true", timeout=300).ok()  # knows the folder now
    came = system_folder / "came"
    shutil.copy(kit.target, came)
    clock.set(600)  # the last look is some minutes ago
    ended = ringwall(*deny, "sleep", "60", env=clock.env)
    ended.refused("came since the last look")
    assert str(came) in ended.err and "start it again" in ended.err, ended
    seen = ringwall(*deny, "ls", system_folder, env=clock.env).ok()
    assert seen.split() == ["text"], seen
    assert ringwall("run", "--", "ls", system_folder).ok().split() == ["came", "text"]  # the twin


def test_explain_read_knows_what_is_gone(kit, ringwall):
    assert ringwall("explain", "read", "/usr/bin/ls").status == 0
    told = ringwall("explain", "read", "/usr/bin/ls", "--deny-program", "ls")
    assert told.status == 1 and "exec.deny" in told.out and "not there inside" in told.out, told


def test_git_does_not_stumble_over_a_denied_program(kit, ringwall, place):
    """It can be neither read nor added."""
    git = ["git", "-c", "init.defaultBranch=main"]
    subprocess.run([*git, "init", "-q", place.work], check=True, env=place.environment())
    shutil.copy("/usr/bin/ls", place.work / "mine")
    (place.work / "text").write_text("a\n")
    script = "git add -A && git status --porcelain"
    added = ringwall("run", "--deny-program", "ls", "--", "sh", "-c", script).ok().split()
    assert "text" in added and "mine" not in added, added


def test_built_programs_are_what_they_seem(kit):
    assert built("target").read_bytes() == kit.target.read_bytes()
