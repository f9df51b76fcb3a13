"""Which walls stand behind each promise, and what happens when they are taken away.

A row: the walls taken away, what the probe then finds, the acts that get through, and what still
stops others. Rows come in the order "each alone", then "all of them".

What cannot be taken away, and why it has no row:

- user-namespace: without it an ordinary user can build no other wall; the run is refused.
- mount-namespace alone: nothing can be mounted in the host's own; it goes together with new-root.
- no-new-privileges alone: the kernel lets nobody enter Landlock or the system-call filter without
  it; the run is refused. Even with all three gone a setuid program gains nothing, because the
  user namespace maps one id only. The bare run shows what it would gain.
- new-root for root: the ordinary id that runs inside instead of root could not even enter its
  workspace, so own-identity goes with it.
- new-root where a probe makes links: pid 1 then sees the host's processes in /proc, waits for them
  to stand still while a link is looked at, and ends the run. So plant-watch goes with it.

Where one wall alone decides, its row says so: a socket family (system-calls), a device by name
(private-dev), a descriptor, a variable, git's settings. Landlock guards the content of files: not
their modes, not connections to sockets by path, and not the names in folders.
"""

import dataclasses
import os


@dataclasses.dataclass(frozen=True)
class Row:
    promise: str
    away: tuple
    finding: str  # held, breached, refused
    through: tuple = ()  # acts that get through
    still: dict = dataclasses.field(default_factory=dict)  # act: what it meets

    def id(self):
        return f"{self.promise}_without_{'_and_'.join(self.away)}".replace("-", "_")


AS_ROOT = os.getuid() == 0


def held(promise, away, **still):
    return Row(promise, tuple(away.split()), "held", (), still.get("meets", {}))


def breached(promise, away, through, meets=None):
    return Row(promise, tuple(away.split()), "breached", tuple(through), meets or {})


def both_users(row):
    """For root the ordinary id is one more layer behind whatever belongs to root."""
    if AS_ROOT and "new-root" in row.away and "own-identity" not in row.away:
        return dataclasses.replace(row, away=row.away + ("own-identity",))
    return row


def typing_is_allowed():
    """Newer kernels can be told to have no TIOCSTI at all."""
    try:
        with open("/proc/sys/dev/tty/legacy_tiocsti") as setting:
            return setting.read().strip() != "0"
    except FileNotFoundError:
        return True


READ = "read by its path"
OPEN_KEY = "open {home}/.ssh/id_ed25519"
OUTSIDE_SOCKET = "connect to a socket outside"
ABSTRACT = "connect to an abstract socket"
LATE_SOCKET = "connect to a socket that is made later"
# Any device of the host's that a sandbox has not.
HARMLESS = "null zero full random urandom tty ptmx pts shm fd stdin stdout stderr".split()
DEVICE = "see /dev/" + next(name for name in sorted(os.listdir("/dev")) if name not in HARMLESS)
CANARY = "open the canary for writing"
SETUID = "make a setuid file by "
SETUID_WAYS = "chmod fchmod fchmodat open openat openat2 creat mknod mknodat O_TMPFILE".split()

LOOPBACK = "reach the host's loopback by 127.0.0.1"
OTHERS_PORT = "reach a granted name at another's port"
THIS_MACHINE = "reach this machine by a granted name"
HOSTS_SERVER = "ask a server of the host's"
WRONG_NAMES = ["show another name in TLS", "show another Host", "show two Hosts"]
FIRST = "hear a server that speaks first by 127.0.0.1"
UDP_HOME, UDP_GROUP = "UDP to the host's loopback", "UDP to 224.0.0.251 at port 5353"
ENVIRONMENT = "find a secret in the environment of another process"
LOGIN = "find a secret in the file {home}/proxy-login"

OWN_TIOCSTI = "TIOCSTI on a terminal of its own"
TYPED = "its own, inside" if typing_is_allowed() else "EIO"
PIPE = "make a pipe larger"
BOMBS = [
    "have too many processes",
    "have too many files open",
    "have too many files in /tmp",
    "fill /tmp",
    "fill /dev/shm",
    "fill the home",
    "take most inotify instances",
]

