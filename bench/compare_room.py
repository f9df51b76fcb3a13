"""The room of a comparison: everything that the walls are run with, where an ordinary user can reach it.

Not below /tmp, which some walls show or open to what is inside as a matter of course: a home lies elsewhere.
"""

import contextlib
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

import own_machine

TOP = pathlib.Path(__file__).resolve().parent.parent
for part in ("tests/corpora", "tests/network"):
    sys.path.insert(0, str(TOP / part))

import host as hosts  # noqa: E402
import peer_podman  # noqa: E402
import walls  # noqa: E402
from lab import namespaces  # noqa: E402

TUN = pathlib.Path("/dev/net/tun")


def open_tun():
    """Containers of an ordinary user have a network only where this device is open to all, as a desktop's is.

    Some machines keep it for root. We are in mounts of our own, so what we put in its place is seen by nobody else.
    """
    if os.getuid() != 0 or not TUN.exists() or stat.S_IMODE(TUN.stat().st_mode) & 0o006 == 0o006:
        return
    number = TUN.stat().st_rdev
    namespaces.mount_tmpfs(TUN.parent)
    TUN.parent.chmod(0o755)
    os.mknod(TUN, stat.S_IFCHR | 0o666, number)
    TUN.chmod(0o666)


def within_reach(source, target):
    """Hundreds of megabytes, which need not be copied where a mount or links will do."""
    if os.getuid() == 0:
        target.mkdir()
        namespaces.bind(source, target)
        return
    if subprocess.run(["cp", "-al", "--", source, target], capture_output=True).returncode != 0:
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "-a", "--", source, target], check=True)


def parent_folder():
    if os.getuid() == 0:
        return "/home"
    cache = pathlib.Path.home() / ".cache"
    cache.mkdir(exist_ok=True)
    return cache


@contextlib.contextmanager
def opened(binary, peers, work_tools):
    """Makes the room and tells the adapters of it by the environment; removes it at the end."""
    open_tun()
    # A short name: podman cannot clean up below a long one.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rw-", dir=parent_folder()))
    try:
        folder.chmod(0o755)
        for name in ("bin", "podman", "tmp"):
            (folder / name).mkdir(mode=0o755)
        for part in ("bench", "tests/corpora", "tests/network"):  # the clone may be root's alone
            shutil.copytree(TOP / part, folder / "src" / part, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run(["chmod", "-R", "a+rX", folder / "src"], check=True)
        shutil.copy(binary, folder / "bin/ringwall")
        (folder / "bin/ringwall").chmod(0o755)
        for source, name in ((peers, "peers"), (work_tools, "work-tools")):
            if os.path.isdir(source):
                within_reach(source, folder / name)
        peer_podman.make_room(folder / "podman", hosts.ordinary_user())
        os.environ |= {
            "RINGWALL_BIN": str(folder / "bin/ringwall"),
            "RINGWALL_COMPARE": "1",
            "RINGWALL_PEERS": str(folder / "peers"),
            "RINGWALL_PODMAN": str(folder / "podman"),
            "RINGWALL_WORK_TOOLS": str(folder / "work-tools"),
            "TMPDIR": str(folder / "tmp"),
        }
        tempfile.tempdir = None  # it was decided before
        # The first call makes the namespaces that all others join: not in the network of the lab, where podman waits for
        # a clean-up that never comes.
        peer_podman.Podman().can_run()
        yield folder
    finally:
        is_reaped = os.environ.get(own_machine.REAPER) == str(os.getppid())
        own_machine.end_all_below(os.getppid() if is_reaped else os.getpid())
        peer_podman.end_all()
        remove(folder)


class Sample:
    """A host for showing command lines: nothing of it exists."""

    home, work = pathlib.Path("/home/me"), pathlib.Path("/home/me/project")
    root = runtime = pathlib.Path("/run/user/1000")
    temporary = pathlib.Path("/tmp")
    options = {}

    def environment(self):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home/me", "LANG": "C.UTF-8", "TERM": "xterm-256color"}

    def fill_in(self, text):
        return text

    def get(self, _name, otherwise=None):
        return otherwise


def shown(wall):
    """The command line of a wall, and its settings file if it has one, as a person would write it."""
    sample = Sample()
    words = [shlex.quote(word) for word in wall.command(sample, sample, ["COMMAND"])]
    text = " ".join(words)
    for name, short in (("RINGWALL_BIN", "ringwall"), ("RINGWALL_PEERS", "PEERS"), ("RINGWALL_PODMAN", "PODMAN")):
        text = text.replace(os.environ[name], short)
    made = {"command": text}
    return made | ({"settings": wall.settings(sample, sample)} if hasattr(wall, "settings") else {})


def sides():
    """Every wall of the comparison: version, setting, and why it cannot run here if so."""
    found = {}
    for name, wall in walls.by_name().items():
        if name == "mutant":
            continue
        facts = {"title": getattr(wall, "title", "") or "no wall", "version": wall.version(), "name": name}
        facts |= {"is_default": getattr(wall, "is_default", False), "about": getattr(wall, "about", "")}
        reason = wall.can_run()
        found[name] = facts | ({"cannot": reason} if reason else shown(wall))
    order = ["bare", "ringwall"]
    return {name: found[name] for name in order + [name for name in found if name not in order]}


def remove(folder):
    """Root's is gone with its mounts. podman's files belong to ids of its own, which only podman itself can remove."""
    if os.getuid() == 0:
        return
    subprocess.run(["podman", "unshare", "rm", "-rf", "--", folder], capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)
