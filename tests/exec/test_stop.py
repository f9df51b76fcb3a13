"""The exec stop and allow mode: programs judged by content at their first instruction, and what is
written does not run. Every road is walked bare, past a denial and where only known programs run."""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LOADER = "/lib64/ld-linux-x86-64.so.2"
GCC = shutil.which("gcc")

pytestmark = pytest.mark.skipif(not GCC, reason="the roads are written in C")


def digest(path):
    return "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Compiled once: who attacks, the target, a library that says when it is loaded, two racers."""
    folder = tmp_path_factory.mktemp("programs")
    texts = {
        "target": '#include <stdio.h>\nint main(void) { puts("TARGET-RAN"); return 42; }\n',
        "good": "int main(void) { return 0; }\n",
        "lib.so": '#include <stdio.h>\n__attribute__((constructor)) void on(void) { puts("TARGET-RAN"); fflush(stdout); }\n',
        "goodlib.so": "int nothing(void) { return 7; }\n",
    }
    for name, text in texts.items():
        (folder / "source.c").write_text(text)
        shape = ["-shared", "-fPIC"] if name.endswith(".so") else []
        subprocess.run([GCC, *shape, "-o", folder / name, folder / "source.c"], check=True)
    subprocess.run([GCC, "-O1", "-pthread", "-o", folder / "attack", HERE / "stop_attacks.c"], check=True)
    return folder


@pytest.fixture
def kit(place, programs, knows_programs):
    for name in ("attack", "target", "good", "lib.so", "goodlib.so"):
        shutil.copy(programs / name, place.work / name)
    return place.work


def deny_later(kit):
    """The target and the library are denied, whenever they appear."""
    names = [digest(kit / name) for name in ("target", "lib.so")]
    return ["--deny-later", *[word for name in names for word in ("--deny-program", name)]]


def allow_tree(kit):
    """Only the system's programs, who attacks and the good ones run, also from the workspace."""
    known = ["system", *[digest(kit / name) for name in ("attack", "good", "goodlib.so")]]
    flags = [word for name in known for word in ("--allow-program", name)]
    return ["--exec", "allow", "--exec-tree", str(kit), *flags]


PAD = "cp target mine && echo pad >> mine"
# (the road, stopped where it is denied later, stopped where only known programs run)
ROADS = {
    "direct": ("./target", True, True),
    "a copy": ("cp target mine && ./mine", True, True),
    "renamed": ("mv target mine && ./mine", True, True),
    "hard link": ("ln target mine && ./mine", True, True),
    "symbolic link": ("ln -s target mine && ./mine", True, True),
    "/proc/self/root": ("/proc/self/root$PWD/target", True, True),
    "the loader": (f"{LOADER} ./target", True, True),
    "a copy of the loader": (f"cp {LOADER} ld && ./ld ./target", True, True),
    "fexecve": ("./attack fexecve target", True, True),
    "a memory file": ("./attack memfd target", True, True),
    "O_TMPFILE": ("./attack tmpfile target", True, True),
    "unlinked": ("./attack unlinked target", True, True),
    "another thread": ("./attack thread ./target", True, True),
    "as an interpreter": ("printf '#!%s\\n' $PWD/target > s; chmod +x s; ./s", True, True),
    "a filter's own message": ("./attack own-message ./target || ./attack load ./target", True, True),
    "a listener of its own": ("./attack own-listener ./target", True, True),
    "leaving the tracer": ("./attack untraced ./target", True, True),
    # A changed copy is not the denied bytes any more.
    "a padded copy": (f"{PAD} && ./mine", False, True),
    # Nor is a changed copy of a loader one that is known: it loads the denied bytes as they are.
    "a changed loader": (f"cp {LOADER} ld && echo >> ld && ./ld ./target", False, True),
    "downloaded": ("cat target > mine && echo x >> mine && chmod +x mine && ./mine", False, True),
    # Libraries are judged where only known ones run; taken away by the view where they are denied.
    "LD_PRELOAD": ("LD_PRELOAD=./lib.so /usr/bin/env uname", False, True),
    "dlopen": ("python3 -c 'import ctypes; ctypes.CDLL(\"./lib.so\")'", False, True),
    "mapped": ("./attack map target", False, True),
    "made executable": ("./attack protect target", False, True),
    "made executable, unlinked": ("./attack protect-unlinked target", False, True),
    "open for writing": ("./attack held-writer goodlib.so", False, True),
    "changed while mapped": ("./attack change-mapped goodlib.so", False, True),
    "shared memory": ("./attack shm target", False, True),
}


