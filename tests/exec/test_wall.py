"""Allow mode is a wall: roads round it that lead over trees in trees, second names, mounts and memory."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from conftest import IS_ROOT
from test_stop import BUILT_HERE, allow_tree, allow_tree_of, digest, kit, programs  # noqa: F401


def ran(result):
    return "TARGET-RAN" in result.out


def test_a_workspace_in_a_read_only_tree_is_not_the_systems(kit, place, ringwall):
    inner = kit / "app"
    inner.mkdir()
    (inner / "target").write_bytes((kit / "target").read_bytes() + b"other bytes")
    (inner / "target").chmod(0o755)
    flags = ["-w", inner, "--exec", "allow", "--exec-tree", inner]
    assert not ran(ringwall("run", *flags, "--", inner / "target"))
    result = ringwall("run", *flags, "--ro", kit, "--", "sh", "-c", f"{inner}/target; {kit}/target")
    assert result.out.count("TARGET-RAN") == 1, result  # the one of the tree that only can be read
    assert ran(ringwall("run", "-w", inner, "--", inner / "target"))


@pytest.fixture
def folder_in_usr():
    path = Path(tempfile.mkdtemp(prefix="ringwall-test-", dir="/usr/local/share"))
    yield path
    shutil.rmtree(path)


@pytest.mark.skipif(not IS_ROOT, reason="only root can prepare this")
def test_a_loader_is_judged_by_where_it_lies(kit, folder_in_usr, ringwall):
    """A workspace among the system's folders: the name of an interpreter says nothing."""
    (kit / "loader.c").write_text(
        "void _start(void) { long r; "
        '__asm__ volatile("syscall" : "=a"(r) : "a"(1), "D"(1), "S"("TARGET-RAN\\n"), "d"(11) : "rcx", "r11", "memory");'
        '__asm__ volatile("syscall" : "=a"(r) : "a"(60), "D"(0) : "rcx", "r11", "memory"); }\n'
    )
    (kit / "main.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-static-pie", "-nostdlib", "-fPIC", "-o", kit / "loader", kit / "loader.c"], check=True)
    for name in ("loader", "main.c"):
        shutil.copy(kit / name, folder_in_usr / name)
    script = f"cd {folder_in_usr} && gcc -o m main.c -Wl,-dynamic-linker,$PWD/loader && ./m; echo END"
    assert ran(ringwall.sh(script, "-w", folder_in_usr))
    result = ringwall.sh(script, "-w", folder_in_usr, *BUILT_HERE, timeout=120)
    assert not ran(result) and "END" in result.out, result


def test_what_is_protected_in_a_workspace_is_not_the_systems(kit, ringwall):
    (kit / ".vscode").mkdir()
    shutil.copy(kit / "target", kit / ".vscode/target")
    shutil.copy(kit / "good", kit / ".vscode/good")
    result = ringwall.sh(".vscode/target; .vscode/good && echo GOOD", *allow_tree(kit))
    assert not ran(result) and "GOOD" in result.out, result
    assert ran(ringwall.sh(".vscode/target"))


def test_a_second_name_in_the_workspace(kit, place, ringwall):
    store = place.root / "store"
    store.mkdir()
    shutil.copy("/usr/bin/true", store / "tool")
    shutil.copy("/usr/bin/true", store / "data")
    (store / "data").chmod(0o644)
    for name in ("tool", "data"):
        os.link(store / name, kit / name)
    script = f"{store}/tool && echo BEFORE; cat target > tool; cat target > data; {store}/tool; /lib64/ld-linux-x86-64.so.2 {store}/data"
    result = ringwall.sh(script, "--ro", store, "--exec", "allow")
    assert not ran(result) and "BEFORE" in result.out, result
    for name in ("tool", "data"):
        shutil.copyfile("/usr/bin/true", kit / name)
    assert ran(ringwall.sh(script, "--ro", store))


def test_names_that_are_all_read_only_need_no_stop(kit, place, ringwall):
    store = place.home / "store"
    store.mkdir()
    shutil.copy("/usr/bin/true", store / "tool")
    os.link(store / "tool", store / "other")
    traces = "import ctypes; print('TRACE', ctypes.CDLL(None).ptrace(0, 0, 0, 0))"
    words = ["--ro", store, "--exec", "allow", "--", "sh", "-c", f'{store}/other && python3 -c "{traces}"']
    assert "TRACE 0" in ringwall("run", *words).out
    os.link(store / "tool", kit / "tool")
    assert "TRACE -1" in ringwall("run", *words).out, "the exec stop is every process's tracer"


def test_a_file_does_not_come_in_by_exec(kit, place, ringwall):
    name = place.mark
    process = ringwall.start("run", "--name", "plain", "--exec", "allow", "--", "sh", "-c", "echo READY; sleep 30")
    assert process.stdout.readline() == b"READY\n", process.stderr.read()
    words = [str(place.links / name), "exec", "plain", "--", "cat"]
    more = {"cwd": kit, "env": place.environment(), "capture_output": True, "check": False, "timeout": 20}
    with (kit / "target").open("rb") as file:
        by_file = subprocess.run(words, stdin=file, **more)
    by_pipe = subprocess.run(words, input=b"piped", **more)
    ringwall("kill", "plain").ok()
    process.communicate(timeout=120)
    assert by_file.returncode != 0 and b"by a pipe" in by_file.stderr and not by_file.stdout, by_file
    assert by_pipe.stdout == b"piped", by_pipe


