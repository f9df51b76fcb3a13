"""What the servers need before they can start: certificates, keys, repositories, files of /etc."""

import os
import pathlib
import socket
import subprocess

from lab import names

COMMITS = """blob
mark :1
data 6
hello

commit refs/heads/main
committer Lab <lab@rwlab.net> 1700000000 +0000
data 5
first
M 100644 :1 README.md

done
"""


def run(*words, **options):
    return subprocess.run([*map(str, words)], check=True, capture_output=True, **options)


def certificates(folder):
    """A certificate authority, and one certificate for every name of the lab."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    run(
        *("openssl", "req", "-x509", *key, "-subj", "/CN=lab authority"),
        *("-keyout", folder / "ca.key", "-out", folder / "ca.pem"),
    )
    alternatives = f"DNS:*.{names.ZONE},DNS:*.{names.WILDCARD}.{names.ZONE},IP:{names.WEB},IP:{names.WEB6}"
    run(
        *("openssl", "req", "-x509", *key, "-subj", "/CN=lab", "-CA", folder / "ca.pem"),
        *("-CAkey", folder / "ca.key", "-addext", f"subjectAltName={alternatives}"),
        *("-addext", "basicConstraints=critical,CA:FALSE"),
        *("-keyout", folder / "server.key", "-out", folder / "server.pem"),
    )
    store = folder / "certs"
    store.mkdir()
    authority = (folder / "ca.pem").read_bytes()
    (store / "ca-certificates.crt").write_bytes(authority)
    digest = run("openssl", "x509", "-hash", "-noout", "-in", folder / "ca.pem").stdout
    (store / f"{digest.decode().strip()}.0").write_bytes(authority)


def ssh_keys(folder):
    """A key for the server, one for the client, and a home where the client may log in."""
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", folder / "client_key")
    made = run("dropbearkey", "-t", "ed25519", "-f", folder / "host_key")
    host_key = next(line for line in made.stdout.decode().splitlines() if line.startswith("ssh-"))
    (folder / "known_hosts").write_text(f"{names.full('git')} {host_key}\n")
    settings = folder / "login-home/.ssh"
    settings.mkdir(parents=True, mode=0o700)
    settings.parent.chmod(0o700)
    (settings / "authorized_keys").write_bytes((folder / "client_key.pub").read_bytes())
    (settings / "authorized_keys").chmod(0o600)


def repositories(folder):
    folder.mkdir()
    repository = folder / "thing.git"
    run("git", "init", "-q", "--bare", "-b", "main", repository)
    run("git", "-C", repository, "config", "http.receivepack", "true")
    run("git", "-C", repository, "fast-import", "--quiet", "--done", input=COMMITS.encode())


def etc_files(folder):
    """Files that take the place of the machine's own on the host side."""
    folder.mkdir()
    listed = [f"{address} {names.full(name)}" for name, address in names.HOSTS_FILE.items()]
    hosts = [f"127.0.0.1 localhost {socket.gethostname()}", "::1 localhost ip6-localhost", *listed]
    (folder / "hosts").write_text("\n".join(hosts) + "\n")
    (folder / "resolv.conf").write_text(f"nameserver {names.RESOLVER}\n")
    (folder / "nsswitch.conf").write_text("passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n")


def make(folder):
    """Everything at once: each takes a moment, and none needs another."""
    folder = pathlib.Path(folder)
    jobs = [
        (certificates, folder),
        (ssh_keys, folder),
        (repositories, folder / "repositories"),
        (etc_files, folder / "etc"),
    ]
    children = {}
    for work, place in jobs:
        pid = os.fork()
        if pid == 0:
            try:
                work(place)
            except subprocess.CalledProcessError as error:
                os.write(2, f"{error}\n{error.stderr.decode()}".encode())
                os._exit(1)
            os._exit(0)
        children[pid] = work.__name__
    failed = [name for pid, name in children.items() if os.waitpid(pid, 0)[1] != 0]
    if failed:
        raise RuntimeError(f"the lab could not make: {', '.join(failed)}")
