"""Facts outside: canaries planted in a made-up home, listening sockets, keys and IPC objects.

The tests' own home is made up already (tests/support/run_pytest.sh), so nothing of a person's is
touched.
"""

import base64
import ctypes
import json
import os
import secrets
import socket
import subprocess
import threading
import time

import control_client

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_ADD_KEY, SYS_KEYCTL = 248, 250
JOIN_SESSION_KEYRING, LINK, UNLINK = 1, 8, 9
SESSION_KEYRING, USER_KEYRING = -3, -4
IPC_CREAT, IPC_EXCL, IPC_RMID = 0o1000, 0o2000, 0

CREDENTIALS = [
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".config/gh/hosts.yml",
    ".npmrc",
    ".netrc",
    ".docker/config.json",
    ".claude/.credentials.json",
    ".mozilla/firefox/profiles.ini",
]
NAMESPACES = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"]

# What a careless caller has set; none of it may come inside.
CALLERS_VARIABLES = {
    "BASH_ENV": "/dev/null",
    "NODE_OPTIONS": "--no-warnings",
    "PYTHONPATH": "/nonexistent",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "SSH_AUTH_SOCK": "/nonexistent/agent",
    "LD_LIBRARY_PATH": "/nonexistent",
    "GIT_DIR_CANARY": "1",
    "SOME_API_KEY": "key",
}


def syscall(number, *arguments):
    result = LIBC.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def start_time(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return int(stat.read().rpartition(")")[2].split()[19])


def listen_unix(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    return listener


class Outside:
    def __init__(self, folder):
        self.home = os.environ["HOME"]
        self.workspace = str(folder / "workspace")
        os.makedirs(self.workspace)
        self.held = []  # sockets and processes that live as long as this
        self.secret = "canary-" + secrets.token_hex(16)
        self.facts = {
            "home": self.home,
            "workspace": self.workspace,
            "canary_secret": self.secret,
            "canary_variable": "CALLERS_CANARY",
            "caller_is_root": os.getuid() == 0,
            "own_binary": os.environ["RINGWALL_BIN"],
            "runs_folder": control_client.runs_folder(),
            "state_folder": os.path.join(self.home, ".local/state/ringwall"),
            "namespaces": [os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES],
        }
        self.plant_files()
        self.plant_sockets()
        self.plant_keys()
        self.plant_ipc()
        self.start_bystander()
        self.start_servers()
        self.plant_secret()

    def plant_files(self):
        credentials = []
        for name in CREDENTIALS:
            path = os.path.join(self.home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(self.secret + "\n")
            os.chmod(path, 0o600)
            facts = os.stat(path)
            credentials.append(
                {
                    "path": path,
                    "inode": facts.st_ino,
                    "size": facts.st_size,
                    "modified": facts.st_mtime_ns,
                }
            )
        with open(os.path.join(self.home, ".gitconfig"), "w") as file:
            file.write("[user]\n\tname = A Person\n\temail = person@example.invalid\n")
        self.facts["credentials"] = credentials
        self.facts["canary_file"] = credentials[0]["path"]

    def plant_sockets(self):
        self.facts["canary_socket"] = os.path.join(self.home, ".agent.sock")
        self.facts["workspace_socket"] = os.path.join(self.workspace, "ipc.sock")
        self.facts["abstract_socket"] = "canary-" + secrets.token_hex(8)
        self.facts["late_socket"] = os.path.join(self.workspace, "late.sock")
        threading.Thread(target=self.serve_late_socket, daemon=True).start()
        for name in (
            self.facts["canary_socket"],
            self.facts["workspace_socket"],
            "\0" + self.facts["abstract_socket"],
        ):
            self.held.append(listen_unix(name))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        self.facts["udp_port"] = udp.getsockname()[1]
        self.held.append(udp)

    def serve_late_socket(self):
        """Makes the socket while somebody wants it."""
        path, made = self.facts["late_socket"], None
        while os.path.isdir(self.workspace):
            is_wanted = os.path.exists(path + ".wanted")
            if is_wanted and made is None:
                made = listen_unix(path)
            if not is_wanted and made is not None:
                os.unlink(path)
                made.close()
                made = None
            time.sleep(0.005)

    def start_servers(self):
        """Those that verify plants as well, and the flags that grant some of them."""
        servers = subprocess.Popen(
            [os.environ["RINGWALL_PROBE_BIN"], "--serve", self.secret], stdout=subprocess.PIPE
        )
        self.held.append(servers)
        planted = json.loads(servers.stdout.readline())
        self.grants = json.loads(servers.stdout.readline())
        for name, value in planted.items():
            if value and (name.endswith("_port") or name in ("granted_name", "granted_zone", "own_name")):
                self.facts[name] = value

    def plant_secret(self):
        """What the supervisor knows: by a variable, and by the login of a proxy."""
        self.password = "kept-" + secrets.token_hex(16)
        self.login = os.path.join(self.home, "proxy-login")
        with open(self.login, "w") as file:
            file.write(f"user:{self.password}\n")
        encoded = base64.b64encode(f"user:{self.password}".encode()).decode()
        self.facts["secrets_backwards"] = [text[::-1] for text in (self.password, encoded)]
        self.facts["secret_files"] = [self.login]

    def plant_keys(self):
        """Only whoever possesses these keys, by a keyring that he is in, can read them."""
        syscall(SYS_KEYCTL, JOIN_SESSION_KEYRING, None)
        secret = self.secret.encode()

        def add(keyring, name):
            return syscall(SYS_ADD_KEY, b"user", name, secret, len(secret), keyring)

        self.facts["canary_key"] = add(SESSION_KEYRING, b"canary-session")
        # One keyring for all of the user's processes: another test there must not replace ours.
        name = f"canary-user-{os.getpid()}".encode()
        self.facts["canary_user_key"] = add(USER_KEYRING, name)
        syscall(SYS_KEYCTL, LINK, USER_KEYRING, SESSION_KEYRING)

    def plant_ipc(self):
        key = 0x52000000 | os.getpid() & 0xFFFFFF
        self.segment = LIBC.shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0o600)
        assert self.segment >= 0
        self.facts["shared_memory_key"] = key
        self.facts["message_queue"] = "/canary-" + secrets.token_hex(8)
        name = self.facts["message_queue"].encode()
        queue = LIBC.mq_open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600, None)
        assert queue >= 0
        os.close(queue)

    def start_bystander(self):
        bystander = subprocess.Popen(["sleep", "600"])
        self.held.append(bystander)
        self.facts["outside_pid"] = bystander.pid
        self.facts["outside_pid_start"] = start_time(bystander.pid)

    def environment(self):
        """The caller's, with a canary and with every variable that is dangerous to pass on."""
        variables = dict(os.environ, CALLERS_CANARY=self.secret, **CALLERS_VARIABLES)
        variables["CALLERS_PASSWORD"] = self.password
        return variables

    def json(self):
        return json.dumps(self.facts)

    def remove(self):
        for thing in self.held:
            if isinstance(thing, subprocess.Popen):
                thing.kill()
                thing.wait()
                if thing.stdout:
                    thing.stdout.close()
            else:
                thing.close()
        LIBC.shmctl(self.segment, IPC_RMID, None)
        LIBC.mq_unlink(self.facts["message_queue"].encode())
        syscall(SYS_KEYCTL, UNLINK, self.facts["canary_user_key"], USER_KEYRING)
        os.unlink(self.facts["canary_socket"])
        os.unlink(self.login)
