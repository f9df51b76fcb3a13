"""ringwall doctor: rows that are true, and the words that `run` refuses with.

Each required part is made impossible in turn, for the process of the test alone: by a system-call
filter put on before, by a limit of a user namespace of its own, by a masked /proc, a chroot, and by
being inside Ringwall already.
"""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from sanitized import skipped_if_sanitized

BINARY = os.environ["RINGWALL_BIN"]
IS_ROOT = os.getuid() == 0
ordinary_only = pytest.mark.skipif(IS_ROOT, reason="root's own limits are those of the host")
root_only = pytest.mark.skipif(not IS_ROOT, reason="needs to mount")

# Puts a filter on itself that answers ERRNO to one system call, then becomes the command.
FILTERED = """
import ctypes, os, sys
number, err = int(sys.argv[1]), int(sys.argv[2])
class Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte),
                ("k", ctypes.c_uint)]
class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.POINTER(Instruction))]
code = (Instruction * 4)((0x20, 0, 0, 0), (0x15, 0, 1, number),
                         (0x06, 0, 0, 0x00050000 | err), (0x06, 0, 0, 0x7fff0000))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(4, code)), 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[3], sys.argv[3:])
"""

# Enters a user namespace of its own, sets one of its limits to 0, then becomes the command.
LIMITED = """
import ctypes, os, sys
uid, gid = os.getuid(), os.getgid()
assert ctypes.CDLL(None).unshare(0x10000000) == 0
def put(path, text):
    with open(path, "w") as file:
        file.write(text)
put("/proc/self/setgroups", "deny")
put("/proc/self/uid_map", f"{uid} {uid} 1")
put("/proc/self/gid_map", f"{gid} {gid} 1")
put(f"/proc/sys/user/{sys.argv[1]}", "0")
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    folder = tmp_path / "workspace"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def python(program, *arguments):
    return (sys.executable, "-c", program, *(str(argument) for argument in arguments))


def doctor(*before, **options):
    """Exit status, and rows by name."""
    done = call(*before, BINARY, "doctor", "--json", **options)
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["can_run"] == (done.returncode == 0)
    return done.returncode, {row["name"]: row for row in told["rows"]}


def assert_run_refuses_with_the_words_of(row, *before, **options):
    done = call(*before, BINARY, "run", "--", "touch", "ran", **options)
    assert done.returncode == 125, done.stderr
    assert row["seen"] in done.stderr
    assert row["mend"] in done.stderr
    assert not os.path.exists("ran")


def missing(rows):
    return [row for row in rows.values() if row["required"] and row["state"] == "missing"]


# A host that can


def test_all_required_walls_are_there(workspace):
    status, rows = doctor()
    assert (status, missing(rows)) == (0, [])
    for name in ("user namespace", "fresh proc", "system calls", "all together", "cgroup v2"):
        assert name in rows


def test_what_doctor_says_is_what_run_does(workspace):
    done = call(BINARY, "doctor")
    assert done.returncode == 0
    assert done.stdout.endswith("\nRingwall can run here.\n")
    assert call(BINARY, "run", "--", "true").returncode == 0


def test_each_gap_has_a_remedy(workspace):
    for row in doctor()[1].values():
        assert row["seen"]
        if row["state"] == "missing":
            assert row["mend"], row


def test_nothing_is_left(workspace):
    def processes():
        return call("ps", "-o", "pid=", "--ppid", str(os.getpid())).stdout.count("\n")

    before = processes(), sorted(os.listdir("/proc/self/fd")), os.listdir(workspace)
    doctor()
    assert (processes(), sorted(os.listdir("/proc/self/fd")), os.listdir(workspace)) == before


# Parts made impossible


@pytest.mark.parametrize(
    "call_number, err, wall",
    [
        (435, 1, "user namespace"),  # clone3
        (435, 38, "user namespace"),
        (250, 1, "keyring"),  # keyctl
        (442, 38, "new root"),  # mount_setattr
        (432, 1, "fresh proc"),  # fsmount
        (155, 1, "new root"),  # pivot_root
        (170, 1, "uts namespace"),  # sethostname
        (126, 1, "capabilities"),  # capset
        (317, 22, "system calls"),  # seccomp
    ],
)
def test_a_refused_call_turns_the_row_and_run_says_the_same(workspace, call_number, err, wall):
    before = python(FILTERED, call_number, err)
    status, rows = doctor(*before)
    assert status == 1
    assert rows[wall]["state"] == "missing"
    assert_run_refuses_with_the_words_of(rows[wall], *before)


@skipped_if_sanitized("a sanitizer asks for a limit itself, and ends without it")
def test_a_wall_that_fails_only_in_a_run_is_found_by_the_whole_sandbox(workspace):
    before = python(FILTERED, 160, 1)  # setrlimit, of the step "set limits"
    if call(*before, "/bin/sh", "-c", "ulimit -c 0").returncode == 0:
        before = python(FILTERED, 302, 1)  # prlimit64, which libc uses instead
    status, rows = doctor(*before)
    assert status == 1
    assert [row["name"] for row in missing(rows)] == ["all together"]
    assert_run_refuses_with_the_words_of(rows["all together"], *before)


def test_without_landlock_a_run_goes_on(workspace):
    before = python(FILTERED, 444, 38)  # landlock_create_ruleset
    status, rows = doctor(*before)
    assert (status, rows["landlock"]["state"], rows["landlock"]["required"]) == (0, "missing", False)
    assert call(*before, BINARY, "run", "--", "true").returncode == 0


@ordinary_only
@pytest.mark.parametrize(
    "kind, wall",
    [("net", "network"), ("mnt", "mount"), ("pid", "pid"), ("ipc", "ipc"), ("uts", "uts")]
    + [("cgroup", "cgroup"), ("user", "user")],
)
def test_a_limit_of_zero_is_named(workspace, kind, wall):
    before = python(LIMITED, f"max_{kind}_namespaces")
    status, rows = doctor(*before)
    row = rows[f"{wall} namespace"]
    assert (status, row["state"]) == (1, "missing")
    assert f"user.max_{kind}_namespaces=0" in row["seen"]
    assert row["mend"] == f"sudo sysctl -w user.max_{kind}_namespaces=15000"
    assert_run_refuses_with_the_words_of(row, *before)


def test_the_last_line_counts(workspace):
    done = call(*python(FILTERED, 250, 1), BINARY, "doctor")
    assert done.returncode == 1
    assert done.stdout.endswith("\nRingwall cannot run here: 1 required wall is missing.\n")


def test_a_home_that_cannot_be_used(workspace):
    environment = dict(os.environ, HOME="/nonexistent")
    status, rows = doctor(env=environment)
    assert (status, rows["home folder"]["state"]) == (1, "missing")
    assert_run_refuses_with_the_words_of(rows["home folder"], env=environment)


# Places


def test_inside_ringwall(workspace):
    folder = os.path.dirname(BINARY)
    inside = (BINARY, "run", "--ro", folder, "--")
    status, rows = doctor(*inside)
    assert status == 1
    assert "Ringwall itself" in rows["around it"]["seen"]
    assert "inside Ringwall already" in rows["user namespace"]["seen"]
    assert_run_refuses_with_the_words_of(rows["user namespace"], *inside)


SOMEBODY = ("setpriv", "--reuid=4242", "--regid=4242", "--clear-groups", "--")


@pytest.fixture
def somebody(workspace, tmp_path, monkeypatch):
    """A home and a workspace of an ordinary user, reachable through open folders."""
    place = call("mktemp", "-d", "/tmp/ringwall-doctor.XXXXXX").stdout.strip()
    os.mkdir(f"{place}/workspace")
    os.mkdir(f"{place}/run", 0o700)
    for folder in (place, f"{place}/workspace", f"{place}/run"):
        os.chown(folder, 4242, 4242)
    monkeypatch.chdir(f"{place}/workspace")
    monkeypatch.setenv("HOME", place)
    monkeypatch.setenv("XDG_RUNTIME_DIR", f"{place}/run")
    yield SOMEBODY
    call("rm", "-rf", "--one-file-system", "--", place)


@root_only
def test_a_masked_proc_names_the_runtimes_flag(somebody):
    mask = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc/bus && exec "$@"', "sh")
    status, rows = doctor(*mask, *somebody)
    assert [row["name"] for row in missing(rows)] == ["fresh proc"]
    assert "systempaths=unconfined" in rows["fresh proc"]["mend"]
    assert "unmask=ALL" in rows["fresh proc"]["mend"]
    assert_run_refuses_with_the_words_of(rows["fresh proc"], *mask, *somebody)


CHROOT = """
set -e
cd "$1"; home=$2; binaries=$3; work=$PWD; shift 3
mkdir -p usr etc proc ".$home" ".$binaries"
for name in bin sbin lib lib64; do ln -s usr/$name $name; done
mount --rbind /usr usr
mount --bind /etc etc
mount -t proc proc proc
mount --bind "$home" ".$home"
mount --bind "$binaries" ".$binaries"
exec chroot . sh -c 'cd "$HOME/workspace" && exec "$@"' sh "$@"
"""


@root_only
def test_a_chroot_is_named(somebody, tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    folder.chmod(0o755)

    def enter():
        call("find", str(folder), "-maxdepth", "1", "-type", "l", "-delete")
        return ("unshare", "--mount", "sh", "-c", CHROOT, "sh", str(folder), os.environ["HOME"],
                os.path.dirname(BINARY), *somebody)  # fmt: skip

    status, rows = doctor(*enter())
    assert (status, rows["around it"]["seen"].count("a chroot")) == (1, 1)
    assert "chroot" in rows["user namespace"]["seen"]
    assert_run_refuses_with_the_words_of(rows["user namespace"], *enter())


@root_only
def test_hidepid_does_no_harm(somebody):
    hide = ("unshare", "--mount", "--pid", "--fork", "sh", "-c",
            'mount -t proc -o hidepid=2 proc /proc && exec "$@"', "sh")  # fmt: skip
    status, rows = doctor(*hide, *somebody)
    assert (status, missing(rows)) == (0, [])
    assert "hidepid" in rows["/proc"]["seen"]


# How it looks


def at_terminal(columns, **variables):
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", **variables}
        os.execve(BINARY, [BINARY, "doctor"], environment)
    output = b""
    try:
        while chunk := os.read(master, 65536):
            output += chunk
    except OSError:
        pass  # the end of a terminal
    os.waitpid(pid, 0)
    os.close(master)
    return output.decode()


def test_colours_only_at_a_terminal(workspace):
    assert "\x1b[" in at_terminal(100)
    assert "\x1b[" not in at_terminal(100, NO_COLOR="1")
    assert "\x1b[" not in call(BINARY, "doctor").stdout


@pytest.mark.parametrize("columns", [80, 100])
def test_lines_fit_the_terminal(workspace, columns):
    for line in re.sub(r"\x1b\[[0-9;]*m", "", at_terminal(columns)).split("\r\n"):
        assert len(line) <= columns
