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
SCRIPT_LIMIT_SECONDS = 250  # of a script that takes seconds on an idle machine; verify ends by itself before
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


# The network wall, and a kernel that cannot have it

# Gone with whoever loads modules, until the end of the script.
WITHOUT_NFTABLES = """
loader=$(cat /proc/sys/kernel/modprobe)
echo /nonexistent >/proc/sys/kernel/modprobe
busybox rmmod nft_reject_inet nft_reject_ipv4 nft_reject_ipv6 nft_reject nft_ct nft_redir nft_chain_nat 2>/dev/null
{commands}
echo "$loader" >/proc/sys/kernel/modprobe
"""


@in_guest("as_user ringwall run --allow granted.ringwall.invalid -- true")
def test_the_network_wall_stands_on_an_older_kernel(result):
    assert result.status == 0, result.output


@in_guest(
    WITHOUT_NFTABLES.format(
        commands="""
tell ringwall run --allow granted.ringwall.invalid -- touch marker
ran
as_user ringwall doctor | cat
tell ringwall run -- true
"""
    )
)
def test_without_nftables_a_grant_is_refused_and_doctor_says_the_same(result):
    refused, told = result.output.split("not run")
    assert "status of ringwall run: 125" in refused and "network-redirect" in refused
    for words in (refused, " ".join(told.split())):
        assert "nf_tables is missing" in words
        assert "sudo modprobe -a nf_tables" in words
    assert "status of ringwall run: 0" in told, "without a grant nothing of it is needed"


# A kernel that does not list unix sockets

# The module is loaded by whoever asks first. The socket that a program outside makes is another run's.
WITHOUT_LIST = """
loader=$(cat /proc/sys/kernel/modprobe)
echo /nonexistent >/proc/sys/kernel/modprobe
busybox rmmod unix_diag 2>/dev/null
as_user ringwall doctor | cat
tell ringwall verify
tell ringwall run --strict -- touch marker
ran
as_user ringwall run -- sh -c 'touch ready
  until find . -type s | grep -q .; do sleep 0.1; done
  sleep 1; echo went on' 2>&1 &
for try in $(seq 100); do sleep 0.1; [ -e /home/user/workspace/ready ] && break; done
as_user mkdir -p /home/user/other /home/user/workspace/runtime
as_user chmod 700 /home/user/workspace/runtime
as_user env XDG_RUNTIME_DIR=/home/user/workspace/runtime ringwall run -w /home/user/other -- sleep 5
wait
echo "$loader" >/proc/sys/kernel/modprobe
"""


@in_guest(WITHOUT_LIST)
def test_without_a_list_of_unix_sockets_everybody_says_so(result):
    words = " ".join(result.output.split())
    told, rest = words.split("ringwall verify: ", 1)
    assert "later sockets the kernel does not list unix sockets" in told and "sudo modprobe unix_diag" in told
    shown, rest = rest.split("status of ringwall verify: 0")
    assert "unix_diag) on this host: sockets that are made while a run goes on are not masked" in shown
    assert "sudo modprobe unix_diag" in shown
    refused, rest = rest.split("not run")
    assert "status of ringwall run: 125" in refused and "later-sockets" in refused and "strict" in refused
    assert "those that the host makes now are not masked" in rest and "went on" in rest


@in_guest("as_user ringwall doctor | cat; tell ringwall run --strict -- touch marker; ran")
def test_with_a_list_of_unix_sockets_a_strict_run_starts(result):
    words = " ".join(result.output.split())
    assert "later sockets the kernel lists unix sockets" in words
    assert "status of ringwall run: 0" in words and "the command ran" in words


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


# Limits: a cgroup that root has given to the user, and none

BOMB = "dd if=/dev/zero of=/dev/null bs=96M count=200"

GIVEN = """
cd /sys/fs/cgroup
echo '+memory +pids +cpu' >cgroup.subtree_control
mkdir -p mine/shell
echo '+memory +pids +cpu' >mine/cgroup.subtree_control
chown -R 1000 mine
echo $$ >mine/shell/cgroup.procs
"""


@in_guest(GIVEN + "as_user ringwall doctor")
def test_doctor_finds_the_cgroup_that_was_given(result):
    words = " ".join(result.output.split())
    assert "ok cgroup v2 below /sys/fs/cgroup/mine" in words


@in_guest(GIVEN + f"as_user ringwall run --json --memory 32M -- {BOMB}; ls -d mine/*/")
def test_a_memory_bomb_is_killed_in_its_cgroup(result):
    assert '"limit":"memory","then":"killed"' in result.output
    assert '"exit_status":137' in result.output
    # Nothing is left of it.
    assert result.output.splitlines()[-1] == "mine/shell/"


LIMITS_SEEN = """
as_user ringwall run --memory 64M --cpu 0.5 --processes 100 -- sh -c 'cat /proc/self/cgroup; sleep 3' &
for try in $(seq 50); do sleep 0.1; grep -qs . mine/ringwall-*/cgroup.procs && break; done
for name in memory.max memory.swap.max cpu.max; do
    echo "$name: $(cat mine/ringwall-*/$name)"
done
wait
"""


@in_guest(GIVEN + LIMITS_SEEN)
def test_limits_are_the_cgroups(result):
    for line in ("memory.max: 67108864", "memory.swap.max: 0", "cpu.max: 50000 100000"):
        assert line in result.output
    # The path on the host is not shown.
    assert "mine" not in result.output


