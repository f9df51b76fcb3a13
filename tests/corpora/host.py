"""The throw-away host of one run of one case: a home with made-up keys, a workspace in it, listeners.

Whatever a case does, bare or inside, it does here. Nothing of it is left when the run has been judged.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import lab_journal
import listeners

PATIENCE_SECONDS = 60
LOOKS_AT_AN_END = 25
REMOVALS = 20
ORDINARY_USER = "ringwall-test"
# Places of secrets in a home, and what stands around the secret there.
SECRET_PLACES = {
    ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----\n",
    ".aws/credentials": "[default]\naws_secret_access_key = {}\n",
    ".config/gcloud/application_default_credentials.json": '{{"refresh_token": "{}"}}\n',
    ".kube/config": "users:\n- user:\n    token: {}\n",
    ".docker/config.json": '{{"auths": {{"r.example": {{"auth": "{}"}}}}}}\n',
    ".config/gh/hosts.yml": "github.com:\n  oauth_token: {}\n",
    ".netrc": "machine example.com login me password {}\n",
    ".npmrc": "//registry.npmjs.org/:_authToken={}\n",
    ".pypirc": "[pypi]\npassword = {}\n",
    ".cargo/credentials.toml": '[registry]\ntoken = "{}"\n',
    ".git-credentials": "https://me:{}@example.com\n",
    ".gnupg/private-keys-v1.d/0A.key": "Key: {}\n",
    ".claude/.credentials.json": '{{"accessToken": "{}"}}\n',
    ".codex/auth.json": '{{"OPENAI_API_KEY": "{}"}}\n',
    ".gemini/oauth_creds.json": '{{"refresh_token": "{}"}}\n',
    ".mozilla/firefox/a.default/logins.json": '{{"encryptedPassword": "{}"}}\n',
    ".config/google-chrome/Default/Login Data": "SQLite {}\n",
    ".local/share/keyrings/login.keyring": "GnomeKeyring {}\n",
    ".bash_history": "export TOKEN={}\n",
    "notes.txt": "private: {}\n",
}
SETTINGS = {
    ".bashrc": "# the person's own\n",
    ".profile": "# the person's own\n",
    ".gitconfig": "[user]\n\tname = Some Body\n\temail = some@body.example\n",
    ".claude/settings.json": "{}\n",
}
SECRET_VARIABLES = ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL"]


def ordinary_user():
    """Who acts where root must not: ourselves, unless we are root."""
    return pwd.getpwuid(os.getuid()) if os.getuid() else pwd.getpwnam(ORDINARY_USER)


def open_the_way(path):
    """Lets another user pass folders of root's own, such as a private TMPDIR."""
    for folder in path.parents:
        facts = folder.stat()
        if facts.st_uid == 0 and facts.st_mode & 0o011 == 0:
            folder.chmod(facts.st_mode | 0o011)


def repository(environment):
    """A small git repository to copy from; made once for all hosts of this process."""
    place = Path(os.environ["RINGWALL_CORPUS_BUILD"], f"repository-{os.getpid()}")
    if not place.exists():
        (place / "src").mkdir(parents=True)
        (place / "README.md").write_text("# A project\n")
        (place / "src/main.py").write_text('print("hello")\n')
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
            subprocess.run(["/usr/bin/git", *words], cwd=place, env=environment, check=True)
    return place


def lineage(pid):
    """A process and those that it comes of."""
    while pid:
        yield pid
        try:
            pid = int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return


