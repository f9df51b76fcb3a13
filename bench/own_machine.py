"""Where a comparison runs: in mounts and temporary folders of its own, and below who ends every process of it.

Some of what is compared leaves files in /tmp and processes behind, and any part may be ended at any moment. Root makes
mounts for it, which are gone with the last of its processes. Processes have no namespace of their own: firejail does
nothing at all where it sees no threads of the kernel. Orphans come to us instead, and end with us.
"""

import contextlib
import os
import pathlib
import pwd
import signal
import subprocess
import sys
import time
import traceback

import processes

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/network"))

from lab import namespaces  # noqa: E402

# In memory, and gone in the end.
OWN_FOLDERS = {"/tmp": 0o1777, "/var/tmp": 0o1777, "/dev/shm": 0o1777, "/home": 0o755, "/run/firejail": 0o755}
CLONE_NEWIPC = 0x8000000
REAPER = "RINGWALL_REAPER"  # names the process that orphans of the comparison come to


def work_in_child(work):
    """Forks; the child's pid. Its status is what WORK returns."""
    child = os.fork()
    if child != 0:
        return child
    status = 1
    try:
        status = work()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        status = 130
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def end_all_below(top, patience=10):
    """Everything that came of TOP, but us; orphans come to who adopts them, so that nobody slips away."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        left = [p for p in processes.descendants(top) if p.state != "Z" and p.pid != os.getpid()]
        if not left:
            return
        for process in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, signal.SIGKILL)
        time.sleep(0.02)


def wait_and_reap(child):
    """Does for orphans what an init does, at once: podman waits for that. Returns the child's status."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            return os.waitstatus_to_exitcode(status) & 0xFF


def below_reaper(work):
    """Runs WORK in a child. What asks us to end ends all of it."""
    processes.adopt_orphans()
    os.environ[REAPER] = str(os.getpid())
    child = work_in_child(work)

    def end(number, _):
        if os.getuid() != 0:  # files have to be removed by hand
            os.kill(child, signal.SIGINT)
            wait_and_reap(child)
        end_all_below(os.getpid())
        os._exit(128 + number)

    for asked in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asked, end)
    status = wait_and_reap(child)
    end_all_below(os.getpid())
    return status


def own_folders(keep):
    """Mounts them, with what must stay within reach at its place."""
    kept = {path: os.open(path, os.O_PATH) for path in keep}
    for folder, mode in OWN_FOLDERS.items():
        if os.path.isdir(folder):
            namespaces.mount_tmpfs(folder)
            os.chmod(folder, mode)
    for path, handle in kept.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir() if os.path.isdir(f"/proc/self/fd/{handle}") else path.touch()
            namespaces.bind(f"/proc/self/fd/{handle}", path)
        os.close(handle)


def make_home(user):
    with contextlib.suppress(FileExistsError):
        os.makedirs(user.pw_dir, 0o700)
        os.chown(user.pw_dir, user.pw_uid, user.pw_gid)


def run(work, keep):
    """Runs WORK, and returns its status; KEEP are paths that it needs, wherever they lie."""
    if os.getuid() == 0:
        name = subprocess.check_output([TOP / "tools/test_user.sh"], text=True).strip()
        namespaces.own_mounts()
        namespaces.unshare(CLONE_NEWIPC)
        own_folders([pathlib.Path(os.path.realpath(path)) for path in keep if os.path.exists(path)])
        make_home(pwd.getpwnam(name))
    return below_reaper(work)
