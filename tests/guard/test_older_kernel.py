"""The guard in a guest with Debian 12's kernel: by LSM programs, which hosts of the tests may refuse, and by tracepoints.

One boot for all, under software emulation. The host needs no root for it.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import attack_table
import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guest"))

from guest import Guest  # noqa: E402  (found only now)

SCRIPT_SECONDS = 240
CANNOT_BE_HAD = 3  # make_guest.sh's word for a host without that kernel or the tools
KERNEL_ARGUMENTS = "lsm=landlock,lockdown,yama,integrity,bpf"
KINDS = ["lsm", "tracepoints"]
MODES = ["deny", "allow"]

BEGIN = """
ringwall guard --kind KIND 2>/run/guard.log &
guard=$!
for i in $(seq 100); do [ -S /run/ringwall/guard.sock ] && break; sleep 0.2; done
cat /run/guard.log >&2
"""
END = """
kill $guard; wait $guard
"""
ATTEMPTS = """
as_user ringwall run --guard KIND RULES -- attempts . </usr/bin/target
"""


def script_of(kind, mode):
    rules = " ".join(attack_table.rules_of(mode, "/usr/bin", "/home/user/workspace"))
    return (BEGIN + ATTEMPTS + END).replace("KIND", kind).replace("RULES", rules)


@pytest.fixture(scope="module")
def results(programs, tmp_path_factory):
    """Of all scripts, by kind and mode."""
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no qemu-system-x86_64 on this host (package qemu-system-x86)")
    binary = pathlib.Path(os.environ.get("RINGWALL_BIN") or pytest.fail("RINGWALL_BIN is not set"))
    folder = pathlib.Path(os.environ.get("RINGWALL_GUEST") or HERE.parent.parent / "build/guest")
    initramfs = tmp_path_factory.mktemp("guest") / "initramfs"
    further = [binary.parent / "ringwall-guard", *(programs / name for name in ("attempts", "target", "target.so"))]
    made = subprocess.run(
        [HERE.parent / "guest/make_guest.sh", "-o", initramfs, folder, binary],
        env={**os.environ, "GUEST_PROGRAMS": " ".join(map(str, further))},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if made.returncode == CANNOT_BE_HAD:
        pytest.skip(f"no kernel for the guest: {made.stderr.strip()}")
    assert made.returncode == 0, made.stderr
    guest = Guest(folder / "vmlinuz", initramfs, KERNEL_ARGUMENTS)
    wanted = [(kind, mode) for kind in KINDS for mode in MODES]
    found = guest.run_all([script_of(kind, mode) for kind, mode in wanted], SCRIPT_SECONDS)
    assert len(found) == len(wanted), f"the guest died:\n{guest.last_words()}"
    return dict(zip(wanted, found))


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_the_one_that_was_asked_for(results, kind):
    assert f"enforces by {kind}" in results[kind, "deny"].output


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", attack_table.ATTEMPTS)
def test_under_the_guard(results, name, kind, mode):
    output = results[kind, mode].output
    assert attack_table.parse(output).get(name) == attack_table.expected(name, mode), output