def is_ending(process):
    """Whether a process was killed, even if it had no time yet to notice; once it has, nothing shows that until its end."""
    for _ in range(LOOKS_AT_AN_END):
        if process.poll() is not None:
            return True
        lines = Path("/proc", str(process.pid), "status").read_text().splitlines()
        pending = [int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd:", "ShdPnd:"))]
        if any(mask >> (signal.SIGKILL - 1) & 1 for mask in pending):
            return True
        time.sleep(0.02)
    return False


class Host:
    def __init__(self, user):
        """A host of USER, an entry of the list of accounts."""
        self.user = user
        self.secret = "rwsecret" + secrets.token_hex(12)
        self.root = Path(tempfile.mkdtemp(prefix="rwhost", dir=os.environ.get("TMPDIR", "/tmp")))
        self.root.chmod(0o755)
        self.home = self.root / "home"
        self.work = self.home / "project"
        self.runtime = self.root / "runtime"
        self.temporary = self.root / "tmp"  # of what runs bare, which would leave things in /tmp
        self.facts = {"RINGWALL": os.environ.get("RINGWALL_BIN", ""), "SECRET": self.secret, "HOME": self.home, "WORK": self.work, "RUNTIME": self.runtime, "ROOT": self.root}
        self.variables = {}
        self.closing = []
        self.beside = set()  # processes of the person's that run already when a wall is started
        self.started = set()  # those among them that start() made: in the midst of an exec, one shows no environment
        self.lab = lab_journal.here()
        self.fill()

    def fill(self):
        for folder in (self.home, self.runtime, self.temporary):
            folder.mkdir(mode=0o700)
        for name, text in SECRET_PLACES.items():
            self.write(f"~/{name}", text.format(self.secret), 0o600)
        for name, text in SETTINGS.items():
            self.write(f"~/{name}", text)
        shutil.copytree(repository(self.environment()), self.work, symlinks=True)
        self.own()

    def own(self):
        """What was made on the person's behalf is the person's."""
        if os.getuid() == 0 and self.user.pw_uid != 0:
            open_the_way(self.root)
            for folder, folders, files in os.walk(self.root):
                for name in (".", *folders, *files):
                    os.chown(f"{folder}/{name}", self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)

    # What cases prepare

    def path(self, name):
        """~/NAME is in the home, NAME in the workspace."""
        return self.home / name[2:] if name.startswith("~/") else self.work / name

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        return path

    def listen(self, what="tcp"):
        """A listener on loopback, "tcp", "tcp6" or "udp"; or a socket at a path, or an abstract one ("\\0...")."""
        if what in ("tcp", "tcp6"):
            family = socket.AF_INET6 if what == "tcp6" else socket.AF_INET
            made = listeners.Streams(family, ("::1" if what == "tcp6" else "127.0.0.1", 0))
        elif what == "udp":
            made = listeners.Datagrams(socket.AF_INET, ("127.0.0.1", 0))
        elif str(what).startswith("\0"):
            made = listeners.Streams(socket.AF_UNIX, what)
        else:
            made = listeners.at_path(str(what))
        self.closing.append(made.close)
        if what in ("tcp", "tcp6", "udp"):
            self.facts["PORT"] = made.port
        return made

    def start(self, *words, **options):
        """A program of the person's that runs beside; it ends with this host."""
        made = subprocess.Popen(
            [*map(str, words)], cwd=self.work, env=self.environment(), stdin=subprocess.DEVNULL,
            preexec_fn=self.become, start_new_session=True, **options,
        )  # fmt: skip
        self.closing.append(lambda: (made.kill(), made.wait()))
        self.started.add(made.pid)
        return made

    def git(self, *words):
        """git as the person calls it outside; what it printed."""
        done = subprocess.run(
            ["/usr/bin/git", *words], cwd=self.work, env=self.environment(), stdin=subprocess.DEVNULL,
            preexec_fn=self.become, capture_output=True, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    # What adapters need

    def become(self):
        """In a child before its exec: the person of this host."""
        if os.getuid() != self.user.pw_uid:
            os.setgroups([self.user.pw_gid])
            os.setresgid(*[self.user.pw_gid] * 3)
            os.setresuid(*[self.user.pw_uid] * 3)

    def environment(self):
        values = {
            "HOME": str(self.home),
            "USER": self.user.pw_name,
            "LOGNAME": self.user.pw_name,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/sh",
            "XDG_RUNTIME_DIR": str(self.runtime),
        }
        values |= {name: f"value-{self.secret}" for name in SECRET_VARIABLES}
        return values | self.variables

    def fill_in(self, text):
        """TEXT with @HOME@, @WORK@, @PORT@ and whatever else a case put into `facts`."""
        for name, value in self.facts.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    # What judges look at

    def read(self, name):
        """The bytes of a file, or b"" if there is none."""
        try:
            return self.path(name).read_bytes()
        except OSError:
            return b""

    def arrived(self, text=None):
        """Whether anything that is outside of every wall got TEXT, the secret if not told otherwise: see lab/."""
        return self.lab.arrived(text or self.secret)

    def running(self, text):
        """Pids of processes with TEXT in their arguments, whatever else they have changed of themselves."""
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if text.encode() in Path("/proc", entry, "cmdline").read_bytes():
                    found.append(int(entry))
            except OSError:
                continue
        return found

    def processes(self):
        """Pids of this host's person's processes, by the home in their environment."""
        home = f"HOME={self.home}".encode()
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if home in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                    found.append(int(entry))
            except OSError:
                continue
        return found

    def newcomers(self):
        """Those that were not there when the wall was started, and come of none that was."""
        return [pid for pid in self.processes() if not self.beside & set(lineage(pid))]

    def wait_for(self, happened, seconds=PATIENCE_SECONDS):
        """For what only has to happen; whether it did."""
        end = time.monotonic() + seconds
        while not (value := happened()) and time.monotonic() < end:
            time.sleep(0.01)
        return value

    def working_here(self):
        """Pids of processes whose folder is ours, whatever they have changed of themselves.

        Not of those that serve all hosts, such as what keeps podman's namespaces.
        """
        found = []
        shared = f"HOME={os.environ.get('RINGWALL_PODMAN')}/home".encode()
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                is_here = Path(os.readlink(f"/proc/{entry}/cwd")).is_relative_to(self.root)
                if is_here and shared not in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                    found.append(int(entry))
            except OSError:
                continue
        return found

    def end_all(self):
        for _ in range(100):
            left = {*self.processes(), *self.running(self.secret), *self.working_here()} - {os.getpid()}
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if not left:
                return
            time.sleep(0.01)

    def close(self):
        """Ends and removes everything that belongs to this host."""
        for close in reversed(self.closing):
            close()
        for attempt in range(REMOVALS):
            self.end_all()
            try:
                for folder, folders, _ in os.walk(self.root):
                    for name in folders:
                        if not os.path.islink(f"{folder}/{name}"):
                            os.chmod(f"{folder}/{name}", 0o700)
                return shutil.rmtree(self.root)
            except OSError:  # somebody was just about to write
                if attempt == REMOVALS - 1:
                    raise
                time.sleep(0.05)
