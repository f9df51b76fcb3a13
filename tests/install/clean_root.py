"""A clean Debian 12 as a new machine: a root of its own in a mount namespace, seen from outside.

The files come from debootstrap, once; each use lies on an overlay above them and is gone at the end. The root is
entered by pivot_root and not by chroot, in which the kernel makes no user namespaces. Processes in it are this host's:
whoever stands outside sees their namespaces.
"""

import os
import shutil
import subprocess
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
FIRST_USER = 58_000  # nobody's on this host, whose limits count by number
PACKAGES = "ca-certificates,procps,util-linux"

ENTER = r"""
set -e
mount --make-rprivate /
mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$2/root"
cd "$2/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p var/cache/npm old
mount --bind "$3" var/cache/npm
pivot_root . old
cd /
umount -l /old
rmdir /old
echo ready
exec sleep infinity
"""


def make_debian(folder):
    """Fetched once."""
    if (folder / "etc/debian_version").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    unfinished = folder.with_name(folder.name + ".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", unfinished, MIRROR],
                   check=True, stdout=subprocess.DEVNULL)
    unfinished.rename(folder)


class CleanRoot:
    """with CleanRoot(DEBIAN, ROOM, CACHE) as root: root.run(...)"""

    def __init__(self, debian, room, cache):
        self.debian, self.room, self.cache = Path(debian), Path(room), Path(cache)
        self.numbers = {}

    def __enter__(self):
        shutil.rmtree(self.room, ignore_errors=True)
        for name in ("upper", "work", "root"):
            (self.room / name).mkdir(parents=True)
        self.cache.mkdir(parents=True, exist_ok=True)
        self.cache.chmod(0o1777)
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "bash", "-c", ENTER, "enter", str(self.debian),
             str(self.room), str(self.cache)],
            stdout=subprocess.PIPE)
        assert self.holder.stdout.readline() == b"ready\n", "the root could not be made"
        for path in ("/etc/resolv.conf", CERTIFICATES):
            if os.path.exists(path):
                self.put(path, Path(path).read_bytes())
        return self

    def __exit__(self, *_):
        self.holder.kill()
        self.holder.wait()
        shutil.rmtree(self.room, ignore_errors=True)

    def outside(self, path):
        """The same file, for who stands outside."""
        return Path(f"/proc/{self.holder.pid}/root{path}")

    def put(self, path, content, mode=0o644, owner=0):
        target = self.outside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        target.chmod(mode)
        os.chown(target, owner, owner)

    def words(self, user, *command, cwd=None, prefix=(), environment=None):
        """What starts a command there as somebody, with nothing of this environment."""
        number, home = (0, "/root") if user == "root" else (self.numbers[user], f"/home/{user}")
        values = {"HOME": home, "USER": user, "LOGNAME": user, "SHELL": "/bin/bash", "LANG": "C.UTF-8",
                  "TERM": "xterm-256color", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                  "npm_config_cache": f"/var/cache/npm/{user}", "npm_config_cafile": CERTIFICATES,
                  "npm_config_update_notifier": "false", "npm_config_fund": "false", "npm_config_audit": "false",
                  "NODE_EXTRA_CA_CERTS": CERTIFICATES, **(environment or {})}
        setpriv = ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--"]
        folder = ["env", "-i", f"--chdir={cwd or home}", *(f"{name}={value}" for name, value in values.items())]
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", "--", *setpriv, *folder, *prefix,
                *map(str, command)]

    def run(self, user, *command, timeout=900, input=None, **more):
        return subprocess.run(self.words(user, *command, **more), capture_output=True, text=True, timeout=timeout,
                              input=input or "")

    def shell(self, user, line, **more):
        """As typed into an interactive shell, which reads its files."""
        done = self.run(user, "bash", "-ic", line, **more)
        noise = ("bash: cannot set terminal", "bash: no job control")
        done.stderr = "".join(part for part in done.stderr.splitlines(True) if not part.startswith(noise))
        return done

    def add_user(self, name):
        self.numbers[name] = FIRST_USER + len(self.numbers)
        done = self.run("root", "useradd", "--create-home", "--uid", self.numbers[name], "--shell", "/bin/bash", name)
        assert done.returncode == 0, done
        home = self.outside(f"/home/{name}")
        (home / "project").mkdir()
        os.chown(home / "project", self.numbers[name], self.numbers[name])
        return home