@pytest.mark.parametrize("shape", [["-pie", "-Wl,-soname,x"], ["-shared", "-fPIC", "-nostdlib", "-e", "_start"], ["-pie"]])
def test_a_program_that_looks_like_a_library(kit, place, ringwall, shape):
    tools = place.home / "tools"
    tools.mkdir()
    body = '__asm__ volatile("syscall" : "=a"(r) : "a"(1), "D"(1), "S"("TARGET-RAN\\n"), "d"(11) : "rcx", "r11", "memory");'
    end = '__asm__ volatile("syscall" : "=a"(r) : "a"(60), "D"(0) : "rcx", "r11", "memory");'
    start = "_start" if "-nostdlib" in shape else "main"
    (kit / "p.c").write_text(f"void {start}(void) {{ long r; {body} {end} }}\n")
    subprocess.run(["gcc", "-w", *shape, "-o", tools / "tool", kit / "p.c"], check=True)
    if shape == ["-pie"]:
        data = bytearray((tools / "tool").read_bytes())
        data[4] = 1  # 32 bits, it says; the kernel does not read it
        (tools / "tool").write_bytes(bytes(data))
    flags = ["--ro", tools, "--exec", "allow", "--allow-program", "sh"]
    result = ringwall.sh(f"{tools}/tool; echo END", *flags, timeout=300)
    assert not ran(result) and "END" in result.out, result
    assert ran(ringwall.sh(f"{tools}/tool", "--ro", tools))


# Goes over into 64 bits, maps a file to read it, and calls what is in it.
READS_AS_CODE = """
.code32
.globl _start
_start: push $0x33
  push $wide
  lret
.code64
wide: mov $name, %edi
  xor %esi, %esi
  mov $2, %eax
  syscall
  mov %eax, %r8d
  xor %edi, %edi
  mov $4096, %esi
  mov $1, %edx
  mov $0x42, %r10d
  xor %r9d, %r9d
  mov $9, %eax
  syscall
  call *%rax
name: .asciz "code"
"""
SAYS_SO = bytes.fromhex("b801000000bf01000000488d3510000000ba0b0000000f05b83c00000031ff0f05") + b"TARGET-RAN\n"


def test_a_program_of_32_bits_does_not_run_where_mappings_are_judged(kit, ringwall, bare):
    (kit / "code").write_bytes(SAYS_SO.ljust(4096, b"\0"))
    (kit / "r.s").write_text(READS_AS_CODE)
    make = "as --32 -o r.o r.s && ld -m elf_i386 -o r r.o"
    if not ran(bare("sh", "-c", make + " && ./r")):
        pytest.skip("this host runs no programs of 32 bits")
    result = ringwall.sh(make + " && ./r; echo END", *BUILT_HERE, timeout=120)
    assert not ran(result) and "END" in result.out and "another architecture" in result.err, result


def test_on_an_overlay_nothing_runs_that_can_be_written(kit, place, ringwall):
    (place.home / ".cargo/registry").mkdir(parents=True)
    flags = ["--cache", "cargo", "--exec", "allow", "--exec-tree", place.home]
    script = "for f in ~/.cargo/registry/t ~/t; do cp /usr/bin/true $f; $f && echo RAN $f; done; :"
    result = ringwall.sh(script, *flags)
    assert "RAN" in result.out and "registry" not in result.out and "overlay" in result.err, result
    assert "registry" in ringwall.sh(script, "--cache", "cargo").out


def test_who_shares_memory_is_held_also_when_the_one_between_is_gone(kit, place, ringwall):
    big = place.home / "big/file"
    big.parent.mkdir()
    with big.open("wb") as file:
        file.truncate(400 << 20)  # takes a while to hash
    flags = [*allow_tree(kit), "--ro", big.parent]
    result = ringwall("run", *flags, "--", "setsid", "-w", "./attack", "orphan", big, timeout=120)
    found = re.search(r"ticks (\d+) in (\d+) ms", result.out)
    assert found and int(found[2]) >= 100, result
    assert int(found[1]) < int(found[2]) / 10, result


def test_a_process_whose_first_thread_has_ended_maps_at_once(kit, ringwall):
    start = time.monotonic()
    result = ringwall("run", *allow_tree(kit), "--", "./attack", "first-ended", "/usr/bin/true")
    assert ran(result) and time.monotonic() - start < 1.9, result


def test_a_file_that_is_too_large_to_be_judged_does_not_run(kit, ringwall):
    os.truncate(kit / "target", 5 << 40)
    start = time.monotonic()
    result = ringwall.sh("./target; echo END", *allow_tree_of(kit), timeout=120)
    assert not ran(result) and "END" in result.out and "larger than 4 GiB" in result.err, result
    assert time.monotonic() - start < 10
    with contextlib.suppress(OSError):
        os.truncate(kit / "target", 0)