# The guest's home lies on a disk, everything else in memory.
TRAFFIC_SEEN = """
echo +io >cgroup.subtree_control
echo +io >mine/cgroup.subtree_control
as_user ringwall doctor | grep -A3 'cgroup v2'
as_user ringwall run --io 2M -- sleep 3 &
for try in $(seq 50); do sleep 0.1; grep -qs . mine/ringwall-*/cgroup.procs && break; done
echo "io.max: $(cat mine/ringwall-*/io.max) of $(stat -c %d /home/user)"
wait
mkdir -p /srv/memory && chown 1000 /srv/memory
tell ringwall run -w /srv/memory --io 2M -- touch /srv/memory/marker
ls /srv/memory
"""


@in_guest(GIVEN + TRAFFIC_SEEN)
def test_the_disks_traffic_is_the_cgroups(result):
    assert "--memory, --cpu and --io" in " ".join(result.output.split())
    assert "io.max: 7:0 rbps=2097152 wbps=2097152" in result.output
    assert f"of {7 << 8}" in result.output
    assert "/srv/memory lies on none" in " ".join(result.output.split())
    assert result.output.endswith("status of ringwall run: 125\n")


WITHOUT_DISKS = """
echo -io >mine/cgroup.subtree_control
tell ringwall run --io 2M -- touch marker
ran
as_user ringwall doctor
"""


@in_guest(GIVEN + WITHOUT_DISKS)
def test_disk_traffic_without_its_controller_is_refused(result):
    assert "status of ringwall run: 125" in result.output
    assert "needs a cgroup" in result.output and "not run" in result.output
    words = " ".join(result.output.split())
    assert "--io cannot be had: the controller io was not handed on" in words


# The name of a cgroup ends with the number of its maker.
KILLED = """
as_user ringwall run --name killed --memory 64M -- sleep 50 &
for try in $(seq 50); do sleep 0.1; grep -qs . mine/ringwall-*/cgroup.procs && break; done
left=$(echo mine/ringwall-*)
kill -9 "${left##*.}"
wait
ls -d mine/*/
as_user ringwall run --memory 64M -- true
echo "now: $(echo mine/*/)"
"""


@in_guest(GIVEN + KILLED)
def test_a_cgroup_left_by_a_killed_supervisor_is_removed_by_the_next_run(result):
    assert "mine/ringwall-killed." in result.output
    assert result.output.splitlines()[-1] == "now: mine/shell/"


@in_guest(GIVEN + "as_user ringwall verify")
def test_promises_hold_with_a_cgroup(result):
    assert result.status == 0
    assert "memory: cgroup" in result.output


ALONE = f"""
cd /sys/fs/cgroup
echo '+memory +pids +cpu' >cgroup.subtree_control
mkdir -p alone && chown -R 1000 alone
sh -c 'echo $$ >alone/cgroup.procs; exec as_user ringwall run --json --memory 32M -- {BOMB}'
echo "left: $(find alone -type d) $(cat alone/cgroup.subtree_control)"
"""


@in_guest(ALONE)
def test_alone_in_its_cgroup_ringwall_steps_aside_and_back(result):
    assert '"limit":"memory","then":"killed"' in result.output
    assert result.output.splitlines()[-1] == "left: alone "


# As a login with systemd leaves it: the user's manager has a cgroup, and terminals lie below it.
MANAGER = r"""
[ -x /usr/bin/systemd ] || { echo 'no systemd'; exit; }
cd /sys/fs/cgroup
echo '+memory +pids +cpu' >cgroup.subtree_control
mkdir -p user.slice && echo '+memory +pids +cpu' >user.slice/cgroup.subtree_control
manager=user.slice/user@1000.service
mkdir -p $manager /run/systemd/system /run/user/1000
chown -R 1000 $manager /run/user/1000
chmod 700 /run/user/1000
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
sh -c "echo \$\$ >$manager/cgroup.procs
    exec as_user env XDG_RUNTIME_DIR=/run/user/1000 systemd --user" >/run/manager.log 2>&1 &
for try in $(seq 100); do sleep 0.1; [ -S /run/user/1000/systemd/private ] && break; done
for try in $(seq 100); do sleep 0.1; [ -d $manager/init.scope ] && break; done
mkdir -p $manager/app.slice/terminal.scope
chown -R 1000 $manager/app.slice
echo $$ >$manager/app.slice/terminal.scope/cgroup.procs
"""

SCOPE = f"""
as_user ringwall doctor
as_user ringwall run --json --memory 32M --cpu 0.9 -- {BOMB}
sleep 1
echo "left: $(find . -name 'ringwall*')"
rm -rf /run/systemd/system /run/user/1000
"""


@in_guest(MANAGER + SCOPE)
def test_the_service_manager_gives_a_cgroup(result):
    if "no systemd" in result.output:
        pytest.skip("this host has no systemd to put into the guest")
    assert "by the service manager at /run/user/1000" in " ".join(result.output.split())
    assert '"limit":"memory","then":"killed"' in result.output
    assert result.output.splitlines()[-1] == "left: "


@in_guest(f"as_user timeout 10 ringwall run --json --memory 32M -- {BOMB}")
def test_a_memory_bomb_is_paused_without_a_cgroup(result):
    assert '"limit":"memory","then":"paused"' in result.output


@in_guest(
    "mount -o remount,nosuid,nodev,noexec,hidepid=2 /proc\n"
    f"as_user timeout 10 ringwall run --json --memory 32M -- {BOMB}"
)
def test_a_memory_bomb_is_paused_where_proc_hides_processes(result):
    assert '"limit":"memory","then":"paused"' in result.output


@in_guest("as_user ringwall run --cpu 0.5 -- touch marker; ran")
def test_processors_without_a_cgroup_are_refused(result):
    assert "needs a cgroup" in result.output
    assert "not run" in result.output
