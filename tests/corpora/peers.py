"""What people use instead of Ringwall, each in the best setting that its documents give for "an agent works in this
folder", and in its default beside it. docs/compare/ shows the command lines as they are made here.

Needs that a tool cannot express as asked are given by the next wider thing that it has: the whole network where it
knows no names of hosts. What it has no way for at all is left out, and the case shows what comes of it.
"""

import json
import os

import host as hosts
import walls
from peer_codex import Codex, CodexDefault
from peer_podman import Podman, PodmanDefault
from peer_room import GIT_SETTINGS, SECRET_FILES, SECRET_VARIABLES, Peer, as_list, first_failure, first_line
from peer_room import npm_folder, of_path, own_account, plain_environment


class Bubblewrap(Peer):
    name = "bubblewrap"
    title = "bubblewrap"
    about = "the system read-only, an empty home but for the workspace, every namespace its own, a clean environment"
    SYSTEM = (
        "--ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin --symlink usr/sbin /sbin "
        "--symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp --dir /run"
    ).split()
    CLOSED = "--unshare-all --unshare-user --disable-userns --new-session --die-with-parent --cap-drop ALL --clearenv".split()

    def version(self):
        return first_line("bwrap", "--version").removeprefix("bubblewrap ")

    def can_run(self):
        if not of_path("bwrap"):
            return "bwrap is not installed"
        return first_failure(["bwrap", *self.SYSTEM, *self.CLOSED, "/bin/true"])

    def files(self, host, case):
        words = ["--tmpfs", str(host.home), "--bind", str(host.work), str(host.work), "--chdir", str(host.work)]
        words += ["--ro-bind-try", str(host.home / GIT_SETTINGS), str(host.home / GIT_SETTINGS)]
        for need, flag in (("read", "--ro-bind"), ("write", "--bind")):
            for path in as_list(host, case, need):
                words += [flag, path, path]
        for program in as_list(host, case, "deny_programs"):
            if of_path(program):
                words += ["--ro-bind", "/dev/null", os.path.realpath(of_path(program))]
        return words

    def command(self, host, case, words):
        variables = [w for name, value in plain_environment(host, case).items() for w in ("--setenv", name, value)]
        network = ["--share-net"] if self.wants_network(case) else []
        return ["/usr/bin/bwrap", *self.SYSTEM, *self.files(host, case), *self.CLOSED, *network, *variables, *words]


class BubblewrapDefault(Peer):
    name = "bubblewrap-default"
    title = "bubblewrap, as its own demo"
    about = "demos/bubblewrap-shell.sh of its sources, with the workspace added"
    is_default = True
    DEMO = (
        "--ro-bind /usr /usr --dir /tmp --dir /var --symlink ../tmp var/tmp --proc /proc --dev /dev "
        "--ro-bind /etc/resolv.conf /etc/resolv.conf --symlink usr/lib /lib --symlink usr/lib64 /lib64 "
        "--symlink usr/bin /bin --symlink usr/sbin /sbin --ro-bind /etc/passwd /etc/passwd --ro-bind /etc/group /etc/group "
        "--unshare-all --share-net --die-with-parent"
    ).split()

    version = Bubblewrap.version
    can_run = Bubblewrap.can_run
    SYSTEM, CLOSED = DEMO, ()

    def command(self, host, case, words):
        folder = ["--bind", str(host.work), str(host.work), "--chdir", str(host.work)]
        return ["/usr/bin/bwrap", *self.DEMO, *folder, *words]


class Firejail(Peer):
    name = "firejail"
    title = "firejail"
    about = "its default profile, of the home only the workspace, and the hardening of its profile template"
    CLOSED = (
        "--caps.drop=all --ipc-namespace --machine-id --nogroups --noinput --nonewprivs --noroot --nosound --novideo --nou2f "
        "--seccomp --restrict-namespaces --private-dev --private-tmp --disable-mnt --dbus-user=none --dbus-system=none "
        "--deterministic-shutdown"
    ).split()
    LIMITS = {"processes": "nproc", "open_files": "nofile"}

    def version(self):
        return first_line("firejail", "--version").removeprefix("firejail version ")

    def can_run(self):
        if not of_path("firejail"):
            return "firejail is not installed"
        if os.getuid() != 0:
            return "its home is that of the account: only root can give it the throw-away one"
        # Where it takes its surroundings for a sandbox it runs the command as it is, with status 0.
        return first_failure(["firejail", "--quiet", "--noprofile", "/bin/sh", "-c", "[ $$ -lt 100 ] || ! echo no sandbox"])

    def flags(self, host, case):
        words = [*self.CLOSED, f"--whitelist={host.work}"]
        words += [f"--{rule}={host.home / GIT_SETTINGS}" for rule in ("noblacklist", "whitelist", "read-only")]
        words += [f"--blacklist={host.work}/{pattern.removeprefix('**/')}" for pattern in SECRET_FILES]
        words += [] if self.wants_network(case) else ["--net=none"]
        words += [f"--rmenv={name}" for name in SECRET_VARIABLES if name not in as_list(host, case, "variables")]
        for need in ("read", "write"):
            words += [f"--whitelist={path}" for path in as_list(host, case, need) if path.startswith(("/home", "/tmp"))]
        words += [f"--blacklist={of_path(p)}" for p in as_list(host, case, "deny_programs") if of_path(p)]
        for need, limit in self.LIMITS.items():
            words += [f"--rlimit-{limit}={value}" for value in as_list(host, case, need)]
        return words

    def command(self, host, case, words):
        return ["/usr/bin/firejail", "--quiet", *self.flags(host, case), "--", *words]

    def prepare(self, host, case):
        own_account(host)