@pytest.mark.parametrize("name", ROADS)
def test_a_road(kit, place, ringwall, mutant, bare, name):
    script, when_denied, when_unknown = ROADS[name]

    def walk(run):
        for entry in ("mine", "ld", "s", "gone"):
            (kit / entry).unlink(missing_ok=True)
        for entry in ("target", "goodlib.so"):
            shutil.copy(programs_of(kit) / entry, kit / entry)
        return "TARGET-RAN" in run().out

    keep = place.root / "keep"
    shutil.copytree(kit, keep)
    programs_of = lambda _: keep  # noqa: E731
    denied, allowed = deny_later(kit), allow_tree(kit)
    assert walk(lambda: bare("sh", "-c", script)), "it fails without Ringwall too"
    assert walk(lambda: ringwall.sh(script)), "nothing is denied, and it fails"
    # What lies there at the start is taken away already: it comes in later only for who looks away then.
    assert not walk(lambda: ringwall.sh(script, *denied)) or not when_denied
    assert walk(lambda: mutant("denied-programs").sh(script, *denied)) != when_denied
    assert walk(lambda: ringwall.sh(script, *allowed)) != when_unknown


@pytest.mark.parametrize("place_of_it", ["$PWD", "/tmp", "$HOME"])
def test_nothing_that_is_written_runs(kit, ringwall, place_of_it):
    script = f"""
      cp target lib.so {place_of_it}/ 2>/dev/null; cd {place_of_it}; chmod +x target
      ./target; {LOADER} ./target; LD_PRELOAD=./lib.so env uname
      python3 -c 'import ctypes; ctypes.CDLL("./lib.so")'; echo THE-END"""
    result = ringwall.sh(script, "--exec", "allow")
    assert "THE-END" in result.out and "TARGET-RAN" not in result.out, result
    assert "TARGET-RAN" in ringwall.sh(script).out


def test_noexec_is_what_stops_it(kit, ringwall, mutant):
    flags = ["--exec", "allow"]
    assert "TARGET-RAN" not in ringwall.sh("./target", *flags).out
    assert "TARGET-RAN" in mutant("noexec-writable").sh("./target", *flags).out


def test_the_stop_is_what_stops_it(kit, ringwall, mutant):
    assert "TARGET-RAN" not in ringwall.sh("./target", *deny_later(kit)).out
    assert "TARGET-RAN" in mutant("denied-programs,exec-stop,exec-calls").sh("./target", *deny_later(kit)).out


def test_the_second_filter_is_what_stops_it(kit, ringwall, mutant):
    script = "./attack map target; ./attack shm target"
    assert "TARGET-RAN" not in ringwall.sh(script, *allow_tree(kit)).out
    assert "TARGET-RAN" in mutant("exec-calls").sh(script, *allow_tree(kit)).out


@pytest.mark.parametrize("race", ["race-link", "race-content"])
def test_a_race_for_the_exec_is_not_won(kit, mutant, bare, race):
    """200 verdicts, while the path or the content flips all the time. By the exec stop alone: the view takes the
    target away before there is a race."""
    words = ["./attack", race, f"{kit}/good", f"{kit}/target"]
    won = re.compile(r"WON (\d+) of (\d+)")
    assert int(won.search(bare(*words).out)[1]) > 0, "it cannot be won without Ringwall either"
    for flags in (deny_later(kit), allow_tree(kit)):
        result = mutant("denied-programs")("run", *flags, "--", *words, timeout=120)
        found = won.search(result.out)
        assert found and found[1] == "0" and int(found[2]) >= 200, result


def test_a_race_for_the_mapping_is_not_won(kit, ringwall, bare):
    """Another thread changes what the descriptor means while the mapping is made."""
    words = ["./attack", "race-descriptor", "goodlib.so", "lib.so"]
    won = re.compile(r"WON (\d+), mapped (\d+)")
    assert int(won.search(bare(*words).out)[1]) > 0
    result = ringwall("run", *allow_tree(kit), "--", *words, timeout=120)
    found = won.search(result.out)
    assert found and found[1] == "0" and int(found[2]) > 0, result


