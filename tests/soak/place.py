"""Where the soak runs: as an ordinary user, in a home and a workspace made for it alone."""

import contextlib
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

WITHOUT = "RINGWALL_TAKE_AWAY"  # walls that a build for tests leaves out
TOP = pathlib.Path(__file__).resolve().parent.parent.parent


class Place:
    def __init__(self, room, binary):
        self.room = room
        self.binary = str(binary)
        self.home = room / "home"
        self.workspace = self.home / "project"
        self.runtime = room / "runtime"
        self.names = room / "names"
        self.state = self.home / ".local/state/ringwall"
        self.memory = pathlib.Path(f"/dev/shm/ringwall-{os.getuid()}")
        for folder in (self.home, self.workspace, self.runtime, self.names):
            folder.mkdir(mode=0o700, exist_ok=True)
        self.swept = 0

    def binary_named(self, mark):
        """The name of a program becomes the name of its process, and of those it forks."""
        link = self.names / mark
        link.symlink_to(self.binary)
        return str(link)

    def environment(self, mark=None, with_runtime=True):
        values = {
            "HOME": str(self.home),
            "USER": pwd.getpwuid(os.getuid()).pw_name,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "SHELL": "/bin/sh",
        }
        if with_runtime:
            values["XDG_RUNTIME_DIR"] = str(self.runtime)
        if mark:
            values["RINGWALL_SOAK"] = mark
        if WITHOUT in os.environ:  # to show that the soak can fail
            values[WITHOUT] = os.environ[WITHOUT]
        return values

    def registered(self):
        """Entries of our runs; those in shared memory may stand beside entries of others."""
        found = []
        for folder in (self.runtime / "ringwall", self.memory):
            with contextlib.suppress(OSError):
                found += [name for name in os.listdir(folder) if name.endswith(f"-{os.getpid()}")]
        return found

    def start(self):
        """A start mends what those left that were killed before it; the private home is there then too."""
        subprocess.run(
            [self.binary, "run", "true"],
            env=self.environment(),
            cwd=self.workspace,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # it says so
            check=True,
        )

    def clean(self):
        """What killed runs left in the registries; it must be no more than that."""
        done = subprocess.run(
            [self.binary, "clean", "--json"],
            env=self.environment(),
            cwd=self.workspace,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"ringwall clean failed: {done.stderr.decode()}")
        self.swept += sum(1 for line in json.loads(done.stdout) if line["kind"] == "run")


@contextlib.contextmanager
def prepared(binary):
    room = tempfile.mkdtemp(prefix="ringwall-soak.", dir="/tmp")
    try:
        yield Place(pathlib.Path(room), binary)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def run_as_ordinary_user(binary, options, script="soak.py"):
    """Called by root: runs a soak again as an ordinary user and returns its exit status."""
    name = subprocess.check_output([TOP / "tools" / "test_user.sh"], text=True).strip()
    user = pwd.getpwnam(name)
    with tempfile.TemporaryDirectory(prefix="ringwall-soak.", dir="/tmp") as folder:
        # The clone may lie below a folder that only root can enter, hence the copies.
        room = pathlib.Path(folder)
        shutil.copytree(TOP / "tests" / "soak", room / "soak", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(binary, room / "ringwall")
        for path in [room, *room.rglob("*")]:
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        (room / "ringwall").chmod(0o755)
        return subprocess.run(
            ["/usr/bin/python3", "-B", room / "soak" / script, room / "ringwall", *options],
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": user.pw_dir, "USER": name},
            cwd=room,
            check=False,
        ).returncode
