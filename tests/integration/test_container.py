"""Started inside a real container: what a runtime's defaults refuse, and what its flags let through.

The container's root is a small folder of the test's own with the host's /usr in it, read-only, so
no image is needed. Everything that podman writes goes into a folder that is gone at the end.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from conftest import IS_ROOT, Result, binary, mounts_below

pytestmark = pytest.mark.skipif(not IS_ROOT, reason="podman needs root, or ids of its own for a user")

HOMES = {"root": "/root", "person": "/home/person"}
IDS = {"root": 0, "person": 1000}
# The first id of the host that a container with a user namespace of its own gets.
MAPPED = 200_000
RUNC_STATE = "/run/runc"


def make_root(folder):
    """What an image would hold: a home and a workspace for root and for an ordinary user."""
    for name in ("usr", "etc", "proc", "sys", "dev", "tmp", "run", "var/tmp", "opt"):
        (folder / name).mkdir(parents=True)
    (folder / "tmp").chmod(0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / name).symlink_to(f"usr/{name}")
    accounts = [f"{name}:x:{IDS[name]}:{IDS[name]}::{HOMES[name]}:/bin/sh\n" for name in IDS]
    (folder / "etc/passwd").write_text("".join(accounts))
    (folder / "etc/group").write_text("".join(f"{name}:x:{IDS[name]}:\n" for name in IDS))
    shutil.copy(binary("RINGWALL_BIN"), folder / "opt/ringwall")
    shutil.copy(binary("RINGWALL_MUTANT_BIN"), folder / "opt/mutant")
    for name, home in HOMES.items():
        (folder / home[1:] / "project").mkdir(parents=True)
        (folder / home[1:] / ".key").write_text("SECRET")
        give(folder / home[1:], IDS[name])


def give(top, number):
    """The tree becomes that user's."""
    for path in (top, *top.rglob("*")):
        os.chown(path, number, number, follow_symlinks=False)