def test_who_is_refused_is_told_once(kit, ringwall):
    result = ringwall.sh("./target; ./target; ./target; echo ON", "--name", "first", *allow_tree(kit))
    assert "ON" in result.out and result.status == 0
    told = [line for line in result.err.splitlines() if "refused" in line and "target" in line]
    assert len(told) == 1 and "dash" in told[0], result
    assert f"ringwall programs allow {digest(kit / 'target')}" in result.err
    log = ringwall("log", "first", "--denied", "--json").out
    assert '"event":"refused_program"' in log and digest(kit / "target")[7:] in log
    assert '"first_seen_program"' in ringwall("log", "first", "--json").out


def exec_stop_of(place):
    """The pid of this test's exec stop."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for pid in place.processes():
            with contextlib.suppress(OSError):  # it may be gone by now
                if b"ringwall-exec-stop" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        time.sleep(0.01)
    raise AssertionError("no exec stop")


def test_without_the_stop_nothing_runs_on(kit, place, ringwall):
    process = ringwall.start("run", *deny_later(kit), "--", "sh", "-c", "sleep 0.3; while :; do echo x >> ticks; sleep 0.05; done")
    stop = exec_stop_of(place)
    while not (kit / "ticks").exists():
        time.sleep(0.02)
    os.kill(stop, signal.SIGKILL)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 125 and b"exec stop ended" in err, err
    ticks = (kit / "ticks").read_bytes()
    time.sleep(0.3)
    assert (kit / "ticks").read_bytes() == ticks


def test_killed_between_stop_and_verdict(kit, place, ringwall):
    """A large program takes long to hash; who waits for the verdict does not run when none comes."""
    with open(kit / "target", "r+b") as large:
        large.truncate(2 << 30)  # sparse: an ELF file does not mind what follows
    flags = ["--deny-later", "--deny-program", "sha256:" + "0" * 64]
    process = ringwall.start("run", *flags, "--", "sh", "-c", "echo READY; ./target")
    assert process.stdout.readline() == b"READY\n"
    stop = exec_stop_of(place)
    time.sleep(0.15)
    os.kill(stop, signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert b"TARGET-RAN" not in out and b"exec stop ended" in err, (out, err)


def test_a_program_of_two_gigabytes_runs_in_the_end(kit, ringwall):
    with open(kit / "target", "r+b") as large:
        large.truncate(2 << 30)
    result = ringwall.sh("./target", "--deny-later", "--deny-program", "sha256:" + "0" * 64, timeout=120)
    assert "TARGET-RAN" in result.out and result.status == 42, result


def test_unreadable_programs_do_not_run(kit, ringwall):
    (kit / "target").chmod(0o111)
    assert "TARGET-RAN" not in ringwall.sh("./target", *allow_tree_of(kit)).out


def allow_tree_of(kit):
    return ["--exec", "allow", "--exec-tree", str(kit), "--allow-program", "system"]


def test_what_was_built_here_runs(kit, ringwall):
    (kit / "main.c").write_text('#include <stdio.h>\nint main(void) { puts("BUILT"); return 3; }\n')
    (kit / "Makefile").write_text("a.out: main.c\n\tgcc main.c\n")
    flags = ["--exec", "allow", "--allow-program", "system", "--allow-program", "built-here"]
    result = ringwall.sh("make -s && ./a.out", *flags, timeout=120)
    assert "BUILT" in result.out and result.status == 3, result
    script = "gcc main.c -o b; cp b c && ./c; echo pad >> c; ./c; ./target; strip -o d b; ./d; objcopy b e; ./e; echo END"
    result = ringwall.sh(script, *flags, timeout=120)
    assert result.out.count("BUILT") == 1 + (digest(kit / "e") == digest(kit / "b")), result
    assert "TARGET-RAN" not in result.out and "END" in result.out
    result = ringwall.sh("gcc main.c && ./a.out", *allow_tree_of(kit), timeout=120)
    assert "BUILT" not in result.out, "the class was not asked for"


BUILT_HERE = ["--exec", "allow", "--allow-program", "system", "--allow-program", "built-here"]
# What a linker reads, is given, or only adds to is not what it made.
NOT_BUILT = {
    "read, and traced at each open": "./attack link-with-message ./target",
    "added to": "bash -c 'cp target d.$$; LD_DEBUG=files LD_DEBUG_OUTPUT=$PWD/d exec ld -v'; chmod +x d.*; ./d.*",
    "told to copy": "ld -r -b binary --oformat binary -o o target; chmod +x o; ./o",
    "told to copy, shortly": "ld -r -bbinary --oform=binary -o o target; chmod +x o; ./o",
    "the linker failed": "mkfifo f; ld -Map=map f & sleep 0.5; cp target map; kill -9 $!; wait; chmod +x map; ./map",
}


@pytest.mark.parametrize("name", NOT_BUILT)
def test_what_no_linker_wrote_was_not_built_here(kit, ringwall, bare, name):
    script = NOT_BUILT[name]
    flags = [*BUILT_HERE, "--allow-program", digest(kit / "attack")]
    result = ringwall("run", *flags, "--", "bash", "-c", script + "; echo END", timeout=120)
    assert "TARGET-RAN" not in result.out and ("END" in result.out or "./target" in script), result
    for made in [*kit.glob("d.*"), kit / "map", kit / "f", kit / "o"]:
        made.unlink(missing_ok=True)
    assert "TARGET-RAN" in bare("bash", "-c", script).out


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_other_linkers(kit, ringwall, linker):
    if not shutil.which(f"ld.{linker}"):
        pytest.skip("not installed")
    (kit / "main.cc").write_text('#include <cstdio>\nint main() { puts("BUILT"); }\n')
    flags = ["--exec", "allow", "--allow-program", "system", "--allow-program", "built-here"]
    script = f"g++ -fuse-ld={linker} main.cc -o m && ./m && g++ -shared -fPIC -fuse-ld={linker} main.cc -o m.so && LD_PRELOAD=./m.so env uname && echo LOADED"
    result = ringwall.sh(script, *flags, timeout=120)
    assert "BUILT" in result.out and "LOADED" in result.out, result


def test_debuggers_and_the_stop_exclude_each_other(kit, ringwall):
    result = ringwall("run", *deny_later(kit), "--", "strace", "true")
    assert result.status == 125 and "exec stop" in result.err, result
    assert "TARGET-RAN" in ringwall.sh("./attack traced x").out
    assert "STOPPED ptrace" in ringwall.sh("./attack traced x", *allow_tree(kit)).out


def test_a_tree_must_be_writable_and_there(kit, ringwall):
    for tree, words in (("/usr/lib", "no folder that can be written"), (f"{kit}/none", "cannot be found")):
        result = ringwall("run", "--exec", "allow", "--exec-tree", tree, "--", "true")
        assert result.status == 125 and words in result.err, result


def test_a_part_of_the_workspace_as_tree(kit, ringwall):
    (kit / "out").mkdir()
    shutil.copy(kit / "good", kit / "out/good")
    flags = ["--exec", "allow", "--exec-tree", str(kit / "out"), "--allow-program", "system"]
    flags += ["--allow-program", digest(kit / "good")]
    result = ringwall.sh("out/good; echo IN $?; ./good; echo OUT $?; echo x > out/x; mv out/x x2; cat x2", *flags)
    assert "IN 0" in result.out and "OUT 126" in result.out, result


def test_life_under_the_stop(kit, ringwall):
    """Statuses, signals, many processes at once, threads that exec, orphans."""
    flags = allow_tree(kit)
    assert ringwall.sh("exit 7", *flags).status == 7
    assert ringwall.sh("kill -TERM $$", *flags).status == 128 + signal.SIGTERM
    script = "for i in $(seq 200); do sleep 0.2 & done; wait; echo ALL; (sh -c 'sleep 0.1; exit 3' &); sleep 0.3; ps -e -o stat= | grep -c Z"
    result = ringwall.sh(script, *flags)
    assert result.out.split() == ["ALL", "0"], result
    assert ringwall.sh("./attack thread ./good; echo $?", *flags).out.split() == ["0"]
    script = "trap 'echo GOT' USR1; kill -USR1 $$; sh -c 'kill -STOP $$; echo WOKE' & sleep 0.2; kill -CONT $!; wait $!; echo $?"
    assert ringwall.sh(script, *flags).out.split() == ["GOT", "WOKE", "0"]
