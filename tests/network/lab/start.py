"""From nothing to a command that runs in the lab, and back to nothing."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from lab import dns, material, names, namespaces, postgres, proxy, streams, tap, web
from lab.datagrams import both_families
from lab.journal import Journal

FOLDER_VARIABLE = "RINGWALL_LAB"
PATIENCE_SECONDS = 20
BACKLOG = 4096


def listener(port, address="", family=socket.AF_INET):
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind((address, port))
    made.listen(BACKLOG)
    return made


def both(port, v4="", v6=""):
    return [listener(port, v4), listener(port, v6, socket.AF_INET6)]


def all_of(ports):
    return [made for port in ports for made in both(port)]


def daemon(words, folder, name, program=None):
    """A server that is a program of its own; it ends with this process."""
    with open(folder / f"{name}.log", "wb") as log:
        return subprocess.Popen(
            words,
            executable=program,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=namespaces.die_with_parent,
        )


def wait_for_port(port, log):
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise RuntimeError(f"nothing listens on {port}: {log.read_text()}") from None
            time.sleep(0.005)


def make_account(folder):
    """A person to log in as: ourselves, with another home, and not locked."""
    me = pwd.getpwuid(os.geteuid())
    everybody = pathlib.Path("/etc/passwd").read_text().splitlines()
    others = [line for line in everybody if not line.startswith(f"{me.pw_name}:")]
    mine = f"{me.pw_name}:x:{me.pw_uid}:{me.pw_gid}::{folder}/login-home:/bin/sh"
    (folder / "etc/passwd").write_text("\n".join([mine, *others]) + "\n")
    namespaces.bind(folder / "etc/passwd", "/etc/passwd")
    if os.geteuid() == 0:
        (folder / "etc/shadow").write_text(f"{me.pw_name}:*:19000:0:99999:7:::\n")
        namespaces.bind(folder / "etc/shadow", "/etc/shadow")


def far_side(folder, journal, programs, ready, wired):
    """The far side from its beginning to its end, in namespaces of its own."""
    namespaces.own_mounts()
    namespaces.own_network()
    os.write(ready, b"n")
    os.read(wired, 1)
    namespaces.wire_far_side()
    bind_etc_files(folder)
    namespaces.fork_with_everything(serve_far_side, folder, journal, programs, ready)


def serve_far_side(folder, journal, programs, ready):
    """Binds everything, hands it to servers, and waits."""
    fork = namespaces.fork
    fork(tap.serve, tap.tap_socket(namespaces.FAR_LINK), journal)
    fork(dns.serve, both_families(53), both(53), journal)
    raw = [(port, made) for port in streams.PORTS for made in both(port)]
    fork(streams.serve, raw, both_families(names.UDP_ECHO), journal)
    fork(proxy.serve, both(names.PROXY_PORT), journal)
    certificate = (folder / "server.pem", folder / "server.key")
    fork(
        *(web.serve, all_of(names.HTTP_PORTS), all_of(names.HTTPS_PORTS), journal),
        *(folder / "repositories", *certificate),
    )
    fork(postgres.serve, both(names.POSTGRES_PORT), journal, *certificate)
    start_programs(folder)
    for number, words in enumerate(programs):
        daemon(words, folder, f"program-{number}")
    os.write(ready, b"r")
    signal.pause()


def start_programs(folder):
    """Servers that come from packages without a service, since tests shall start none on the host."""
    make_account(folder)
    ssh = ["-F", "-E", "-s", "-m", "-r", str(folder / "host_key"), "-p", str(names.SSH_PORT)]
    daemon(["/usr/sbin/dropbear", *ssh], folder, "ssh")
    # This program is redis-server if it is called so.
    settings = ["--port", str(names.REDIS_PORT), "--bind", "0.0.0.0", "::", "--protected-mode", "no"]
    words = ["redis-server", *settings, "--save", "", "--dir", str(folder)]
    daemon(words, folder, "redis", "/usr/bin/redis-check-rdb")
    wait_for_port(names.SSH_PORT, folder / "ssh.log")
    wait_for_port(names.REDIS_PORT, folder / "redis.log")


def bind_etc_files(folder):
    for name in ("resolv.conf", "hosts", "nsswitch.conf"):
        namespaces.bind(folder / "etc" / name, os.path.realpath(f"/etc/{name}"))
    namespaces.bind(folder / "certs", "/etc/ssl/certs")


def host_servers(journal):
    """Servers of the host itself: on its loopback, and on its own addresses."""
    made = []
    for port in (names.LOOPBACK_PORT, names.OTHER_LOOPBACK_PORT):
        made += both(port, "127.0.0.1", "::1")
    own = names.OWN_ADDRESS_PORT
    made += [*both(own, names.HOST, names.HOST6), *both(own, names.HOST_PUBLIC, names.HOST_PUBLIC6)]
    return namespaces.fork(web.serve, made, [], journal)


def expect(pipe, wanted):
    if os.read(pipe, 1) != wanted:
        raise RuntimeError("the far side of the lab did not come up")


def build(folder, programs=()):
    """The lab around this process, whose children are on the host side from now on.

    PROGRAMS are further servers of the far side. Returns the processes that are to be ended when it is no longer wanted.
    """
    journal = Journal(folder / "journal")
    material.make(folder)
    namespaces.become_builder()
    namespaces.own_mounts()
    ready_end, ready = os.pipe()
    wired, wired_end = os.pipe()

    def far():
        os.close(ready_end)
        os.close(wired_end)
        far_side(folder, journal, programs, ready, wired)

    far_pid = namespaces.fork(far)
    os.close(ready)
    os.close(wired)
    expect(ready_end, b"n")
    namespaces.own_network()
    namespaces.lay_cable(far_pid)
    os.write(wired_end, b"w")
    bind_etc_files(folder)
    host_pid = host_servers(journal)
    expect(ready_end, b"r")
    return [far_pid, host_pid]


def end(pids):
    """Ends them and waits, so that not even a zombie is left for somebody else."""
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
    for pid in pids:
        os.waitpid(pid, 0)


def run(command, programs=()):
    """Runs the command in a lab made for it; its exit status."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lab."))
    try:
        pids = build(folder, programs)
        env = os.environ | {FOLDER_VARIABLE: str(folder)}
        child = subprocess.Popen(command, env=env, preexec_fn=namespaces.die_with_parent)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda received, _: child.send_signal(received))
        status = child.wait()
        end(pids)
        return status if status >= 0 else 128 - status
    finally:
        shutil.rmtree(folder, ignore_errors=True)
