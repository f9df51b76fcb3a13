"""Where measurements run: as an ordinary user, in a home and workspaces made for them alone."""

import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
MEMORY_FOLDER = pathlib.Path("/dev/shm")
NEEDED_BYTES = 1 << 30


class Place:
    """A fresh home and a folder for workspaces; commands get `env` and nothing of the caller's."""

    def __init__(self, room, workspaces, binary):
        self.room = room
        self.workspaces = workspaces
        self.binary = str(binary)
        self.home = room / "home"
        self.log = str(room / "stderr")
        self.env = clean_environment(self.home)

    def workspace(self, name):
        folder = self.workspaces / name
        folder.mkdir()
        return folder


def clean_environment(home):
    user = pwd.getpwuid(os.getuid()).pw_name
    path = "/usr/local/bin:/usr/bin:/bin"
    return {"HOME": str(home), "USER": user, "PATH": path, "LANG": "C.UTF-8", "SHELL": "/bin/sh"}


def memory_folder():
    """A tmpfs with enough room, or None: disks are too noisy for a ceiling of three percent."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        is_tmpfs = any(line.split()[1:3] == [str(MEMORY_FOLDER), "tmpfs"] for line in mounts)
    if not is_tmpfs or not os.access(MEMORY_FOLDER, os.W_OK):
        return None
    space = os.statvfs(MEMORY_FOLDER)
    return MEMORY_FOLDER if space.f_bavail * space.f_frsize >= NEEDED_BYTES else None


def describe_filesystem(folder):
    """Its type, and whether it lies in memory."""
    words = ["findmnt", "--noheadings", "--output", "FSTYPE,SOURCE", "--target", str(folder)]
    kind, source = subprocess.check_output(words, text=True).split()[:2]
    if kind == "tmpfs":
        return "tmpfs"
    return f"{kind} in memory" if source.startswith("/dev/loop") else f"{kind}, a disk may be noisy"


@contextlib.contextmanager
def prepared(binary, workdir):
    """A Place that is removed at the end; the current folder is left as it was."""
    before = os.getcwd()
    with contextlib.ExitStack() as stack:

        def fresh(below):
            name = tempfile.mkdtemp(prefix="ringwall-bench.", dir=below)
            stack.callback(shutil.rmtree, name, ignore_errors=True)
            return pathlib.Path(name)

        stack.callback(os.chdir, before)
        # The home on the disk of the workspaces, as people have it. An ext4 without a journal, which virtual machines
        # like to have below /tmp, looks through all that was deleted in the last minutes for each file that is made.
        room = fresh(workdir or "/tmp")
        (room / "home").mkdir(mode=0o700)
        yield Place(room, fresh(workdir or memory_folder() or "/tmp"), binary)


@contextlib.contextmanager
def disk_in_memory(below="/tmp"):
    """A folder on an ext4 whose disk is a file in memory: what people work on, without its noise.

    None where it cannot be had; only root can make one.
    """
    if memory_folder() is None or shutil.which("mkfs.ext4") is None:
        yield None
        return
    with contextlib.ExitStack() as stack:
        image = stack.enter_context(tempfile.NamedTemporaryFile(dir=MEMORY_FOLDER))
        image.truncate(4 * NEEDED_BYTES)  # holes, until something is written
        # Many small files: an inode for each 4 kB.
        subprocess.run(["mkfs.ext4", "-q", "-F", "-i", "4096", image.name], check=True)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ringwall-disk.", dir=below))
        mounted = subprocess.run(["mount", "-o", "loop", image.name, folder], check=False)
        if mounted.returncode != 0:
            yield None
            return
        stack.callback(subprocess.run, ["umount", folder], check=True)
        os.chmod(folder, 0o1777)
        yield folder


def run_as_ordinary_user(binary, options, json_file):
    """Called by root: runs this program again as an ordinary user and returns its exit status."""
    name = subprocess.check_output([TOP / "tools" / "test_user.sh"], text=True).strip()
    user = pwd.getpwnam(name)
    with tempfile.TemporaryDirectory(prefix="ringwall-bench.", dir="/tmp") as folder:
        # The clone may lie below a folder that only root can enter, hence the copies.
        room = pathlib.Path(folder)
        for part in ("bench", "tests/network"):
            shutil.copytree(TOP / part, room / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(binary, room / "ringwall")
        home = room / "home"
        home.mkdir()
        shutil.chown(home, user.pw_uid, user.pw_gid)
        for path in [room, *room.rglob("*")]:
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        (room / "ringwall").chmod(0o755)
        result = home / "result.json"
        command = [sys.executable, "-B", room / "bench" / "run.py", room / "ringwall"]
        status = subprocess.run(
            command + options + ["--json", str(result)],
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            env=clean_environment(home) | {"USER": name},
            cwd=room,
            check=False,
        ).returncode
        if json_file and result.is_file():
            shutil.copyfile(result, json_file)
        return status
