"""Fixtures of the whole-program tests.

Each test gets a place of its own: a fresh home, a workspace in it, and a name of the binary that no
other test uses, by which every process of its runs can be found. After each test nothing of a run
may be left: no process, no entry in the registry, no mount, and no file in the home but Ringwall's
own state and what the test put there.
"""

import itertools
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from known_programs import learn

IS_ROOT = os.getuid() == 0
# What docs/promises.md (P32) promises for the end of a run.
GONE_SECONDS = 1.0
# For what no promise gives a time to, on a host where other suites run.
PATIENCE_SECONDS = 30.0

needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can prepare this")
not_for_root = pytest.mark.skipif(IS_ROOT, reason="no permission stops root")

_numbers = itertools.count(1)


def binary(name):
    path = os.environ.get(name)
    if not path or not os.path.exists(path):
        pytest.skip(f"{name} names no binary")
    return path


class Result:
    """How a command ended; text keeps bytes that are no UTF-8 as surrogates."""

    def __init__(self, status, out, err):
        self.status = status
        self.raw = out
        self.out = out.decode("utf-8", "surrogateescape")
        self.err = err.decode("utf-8", "surrogateescape")

    def __repr__(self):
        return f"status {self.status}\nstdout: {self.out}\nstderr: {self.err}"

    def ok(self):
        """Success, and silence."""
        assert self.status == 0, self
        assert self.err == "", self
        return self.out.strip()

    def refused(self, *words, status=125):
        """Ringwall said no: with these words, and nothing of the command was seen."""
        assert self.status == status, self
        assert self.err.startswith("ringwall: "), self
        for word in words:
            assert word in self.err, f"{word!r} is missing in\n{self}"
        assert "RAN" not in self.out, self
        return self

    def hint(self):
        """What to do next: the line behind the arrow."""
        lines = [line for line in self.err.splitlines() if line.strip().startswith("→ ")]
        assert lines, f"no hint in\n{self}"
        return lines[-1].strip()[2:]


class Place:
    """One test's home, workspace and name."""

    def __init__(self):
        self.mark = f"rw{os.getpid()}n{next(_numbers)}"[:15]
        self.root = Path(tempfile.mkdtemp(prefix="p", dir=os.environ.get("TMPDIR", "/tmp")))
        self.root.chmod(0o755)
        self.home = self.root / "home"
        self.work = self.home / "project"
        self.links = self.root / "bin"
        self.runtime = self.root / "runtime"
        for folder in (self.home, self.work, self.links):
            folder.mkdir()
        self.runtime.mkdir(mode=0o700)
        self.state = self.home / ".local/state/ringwall"

    def named(self, path):
        """The binary under this test's own name, which becomes the name of its processes."""
        link = self.links / self.mark
        if not link.is_symlink() or os.readlink(link) != path:
            link.unlink(missing_ok=True)
            link.symlink_to(path)
        return str(link)

    def environment(self, extra=None):
        values = {
            "HOME": str(self.home),
            "USER": pwd.getpwuid(os.getuid()).pw_name,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "XDG_RUNTIME_DIR": str(self.runtime),
        }
        values.update(extra or {})
        return {name: value for name, value in values.items() if value is not None}

    def processes(self):
        """Pids that belong to this test's runs: by name, or by the home in their environment."""
        home = f"HOME={self.home}".encode()
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                comm = Path("/proc", entry, "comm").read_text().strip()
                if comm == self.mark and not is_zombie(entry):
                    found.append(int(entry))
                elif home in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                    found.append(int(entry))
            except OSError:
                continue
        return found

    def wait_until_gone(self, seconds=PATIENCE_SECONDS):
        end = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.02)
        assert not left, f"still there: {[describe(pid) for pid in left]}"

    def registry(self):
        folder = self.runtime / "ringwall"
        return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []

    def home_listing(self, writable=()):
        """Everything in the real home but Ringwall's state and what may be written."""
        listing = {}
        skipped = {str(self.work), str(self.state), *map(os.path.realpath, writable)}
        for folder, folders, files in os.walk(self.home):
            folders[:] = [name for name in folders if f"{folder}/{name}" not in skipped]
            for name in folders + files:
                if f"{folder}/{name}" in skipped:
                    continue
                path = f"{folder}/{name}"
                facts = os.lstat(path)
                is_folder = name in folders and not os.path.islink(path)
                # A folder's time changes with the state folder below it.
                listing[path] = (facts.st_mode, is_folder or (facts.st_size, facts.st_mtime_ns))
        for name in (".local", ".local/state"):
            listing.pop(f"{self.home}/{name}", None)
        return listing


