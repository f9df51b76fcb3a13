"""Ringwall on an older kernel, and where the host's switches forbid it: run in a guest.

RINGWALL_BIN names the binary, RINGWALL_GUEST the folder that make_guest.sh fills (build/guest
unless given). All tests of a session share one boot: each names the script that it wants run in
the guest, and judges that script's result.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guest import Guest

HERE = Path(__file__).resolve().parent
SCRIPT_LIMIT_SECONDS = 60
CANNOT_BE_HAD = 3  # make_guest.sh's word for a host without that kernel or the tools

# Runs the command line in the guest as the ordinary user and tells its exit status on a line.
TELL = """
tell() { as_user "$@"; echo "status of $1 $2: $?"; }
ran() { [ -e /home/user/workspace/marker ] && echo 'the command ran' || echo 'not run'; }
"""


def in_guest(script):
    """Marks a test with the script whose result it judges."""

    def mark(test):
        test.guest_script = TELL + script
        return test

    return mark


@pytest.fixture(scope="session")
def guest(tmp_path_factory):
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no qemu-system-x86_64 on this host (package qemu-system-x86)")
    binary = os.environ.get("RINGWALL_BIN") or pytest.fail("RINGWALL_BIN is not set")
    folder = Path(os.environ.get("RINGWALL_GUEST") or HERE.parent.parent / "build/guest")
    # Built outside that folder, which another user may have filled.
    initramfs = tmp_path_factory.mktemp("guest") / "initramfs"
    command = [HERE / "make_guest.sh", "-o", initramfs, folder, binary]
    made = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode == CANNOT_BE_HAD:
        pytest.skip(f"no kernel for the guest: {made.stderr.strip()}")
    assert made.returncode == 0, made.stderr
    return Guest(folder / "vmlinuz", initramfs)


@pytest.fixture(scope="session")
def results(request, guest):
    """Results by script, of one boot that ran those of the selected tests."""
    functions = [getattr(item, "function", None) for item in request.session.items]
    scripts = [test.guest_script for test in functions if hasattr(test, "guest_script")]
    scripts = list(dict.fromkeys(scripts))  # once each, in the order of the tests
    return dict(zip(scripts, guest.run_all(scripts, SCRIPT_LIMIT_SECONDS)))


@pytest.fixture
def result(request, results, guest):
    script = request.function.guest_script
    if script not in results:
        pytest.fail(f"the guest died before this script ended:\n{guest.last_words()}")
    print(results[script].output)
    return results[script]


# The harness itself


@in_guest("uname -r; as_user id -u; as_user pwd; exit 3")
def test_guest_has_the_older_kernel_and_an_ordinary_user(result):
    release, uid, folder = result.output.split()
    assert release.startswith("6.1.")
    assert (uid, folder) == ("1000", "/home/user/workspace")
    assert result.status == 3


# An older kernel


@in_guest("as_user ringwall run -- /bin/true")
def test_run_works_on_an_older_kernel(result):
    assert result.status == 0


@in_guest("as_user ringwall run -- sh -c 'exit 7'")
def test_exit_status_is_kept_on_an_older_kernel(result):
    assert result.status == 7


@in_guest("as_user ringwall verify")
def test_promises_hold_on_an_older_kernel(result):
    assert result.status == 0


@in_guest("as_user ringwall doctor")
def test_doctor_knows_an_older_kernel(result):
    for subject in ("landlock", "user namespace"):
        assert subject in result.output.lower()


@in_guest("grep -w cgroup2 /proc/mounts; as_user ringwall doctor")
def test_doctor_tells_about_cgroup_v2(result):
    mounted, told = result.output.split("\n", 1)
    assert "/sys/fs/cgroup" in mounted
    assert "cgroup" in told.lower()


# User namespaces switched off

REFUSED_BY_SWITCH = """
echo 0 >/proc/sys/{switch}
tell unshare -U /bin/true
tell ringwall run -- touch marker
ran
"""

ALLOWED_BY_SWITCH = """
echo 0 >/proc/sys/{switch}
echo {allowed} >/proc/sys/{switch}
tell unshare -U /bin/true
tell ringwall run -- touch marker
ran
"""

LIMIT = {"switch": "user/max_user_namespaces", "allowed": 1000}
DEBIAN_SWITCH = {"switch": "kernel/unprivileged_userns_clone", "allowed": 1}


def assert_refused(result, sysctl):
    # The bare call fails too: it is the switch that was tested, not something else.
    assert "status of unshare -U: 1" in result.output
    assert "status of ringwall run: 125" in result.output
    assert sysctl in result.output
    assert "not run" in result.output


def assert_allowed(result):
    assert "status of unshare -U: 0" in result.output
    assert "status of ringwall run: 0" in result.output
    assert "the command ran" in result.output


@in_guest(REFUSED_BY_SWITCH.format(**LIMIT))
def test_run_refuses_without_user_namespaces(result):
    assert_refused(result, "user.max_user_namespaces")


@in_guest(ALLOWED_BY_SWITCH.format(**LIMIT))
def test_run_works_when_user_namespaces_are_back(result):
    assert_allowed(result)


@in_guest(REFUSED_BY_SWITCH.format(**DEBIAN_SWITCH))
def test_run_refuses_when_debians_switch_is_off(result):
    assert_refused(result, "kernel.unprivileged_userns_clone")


@in_guest(ALLOWED_BY_SWITCH.format(**DEBIAN_SWITCH))
def test_run_works_when_debians_switch_is_back(result):
    assert_allowed(result)


@in_guest("echo 0 >/proc/sys/user/max_user_namespaces; as_user ringwall doctor")
def test_doctor_names_the_switch_that_is_off(result):
    assert "user.max_user_namespaces" in result.output


# A /proc that hides other people's processes

HIDEPID = """
mount -o remount,nosuid,nodev,noexec,hidepid=2 /proc
as_user cat /proc/1/comm
tell ringwall run -- touch marker
ran
"""


@in_guest(HIDEPID)
def test_run_works_where_proc_hides_processes(result):
    assert "/proc/1/comm: No such file" in result.output
    assert "status of ringwall run: 0" in result.output
    assert "the command ran" in result.output
