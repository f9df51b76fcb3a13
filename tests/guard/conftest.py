"""A guard of the tests' own, and an ordinary user's sandboxes under it.

The guard runs in a mount namespace of its own, with a /run/ringwall of its own: neither the host's guard nor a test
beside this one sees it. Whatever it marks are mounts of sandboxes that these tests start.
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

HERE = pathlib.Path(__file__).resolve().parent
BINARY = pathlib.Path(os.environ.get("RINGWALL_BIN", "build/ringwall"))
START_SECONDS = 20
RUN_SECONDS = 120
# Given to the guard's shell: a folder of its own for the socket and the pins, then the guard itself.
BEGIN = 'mkdir -p /run/ringwall && mount -t tmpfs -o mode=755 none /run/ringwall && exec "$@"'


def test_user():
    for name in ("ringwall-test", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return None


class Guard:
    """One running guard; commands are started where its socket can be seen."""

    def __init__(self, log, *arguments):
        self.log = log
        command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", BEGIN, "sh"]
        command += [BINARY, "guard", *arguments]
        with open(log, "wb") as words:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=words)
        self.wait_until_ready()

    def wait_until_ready(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if "listens at" in self.words():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        words = self.words()
        self.end()
        if "takes none of the guard's programs" in words:
            pytest.skip(f"this kernel takes no programs of the guard's: {words}")
        pytest.fail(f"the guard did not start: {words}")

    def words(self):
        return self.log.read_text(errors="replace")

    def kind(self):
        return "lsm" if "enforces by lsm" in self.words() else "tracepoints"

    def around(self):
        return ["nsenter", f"--mount=/proc/{self.process.pid}/ns/mnt"]

    def command(self, user, home, *words):
        who = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        # One home for all: what the first run finds of the system's programs is kept there.
        settings = ["env", "-i", f"HOME={home.parent}/person", "PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
        return [*self.around(), f"--wd={home}/work", *who, *settings, *map(str, words)]

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(60)
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="session")
def needs_root():
    if os.getuid() != 0:
        pytest.skip("only root can load programs into the kernel")
    if test_user() is None:
        pytest.skip("there is no ordinary user here")


@pytest.fixture(scope="session")
def user(needs_root):
    return test_user()


@pytest.fixture(scope="session")
def place():
    """A folder that everybody can enter: what pytest gives to root is root's alone."""
    with tempfile.TemporaryDirectory(prefix="ringwall-guard-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(scope="session")
def programs(place):
    """The attack programs, in a folder that everybody can read."""
    subprocess.run([HERE / "build.sh", place / "programs"], check=True)
    return place / "programs"


@pytest.fixture(scope="session")
def make_home(place, user):
    """Folders of the ordinary user, each with a workspace."""

    def make():
        folder = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir=place))
        (folder / "work").mkdir()
        (place / "person").mkdir(exist_ok=True)
        for path in (folder, folder / "work", place / "person"):
            shutil.chown(path, user.pw_uid, user.pw_gid)
        return folder

    return make


@pytest.fixture
def home(make_home):
    return make_home()


@pytest.fixture(scope="session")
def guard(needs_root, tmp_path_factory):
    running = Guard(tmp_path_factory.mktemp("guard") / "log")
    yield running
    running.end()


@pytest.fixture
def own_guard(needs_root, tmp_path):
    """Starts a guard that the test may kill."""
    started = []

    def start(*arguments):
        started.append(Guard(tmp_path / f"log{len(started)}", *arguments))
        return started[-1]

    yield start
    for running in started:
        running.end()


@pytest.fixture
def run(guard, user, home):
    """Runs a command in a sandbox of the ordinary user's, under the guard."""

    def run_it(*words, guard=guard, at_least="tracepoints", stdin=subprocess.DEVNULL):
        line = guard.command(user, home, BINARY, "run", "--guard", at_least, *words)
        return subprocess.run(
            line, stdin=stdin, capture_output=True, text=True, timeout=RUN_SECONDS, errors="replace", check=False
        )

    return run_it