class Podman:
    """podman with a storage of its own. It works in many places only as root, with runc."""

    def __init__(self, mark):
        # podman takes no long name for a part of it.
        self.folder = Path(tempfile.mkdtemp(prefix="rw-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.root = self.folder / "container"
        make_root(self.root)
        self.group = f"ringwall-{mark}"
        # Its locks would lie in /dev/shm otherwise, and stay.
        (self.folder / "settings").write_text('[engine]\nlock_type = "file"\n')
        self.runc_was_used = os.path.exists(RUNC_STATE)

    def call(self, *words, timeout=120):
        places = {"root": "storage", "runroot": "run", "tmpdir": "tmp"}
        own = [f"--{flag}={self.folder / name}" for flag, name in places.items()]
        more = ["--runtime=runc", f"--runtime-flag=root={self.folder / 'runc'}", "--storage-driver=vfs"]
        command = ["podman", *own, *more, "--cgroup-manager=cgroupfs", "--events-backend=none", *words]
        env = {**os.environ, "HOME": str(self.folder), "CONTAINERS_CONF": str(self.folder / "settings")}
        done = subprocess.run(command, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout)
        return Result(done.returncode, done.stdout, done.stderr)

    def run(self, who, *command, flags=(), overlay=False):
        """A command in a new container. With overlay, its files lie as those of an image do."""
        limits = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096"]
        place = [f"--cgroup-parent=/{self.group}", "--network=none", "--volume=/usr:/usr:ro"]
        user = [f"--user={IDS[who]}:{IDS[who]}", f"--env=HOME={HOMES[who]}", f"--workdir={HOMES[who]}/project"]
        rootfs = f"{self.root}:O" if overlay else str(self.root)
        return self.call("run", "--rm", *limits, *place, *user, *flags, "--rootfs", rootfs, *command)

    def remove(self):
        self.call("rm", "--all", "--force", "--time=0")
        assert mounts_below(self.folder) == [], "a mount is left"
        shutil.rmtree(self.folder)
        if not self.runc_was_used and os.path.exists(RUNC_STATE):
            os.rmdir(RUNC_STATE)  # made by a look at runc's version, whatever folder it is given
        for folder in (*Path("/sys/fs/cgroup").glob(f"*/{self.group}"), Path("/sys/fs/cgroup", self.group)):
            for below in sorted(folder.glob("**/"), reverse=True):
                below.rmdir()


@pytest.fixture
def podman(place):
    missing = [name for name in ("podman", "runc") if not shutil.which(name)]
    if missing:
        pytest.skip(f"this host has no {' and no '.join(missing)}")
    made = Podman(place.mark)
    try:
        trial = made.run("root", "true")
        if trial.status != 0:
            pytest.skip(f"podman starts no container here: {trial.err.strip()[-200:]}")
        yield made
    finally:
        made.remove()


def flags_in(words):
    """What a person would add to `podman run` after reading a hint."""
    ours = re.sub(r"--security-opt [^,]*\(docker\)", "", words)
    return re.findall(r"--(?:security-opt|cap-add) [\w=]+", ours)


def doctor(podman, who, flags=()):
    told = json.loads(podman.run(who, "/opt/ringwall", "doctor", "--json", flags=flags).out)
    missing = [row for row in told["rows"] if row["required"] and row["state"] == "missing"]
    assert told["can_run"] == (missing == [])
    return missing


WORK = ["/opt/ringwall", "run", "--", "sh", "-c", "echo RAN > made; cat made ~/.key; cat /proc/1/comm; id -u"]


def follow_the_words(podman, who, **more):
    """Starts a container again and again, each time with the flags that the refusal named."""
    flags, refusals = [], []
    for _ in range(4):
        result = podman.run(who, *WORK, flags=" ".join(flags).split(), **more)
        if result.status != 125:
            return result, flags, refusals
        refusals.append(result.refused())
        new = [flag for flag in flags_in(result.hint()) if flag not in flags]
        assert new, f"these words lead no further, with {flags}\n{result}"
        flags += new
    raise AssertionError(f"the words lead to no run: {flags}\n{result}")


def assert_ran_behind_walls(result):
    lines = result.out.splitlines()
    assert lines[0] == "RAN", result
    assert "SECRET" not in result.out and lines[1].startswith("ringwall"), result
    assert lines[2] != "0", result


@pytest.mark.parametrize("who", IDS)
def test_the_defaults_refuse_with_the_words_of_doctor(podman, who):
    missing = doctor(podman, who)
    result = podman.run(who, *WORK)
    result.refused("cannot be built")
    assert any(row["seen"] in result.err and row["mend"] in result.err for row in missing), (missing, result)
    mends = " ".join(row["mend"] for row in missing)
    assert "unmask=ALL" in mends and "seccomp=unconfined" in mends
    assert not (podman.root / HOMES[who][1:] / "project/made").exists()


@pytest.mark.parametrize("who", IDS)
def test_the_flags_that_are_named_let_it_run(podman, who):
    result, flags, refusals = follow_the_words(podman, who)
    assert refusals and "--security-opt unmask=ALL" in flags
    assert_ran_behind_walls(result)
    made = podman.root / HOMES[who][1:] / "project/made"
    assert made.read_text() == "RAN\n" and made.stat().st_uid == IDS[who]
    assert doctor(podman, who, " ".join(flags).split()) == []


def test_a_masked_proc_alone_is_named(podman):
    flags = ["--security-opt=seccomp=unconfined"]
    (row,) = doctor(podman, "person", flags)
    assert row["name"] == "fresh proc" and "masked" in row["seen"]
    result = podman.run("person", *WORK, flags=flags).refused(row["seen"], row["mend"])
    assert "--security-opt unmask=ALL" in flags_in(result.hint())


def test_a_filter_alone_is_named(podman):
    flags = ["--security-opt=unmask=ALL"]
    (row,) = doctor(podman, "person", flags)
    assert "system-call filter" in row["seen"]
    result = podman.run("person", *WORK, flags=flags).refused(row["seen"], row["mend"])
    assert "--security-opt seccomp=unconfined" in flags_in(result.hint())


UNCONFINED = ["--security-opt=seccomp=unconfined", "--security-opt=unmask=ALL"]


def test_root_is_told_to_be_ordinary_or_to_have_the_right(podman):
    (row,) = doctor(podman, "root", UNCONFINED)
    assert row["name"] == "own identity" and "CAP_SYS_ADMIN" in row["seen"]
    result = podman.run("root", *WORK, flags=UNCONFINED).refused(row["seen"], row["mend"])
    assert "--user" in result.hint() and "--cap-add SYS_ADMIN" in flags_in(result.hint())
    assert_ran_behind_walls(podman.run("person", *WORK, flags=UNCONFINED))
    assert_ran_behind_walls(podman.run("root", *WORK, flags=[*UNCONFINED, "--cap-add=SYS_ADMIN"]))


def test_in_the_files_of_an_image(podman):
    """An overlay, which not every kernel lets map ids: there root is told to be ordinary."""
    assert_ran_behind_walls(podman.run("person", *WORK, flags=UNCONFINED, overlay=True))
    result = podman.run("root", *WORK, flags=[*UNCONFINED, "--cap-add=SYS_ADMIN"], overlay=True)
    if result.status == 0:
        assert_ran_behind_walls(result)
    else:
        assert "ordinary user" in result.refused("cannot map ids").hint()


def test_with_a_user_namespace_around(podman):
    """As in a rootless container: its root is nobody outside, and cannot get the id of root's guest."""
    for name in HOMES:
        give(podman.root / HOMES[name][1:], MAPPED + IDS[name])
    maps = [f"--uidmap=0:{MAPPED}:65536", f"--gidmap=0:{MAPPED}:65536"]
    assert_ran_behind_walls(podman.run("person", *WORK, flags=[*UNCONFINED, *maps]))
    result = podman.run("root", *WORK, flags=[*UNCONFINED, *maps, "--cap-add=SYS_ADMIN"])
    assert "ordinary user" in result.refused("rootless").hint()


@pytest.mark.parametrize("who", IDS)
def test_every_promise_is_kept_in_a_container(podman, who):
    """One of them has a second's time, which a busy host may not have to give: it must be kept in one of three tries."""
    flags = [*UNCONFINED, *(["--cap-add=SYS_ADMIN"] if who == "root" else [])]
    for _ in range(3):
        result = podman.run(who, "/opt/ringwall", "verify", "--json", flags=flags)
        failed = [row for row in json.loads(result.out)["rows"] if row["result"] == "fail"]
        if [row["number"] for row in failed] != ["P32"]:
            break
    assert failed == [] and result.status == 0


def test_without_the_wall_the_key_is_read_there(podman):
    """So that the tests above, which look for it, can fail."""
    read = ["sh", "-c", "cat ~/.key"]
    assert podman.run("person", *read).out == "SECRET"
    assert "No such file" in podman.run("person", "/opt/ringwall", "run", "--", *read, flags=UNCONFINED).err
    flags = [*UNCONFINED, "--env=RINGWALL_TAKE_AWAY=private-home,landlock"]
    assert podman.run("person", "/opt/mutant", "run", "--", *read, flags=flags).out == "SECRET"
