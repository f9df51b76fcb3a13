"""The namespaces of the lab and the cable between them, for an ordinary user and for root alike.

An ordinary user gets a user namespace where the ids are their own, so that what is executed in it has
no capability at all; until then this process may build. Root needs none, and stays what it is.
"""

import ctypes
import os
import signal
import subprocess
import traceback

from lab import names

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 1, 47, 2
CAP_NET_ADMIN = 12
CAPABILITY_VERSION_3 = 0x20080522

HOST_LINK, FAR_LINK = "rw0", "rw1"

HOST_SIDE = f"""
link set lo up
link set {HOST_LINK} up
addr add {names.HOST}/24 dev {HOST_LINK}
addr add {names.HOST_PUBLIC}/32 dev {HOST_LINK}
addr add {names.HOST6}/64 dev {HOST_LINK} nodad
addr add {names.HOST_PUBLIC6}/128 dev {HOST_LINK} nodad
route add default via {names.ROUTER} src {names.HOST}
route add default via {names.ROUTER6} src {names.HOST6}
"""

# Every address is local there but those of the cable itself, which a longer prefix takes out again.
FAR_SIDE = f"""
link set lo up
link set {FAR_LINK} up
addr add {names.ROUTER}/24 dev {FAR_LINK}
addr add {names.ROUTER6}/64 dev {FAR_LINK} nodad
route add 192.168.77.0/24 dev {FAR_LINK} table local
route add local 0.0.0.0/0 dev lo table local
route add fd77::/64 dev {FAR_LINK} table local
route add local ::/0 dev lo table local
"""


def checked(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags):
    checked(LIBC.unshare(flags), "unshare")


def bind(source, target):
    checked(LIBC.mount(os.fsencode(source), os.fsencode(target), None, MS_BIND, None), f"mount {target}")


def mount_tmpfs(target):
    checked(LIBC.mount(b"tmpfs", os.fsencode(target), b"tmpfs", 0, None), f"mount {target}")


def own_mounts():
    unshare(CLONE_NEWNS)
    checked(LIBC.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "mount /")


def become_builder():
    """A user namespace, if we are not root; the ids inside are those outside."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        return
    unshare(CLONE_NEWUSER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def own_network():
    unshare(CLONE_NEWNET)


def keep_net_admin():
    """In a child before its exec: the one capability that `ip` needs outlives that exec."""
    if os.geteuid() == 0:
        return
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    checked(LIBC.capget(header, sets), "capget")
    sets[2] = 1 << CAP_NET_ADMIN  # inheritable; effective and permitted stay
    checked(LIBC.capset(header, sets), "capset")
    checked(LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0), "prctl")


def ip(script):
    """Runs the lines of a script through `ip`; addresses tell the family."""
    lines = [f"-6 {line}" if ":" in line else line for line in script.strip().splitlines()]
    for family in ("-4", "-6"):
        chosen = [line.removeprefix("-6 ") for line in lines if line.startswith("-6") == (family == "-6")]
        subprocess.run(
            ["/usr/sbin/ip", family, "-batch", "-"],
            input="\n".join(chosen) + "\n",
            text=True,
            check=True,
            preexec_fn=keep_net_admin,
        )


def lay_cable(far_pid):
    """From the host side: one end here, the other in the network of that process."""
    ip(f"link add {HOST_LINK} type veth peer name {FAR_LINK} netns {far_pid}\n{HOST_SIDE}")


def wire_far_side():
    ip(FAR_SIDE)
    # The servers are an ordinary user's and still stand on the ports everybody knows.
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", "w", encoding="ascii") as file:
        file.write("0")


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def fork(work, *arguments):
    """Runs work(*arguments) in a child that ends with us and keeps our rights; its pid."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        die_with_parent()
        if os.getppid() in (parent, 0):  # 0: the parent is outside of our pid namespace
            work(*arguments)
            status = 0
    except BaseException:  # nothing of the parent's may run in the child
        traceback.print_exc()
    os._exit(status)


def fork_with_everything(work, *arguments):
    """In a pid namespace of its own, so that all who come of it end with it; returns after its end.

    SIGTERM to the caller ends it.
    """
    unshare(CLONE_NEWPID)
    pid = fork(work, *arguments)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
    os.waitpid(pid, 0)
