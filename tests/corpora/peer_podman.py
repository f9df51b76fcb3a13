"""podman with runc as a wall: rootless, in a container whose files are the host's own programs.

No image is pulled: the container's root holds a copy of the public part of /etc, and the host's /usr comes read-only, so
that the same programs are there as behind every other wall. podman's own files lie in one folder for all runs.
"""

import os
import shutil
import signal
from pathlib import Path

from peer_room import GIT_SETTINGS, Peer, as_list, first_failure, first_line, of_path, plain_environment

FOLDERS = ("usr", "proc", "sys", "dev", "tmp", "run", "var/tmp", "opt", "home", "root")


def room():
    """Set by whoever compares, who also removes it; see bench/compare.py."""
    return Path(os.environ.get("RINGWALL_PODMAN", "/nonexistent"))


def copy_public(source, target):
    """What an ordinary user may read of /etc, with its links."""
    target.mkdir()
    for entry in os.scandir(source):
        copy = target / entry.name
        if entry.is_symlink():
            copy.symlink_to(os.readlink(entry.path))
        elif entry.is_dir() and entry.stat().st_mode & 0o005 == 0o005:
            copy_public(entry.path, copy)
        elif entry.is_file() and entry.stat().st_mode & 0o004:
            shutil.copy(entry.path, copy)


def make_room(folder, user):
    """The container's root, and a home and a runtime folder of podman's own."""
    root = folder / "root"
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    for name in ("tmp", "var/tmp"):
        (root / name).chmod(0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    copy_public("/etc", root / "etc")
    for name in ("home", "runtime"):
        (folder / name).mkdir(mode=0o700)
    for place, folders, files in os.walk(folder):
        for name in (".", *folders, *files):
            os.chown(f"{place}/{name}", user.pw_uid, user.pw_gid, follow_symlinks=False)


class Podman(Peer):
    name = "podman"
    title = "podman"
    about = (
        "rootless with runc: no network, no capability, no new privileges, a read-only root, the person's own id, an empty "
        "home but for the workspace"
    )
    try_network = ("--network=none",)
    CLOSED = (
        "--userns=keep-id --cap-drop=all --security-opt=no-new-privileges --http-proxy=false --read-only --tmpfs=/tmp:rw,exec,mode=1777"
    ).split()

    def version(self):
        runc = first_line("runc", "--version").removeprefix("runc version ")
        return f"{first_line('podman', '--version').removeprefix('podman version ')}, runc {runc}"

    def can_run(self):
        missing = [program for program in ("podman", "runc", "newuidmap", "slirp4netns") if not of_path(program)]
        if missing:
            return f"not installed: {', '.join(missing)}"
        if not room().is_dir():
            return "RINGWALL_PODMAN names no folder of podman's own"
        # Its namespaces are made by the first call and show the names and disks of that moment: begin anew.
        end_all()
        try_out = ["run", "--rm", *self.try_network, "--volume=/usr:/usr:ro", *self.root(), "/bin/true"]
        # Whoever was killed before may have left it in a state that it mends by itself, with an error.
        return first_failure([*self.podman(), *try_out]) and first_failure([*self.podman(), *try_out])

    def podman(self):
        own = ["/usr/bin/env", f"HOME={room()}/home", f"XDG_RUNTIME_DIR={room()}/runtime", "PATH=/usr/sbin:/usr/bin:/bin"]
        return [*own, "podman", "--log-level=error", "--runtime=runc", "--cgroup-manager=cgroupfs", "--events-backend=none"]

    def root(self):
        return ["--rootfs", f"{room()}/root:O"]

    def network(self, host, case):
        if case.options.get("reach_host"):
            return ["--network=host"]
        if not any(case.options.get(need) for need in ("hosts", "private_hosts", "publish")):
            return ["--network=none"]
        ports = [port.split(":")[0] for port in as_list(host, case, "publish")]
        return ["--network=slirp4netns", *(f"--publish=127.0.0.1:{port}:{port}" for port in ports)]

    def flags(self, host, case):
        words = [*self.CLOSED, *self.network(host, case), f"--tmpfs={host.home}:rw,exec,mode=1777"]
        git = host.home / GIT_SETTINGS
        shown = [*([git] if git.exists() else []), *as_list(host, case, "read")]
        words += [f"--volume={path}:{path}:ro" for path in shown]
        words += [f"--volume={path}:{path}" for path in as_list(host, case, "write")]
        words += [f"--ulimit=nofile={n}:{n}" for n in as_list(host, case, "open_files")]
        return words + [f"--env={name}={value}" for name, value in plain_environment(host, case).items()]

    def command(self, host, case, words):
        way = ["-it"] if case.get("TERMINAL") else ["-i"]
        folder = [f"--volume={host.work}:{host.work}", f"--workdir={host.work}", "--volume=/usr:/usr:ro"]
        return [*self.podman(), "run", "--rm", *way, *self.flags(host, case), *folder, *self.root(), *words]


class PodmanDefault(Podman):
    name = "podman-default"
    title = "podman run"
    about = "`podman run --rm -v FOLDER -w FOLDER`: root of a user namespace, its network"
    is_default = True
    try_network = ()

    def flags(self, host, case):
        ports = [port.split(":")[0] for port in as_list(host, case, "publish")]
        return [f"--publish=127.0.0.1:{port}:{port}" for port in ports]


def end_all():
    """The process that podman leaves to keep its namespaces, and whatever hangs on it."""
    mark = f"HOME={room()}/home".encode()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                os.kill(int(entry), signal.SIGKILL)
        except OSError:
            continue