def is_zombie(pid):
    return Path("/proc", str(pid), "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


def describe(pid):
    try:
        return f"{pid} " + Path("/proc", str(pid), "cmdline").read_text().replace("\0", " ")
    except OSError:
        return str(pid)


class Runner:
    """Calls one build of Ringwall in a test's place."""

    def __init__(self, place, path, **extra):
        self.place = place
        self.path = path
        self.extra = extra

    def command(self, args):
        return [self.place.named(self.path), *map(str, args)]

    def start(self, *args, cwd=None, env=None, prefix=(), **options):
        """A Popen with pipes, unless told otherwise."""
        for name in ("stdin", "stdout", "stderr"):
            options.setdefault(name, subprocess.PIPE)
        values = self.place.environment({**self.extra, **(env or {})})
        folder = cwd or self.place.work
        return subprocess.Popen(
            [*prefix, *self.command(args)], cwd=folder, env=values, **options
        )

    def __call__(self, *args, input=b"", timeout=120, **options):
        writable = writable_trees(args, options.get("cwd", self.place.work))
        before = self.place.home_listing(writable)
        if "stdin" in options:
            input = None
        process = self.start(*args, **options)
        try:
            out, err = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"no end after {timeout} s\n{Result('none', out, err)}")
        # A build without its walls may change what it likes.
        if not self.extra:
            assert self.place.home_listing(writable) == before, "the real home was changed"
        return Result(process.returncode, out or b"", err or b"")

    def sh(self, script, *options, **more):
        """run OPTIONS -- sh -c SCRIPT"""
        return self("run", *options, "--", "sh", "-c", script, **more)

    def python(self, script, *options, **more):
        return self("run", *options, "--", "/usr/bin/python3", "-c", script, **more)

    def plan(self, *options, **more):
        """What --explain --json says."""
        return json.loads(self("run", "--explain", "--json", *options, "true", **more).ok())

    def wait_for_run(self, name, seconds=60):
        """Until the run called NAME answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            runs = json.loads(self("ls", "--json").out or "[]")
            for run in runs:
                if run["name"] == name:
                    return run
            time.sleep(0.01)
        raise AssertionError(f"no run named {name}")


def writable_trees(args, folder):
    """What the command line itself lets a run change."""
    words = [str(word) for word in args]
    flags = ("-w", "--workspace", "--rw")
    named = [after for word, after in zip(words, words[1:]) if word in flags]
    return [folder, *named]


def mounts_below(root):
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line for line in lines if str(root) in line]


def remove(root):
    """Removes a test's folder, whatever modes the test gave to what is in it."""
    for folder, folders, _ in os.walk(root):
        for name in folders:
            path = f"{folder}/{name}"
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(root)


@pytest.fixture
def place():
    made = Place()
    yield made
    remove(made.root)


@pytest.fixture(scope="session")
def known_programs():
    """What a first run learns of this host's programs: every test would have to read them all anew."""
    if shared := os.environ.get("RINGWALL_KNOWN_PROGRAMS"):
        yield learn(shared, binary("RINGWALL_BIN"))
        return
    home = Path(tempfile.mkdtemp(prefix="known", dir=os.environ.get("TMPDIR", "/tmp")))
    yield learn(home, binary("RINGWALL_BIN"))
    remove(home)


@pytest.fixture
def knows_programs(place, known_programs):
    """For tests in which programs are hashed: the host's own are hashed already."""
    place.state.mkdir(parents=True, mode=0o700)
    shutil.copytree(known_programs, place.state / "programs")


@pytest.fixture(autouse=True)
def leftovers(place):
    """Nothing of a run outlives the test."""
    yield place
    place.wait_until_gone()
    assert place.registry() == [], "a run is still registered"
    assert mounts_below(place.root) == [], "a mount is left"


@pytest.fixture
def ringwall(place):
    return Runner(place, binary("RINGWALL_BIN"))


@pytest.fixture
def mutant(place):
    """mutant("wall,wall") runs the build for tests with those walls taken away."""
    path = binary("RINGWALL_MUTANT_BIN")
    return lambda walls: Runner(place, path, RINGWALL_TAKE_AWAY=walls)


@pytest.fixture
def bare(place):
    """The same act without Ringwall, to show that a test can fail."""

    def run(*command, cwd=None, env=None, **options):
        done = subprocess.run(
            [*map(str, command)],
            cwd=cwd or place.work,
            env=place.environment(env),
            stdin=options.pop("stdin", subprocess.DEVNULL),
            capture_output=True,
            timeout=120,
            **options,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


def without(walls):
    """The walls to take away so that an act gets through: for root, the ordinary id is one more layer."""
    names = walls.split(",")
    if IS_ROOT and "new-root" in names and "own-identity" not in names:
        names.append("own-identity")
    return ",".join(names)


@pytest.fixture
def stopped(ringwall, mutant, bare):
    """stopped(ACT, WALLS, SIGN, *OPTIONS): one act, done three times and judged by one check.

    Bare it works, inside it does not, and with those walls gone it works again. ACT is a shell's
    script or a list of words; SIGN is a text in the output, or a function that looks for the harm;
    `undo` puts back what the act did. Returns what was seen inside.
    """

    def check(act, walls, sign, *options, undo=lambda: None, env=None, **more):
        words = ["sh", "-c", act] if isinstance(act, str) else act
        happened = sign if callable(sign) else lambda result: sign in result.out
        seen = bare(*words, env=env, **more)
        assert happened(seen), f"the act fails without Ringwall too, so it shows nothing\n{seen}"
        undo()
        inside = ringwall("run", *options, "--", *words, env=env, **more)
        assert not happened(inside), f"it got through\n{inside}"
        open_run = mutant(without(walls))("run", *options, "--", *words, env=env, **more)
        assert happened(open_run), f"stopped by something else than {walls}\n{open_run}"
        undo()
        return inside

    return check


@pytest.fixture
def ordinary(place):
    """For tests as root: setpriv's words that make a command the ordinary user's, who gets the place."""
    try:
        user = pwd.getpwnam("ringwall-test")
    except KeyError:
        pytest.skip("there is no user ringwall-test")
    for path in (place.home, place.work):
        os.chown(path, user.pw_uid, user.pw_gid)
    open_the_way(place.root)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--"]


def open_the_way(path):
    """Lets another user pass the test's own folders."""
    for folder in (path, *path.parents):
        if folder.stat().st_uid == 0 and folder.stat().st_mode & 0o077 == 0:
            folder.chmod(0o711)