ROWS = [
    # P01: each namespace is a wall by itself.
    breached("P01", "pid-namespace", ["the host's pid namespace"]),
    breached("P01", "network-namespace", ["the host's net namespace"]),
    breached("P01", "ipc-namespace", ["the host's ipc namespace"]),
    breached("P01", "uts-namespace", ["the host's uts namespace"]),
    breached("P01", "cgroup-namespace", ["the host's cgroup namespace"]),
    breached("P01", "mount-namespace new-root", ["the host's mnt namespace"]),
    Row("P02", ("no-new-privileges",), "refused"),
    breached(
        "P02", "system-calls", [SETUID + way for way in SETUID_WAYS], {"gain by exec": "no_new_privs"}
    ),
    breached("P02", "no-new-privileges landlock system-calls", ["no_new_privs is not set"]),
    breached("P03", "capabilities", ["raise capabilities"]),
    held("P03", "read-only", meets={"open /proc/sys/kernel/hostname for writing": "EACCES"}),
    held("P04", "capabilities", meets={"mount": "EPERM", "move_mount": "EPERM"}),
    breached("P04", "system-calls", ["io_uring_setup", "bpf", "mount", "keyctl", "32-bit entry"]),
    held("P05", "capabilities", meets={"unshare user": "EPERM"}),
    # The quota of user namespaces is the sandbox's own, and none.
    held("P05", "limits", meets={"unshare user": "EPERM"}),
    held("P05", "system-calls", meets={"unshare user": "ENOSPC", "clone user": "ENOSPC"}),
    breached("P05", "system-calls limits", ["unshare user", "clone user", "clone3 user"]),
    # P06: sight is one wall, signals have two.
    held("P06", "landlock", meets={"signal it": "ESRCH", "see a process outside": "ENOENT"}),
    breached("P06", "fresh-proc", ["see a process outside"], {"signal it": "ESRCH"}),
    breached("P06", "pid-namespace", ["see a process outside"], {"signal it": "EPERM"}),
    breached("P06", "pid-namespace landlock own-identity", ["signal it"], {"trace it": "EPERM"}),
    held("P07", "landlock", meets={READ: "ENOENT"}),
    held("P07", "new-root plant-watch", meets={READ: "EACCES"}),
    # Landlock lets pass what the plan puts at the home's path.
    breached("P07", "private-home", [READ]),
    breached("P07", "new-root landlock plant-watch", [READ, "read by a hard link"]),
    held("P08", "landlock", meets={OPEN_KEY: "ENOENT"}),
    held("P08", "new-root", meets={OPEN_KEY: "EACCES"}),
    breached("P08", "private-home", [OPEN_KEY]),
    breached("P08", "new-root landlock", [OPEN_KEY]),
    held("P09", "landlock", meets={"write /etc/passwd": "EROFS", CANARY: "ENOENT"}),
    held("P09", "read-only", meets={"write /etc/passwd": "EACCES"}),
    held("P09", "system-calls", meets={"make writable /usr": "EPERM"}),
    held("P09", "capabilities", meets={"make writable /usr": "EPERM"}),
    breached("P09", "new-root", ["change the canary's mode"], {CANARY: "EACCES"}),
    breached("P09", "read-only landlock", ["write /etc/passwd", "make a file in /"]),
    breached("P09", "capabilities system-calls", ["make writable /usr"]),
    breached("P09", "new-root landlock", [CANARY]),
    held("P13", "landlock", meets={ABSTRACT: "ECONNREFUSED", OUTSIDE_SOCKET: "ENOENT"}),
    # Whose a later socket is, that namespace's list says.
    breached("P13", "network-namespace", [LATE_SOCKET], {ABSTRACT: "EPERM"}),
    breached("P13", "socket-masks", ["connect to a socket in the workspace", LATE_SOCKET]),
    breached("P13", "plant-watch", [LATE_SOCKET]),
    breached("P13", "later-sockets", [LATE_SOCKET]),
    breached("P13", "new-root", [OUTSIDE_SOCKET]),
    breached("P13", "private-home", [OUTSIDE_SOCKET]),
    breached("P13", "network-namespace landlock", [ABSTRACT]),
    held("P14", "landlock", meets={"list /run": "empty"}),
    breached("P14", "new-root", ["list /run"], {"read a file in /run": "EACCES"}),
    breached("P14", "new-root landlock", ["list /run", "read a file in /run"]),
    breached("P15", "descriptors", ["use descriptor 3"]),
    held("P16", "landlock", meets={"open /dev/kmsg": "ENOENT", "make a disk": "EPERM"}),
    breached("P16", "private-dev", [DEVICE]),
    breached("P16", "new-root", [DEVICE]),
    held("P17", "keyring", meets={"read the session key": "EPERM"}),
    breached("P17", "keyring system-calls", ["read the session key", "read the user key"]),
    held("P18", "landlock", meets={"attach shared memory": "ENOENT"}),
    breached("P18", "ipc-namespace own-identity", ["attach shared memory", "list shared memory"]),
    breached(
        "P18",
        "ipc-namespace own-identity landlock",
        ["attach shared memory", "open a message queue"],
    ),
    breached("P19", "environment", ["own CALLERS_CANARY", "the command's CALLERS_CANARY"]),
    # P20: what the caller's terminal is for the kernel shows which wall is gone. Even with two of
    # them gone nothing is typed: it is not the terminal of the command's own session.
    held("P20", "system-calls", meets={OWN_TIOCSTI: TYPED}),
    held("P20", "landlock", meets={OWN_TIOCSTI: "EPERM"}),
    breached("P20", "own-terminal", ["find it as descriptor 0"], {OWN_TIOCSTI: "EPERM"}),
    breached("P20", "new-root landlock", ["open the caller's terminal by its path"]),
    # Its own terminal is then one of the host's.
    breached("P20", "private-dev", ["find it as descriptor 0"]),
    breached("P20", "own-terminal system-calls", ["find it as descriptor 0"]),
    breached("P22", "git-settings", ["run by git: fsmonitor", "run by git: pre-commit"]),
    # P23: without the namespace everything is there; the others stand behind each other.
    held("P23", "network-redirect", meets={LOOPBACK: "ECONNREFUSED"}),
    held("P23", "network-names", meets={OTHERS_PORT: "ECONNRESET", LOOPBACK: "ECONNREFUSED"}),
    held("P23", "network-addresses", meets={OTHERS_PORT: "ECONNRESET"}),
    breached("P23", "network-namespace", [LOOPBACK]),
    breached("P23", "network-names network-addresses", [OTHERS_PORT], {LOOPBACK: "ECONNREFUSED"}),
    breached(
        "P23", "network-namespace network-redirect network-names network-addresses", [LOOPBACK]
    ),
    # P24: who answers for every name has let it out, by the connection that follows.
    held("P24", "network-redirect", meets={HOSTS_SERVER: "ECONNREFUSED"}),
    breached("P24", "network-names", ["ask for A"], {HOSTS_SERVER: "ECONNREFUSED"}),
    breached("P24", "network-namespace", [HOSTS_SERVER]),
    breached("P24", "network-namespace network-redirect network-names", [HOSTS_SERVER]),
    held("P25", "network-redirect", meets={LOOPBACK: "ECONNREFUSED"}),
    breached("P25", "network-addresses", [THIS_MACHINE], {LOOPBACK: "ECONNREFUSED"}),
    breached("P25", "network-namespace", [LOOPBACK, THIS_MACHINE]),
    breached(
        "P25", "network-namespace network-redirect network-addresses", [LOOPBACK, THIS_MACHINE]
    ),
    held("P26", "network-names", meets={FIRST: "works"}),
    held("P26", "network-addresses", meets={FIRST: "works"}),
    breached("P26", "network-redirect", ["cannot " + FIRST]),
    held("P27", "network-addresses", meets={"show another Host": "a page with the reason"}),
    breached("P27", "network-names", WRONG_NAMES),
    # Without the redirect there is no route; without the namespace, the host's.
    held("P28", "network-redirect", meets={UDP_HOME: "ECONNREFUSED"}),
    breached("P29", "environment", [ENVIRONMENT]),
    held("P29", "landlock", meets={"read the file {home}/proxy-login": "ENOENT"}),
    held("P29", "new-root", meets={"read the file {home}/proxy-login": "EACCES"}),
    breached("P29", "private-home", [LOGIN]),
    breached("P29", "new-root landlock", [LOGIN]),
    breached("P29", "environment new-root landlock private-home", [ENVIRONMENT, LOGIN]),
    breached(
        "P28",
        "network-namespace",
        ["UDP to the host's loopback"],
        {"netlink protocol 9": "EAFNOSUPPORT"},
    ),
    breached(
        "P28", "system-calls", ["netlink protocol 9"], {UDP_HOME: "ECONNREFUSED", UDP_GROUP: "EPERM"}
    ),
    breached("P33", "limits", BOMBS, {PIPE: "EPERM"}),
    breached("P33", "system-calls", [PIPE], {"have too many processes": "EAGAIN"}),
    breached("P33", "limits system-calls", [*BOMBS, PIPE]),
    held("P34", "landlock", meets={"write into the runs": "ENOENT"}),
    breached("P34", "capabilities", ["clear the securebits"]),
    breached(
        "P34", "private-home", ["connect to a control socket"], {"write into the runs": "EROFS"}
    ),
    breached("P34", "new-root", ["connect to a control socket"], {"write into the runs": "EACCES"}),
    breached("P34", "new-root landlock", ["write into the runs", "write into the state"]),
]

# The owner of a key may look at its description, which is not its content; root's guest does not
# own root's keys. The same with root's shared memory.
if AS_ROOT:
    ROWS += [
        breached("P03", "own-identity", ["this process is the host's uid 0"]),
        held("P17", "system-calls", meets={"read the session key": "EACCES"}),
        breached(
            "P18", "ipc-namespace", ["list shared memory"], {"attach shared memory": "EACCES"}
        ),
    ]
else:
    ROWS += [
        breached(
            "P17",
            "system-calls",
            ["describe the session key"],
            {"read the session key": "EACCES", "link the session key": "EACCES"},
        ),
        breached("P18", "ipc-namespace", ["attach shared memory"]),
    ]

ROWS = sorted(map(both_users, ROWS), key=lambda row: row.promise)