class FirejailDefault(Firejail):
    name = "firejail-default"
    title = "firejail, as it comes"
    about = "`firejail COMMAND`: its default profile, the whole home but for known places of secrets"
    is_default = True

    def flags(self, host, case):
        return []


class SandboxRuntime(Peer):
    name = "sandbox-runtime"
    title = "sandbox-runtime"
    about = (
        "\"workspace-only filesystem access\" of its README: the home unreadable but for the workspace; files and "
        "variables that are known to hold secrets denied; a folder for temporary files"
    )
    PACKAGE = "sandbox-runtime/node_modules/@anthropic-ai/sandbox-runtime"

    def version(self):
        file = npm_folder() / self.PACKAGE / "package.json"
        return json.loads(file.read_text())["version"] if file.exists() else ""

    def program(self):
        return [npm_folder() / "sandbox-runtime/node_modules/node/bin/node", npm_folder() / self.PACKAGE / "dist/cli.js"]

    def can_run(self):
        for program in ("bwrap", "socat", "rg"):
            if not of_path(program):
                return f"{program} is not installed"
        return None if all(path.exists() for path in self.program()) else "it was not installed: tools/install_peers.sh"

    def settings(self, host, case):
        opened = [*as_list(host, case, "hosts"), *as_list(host, case, "private_hosts")]
        if case.options.get("reach_host"):
            opened += ["localhost", "127.0.0.1"]
        denied = [name for name in SECRET_VARIABLES if name not in as_list(host, case, "variables")]
        programs = [os.path.realpath(of_path(p)) for p in as_list(host, case, "deny_programs") if of_path(p)]
        return {
            "network": {"allowedDomains": opened, "deniedDomains": []},
            "filesystem": {
                "denyRead": ["~", *SECRET_FILES, *programs],
                "allowRead": [".", f"~/{GIT_SETTINGS}", *as_list(host, case, "read")],
                "allowWrite": [".", str(self.scratch(host)), *as_list(host, case, "write")],
                "denyWrite": [],
            },
            "credentials": {"envVars": [{"name": name, "mode": "deny"} for name in denied]},
        }

    def scratch(self, host):
        return host.root / "claude-tmp"

    def before(self, host):
        return ["/usr/bin/env", f"CLAUDE_CODE_TMPDIR={self.scratch(host)}"]

    def command(self, host, case, words):
        return [*self.before(host), *map(str, self.program()), "-s", str(host.root / "srt.json"), "--", *words]

    def prepare(self, host, case):
        (host.root / "srt.json").write_text(json.dumps(self.settings(host, case), indent=1))
        self.scratch(host).mkdir(exist_ok=True)


class SandboxRuntimeDefault(SandboxRuntime):
    name = "sandbox-runtime-default"
    title = "sandbox-runtime, as its first example"
    about = "the first example of its README with the workspace writable; everything readable"
    is_default = True

    def settings(self, host, case):
        full = super().settings(host, case)
        files = {"denyRead": [], "allowWrite": ["."], "denyWrite": []}
        return {"network": full["network"], "filesystem": files}

    def before(self, host):
        return []


class OrdinaryRingwall(walls.Ringwall):
    """Ringwall beside its peers: as an ordinary user, like them."""

    title = "Ringwall"
    about = "as it comes: no flag and no policy file"

    def user(self):
        return hosts.ordinary_user()


PEERS = (
    *(Bubblewrap, Firejail, Podman, SandboxRuntime, Codex),
    *(BubblewrapDefault, FirejailDefault, PodmanDefault, SandboxRuntimeDefault, CodexDefault),
)


def adapters():
    made = [peer() for peer in PEERS]
    return made + ([OrdinaryRingwall()] if os.environ.get("RINGWALL_COMPARE") else [])
