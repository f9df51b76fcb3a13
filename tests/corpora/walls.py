"""What a case is run behind: nothing at all, Ringwall, or what people use instead.

An adapter turns the words of a case's act into the words of a command line; all of them run exactly the same act. What
a case wants beyond the workspace it says as neutral needs (OPTIONS, see README.md), which each adapter translates.
"""

import fcntl
import importlib
import importlib.util
import os
import pwd
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import acts
import host as hosts
import launch

PATIENCE_SECONDS = 30
STATE = ".local/state/ringwall"


class Wall:
    """One way to run an agent's command in a workspace."""

    name = ""

    def version(self):
        return ""

    def can_run(self):
        """Why it cannot be used on this host, or None."""
        return None

    def user(self):
        """Whose host it is."""
        return pwd.getpwuid(os.getuid())

    def command(self, host, case, words):
        """The command line that runs WORDS behind this wall."""
        raise NotImplementedError

    def left(self, host):
        """What it left behind on the host although it should not, or None."""
        return None

    def run(self, host, case):
        """Runs the case's act, and then its second one if it has two; what both printed."""
        before = None
        host.beside = set(host.processes()) | host.started
        for words in acts.all_of(host, case):
            done = launch.run(self.command(host, case, launch.announced(words)), host, case)
            if before:
                done = replace(
                    done, out=before.out + done.out, err=before.err + done.err, began=before.began and done.began,
                    seconds=before.seconds + done.seconds, ended=before.ended and done.ended,
                )  # fmt: skip
            before = done
        return done


class Bare(Wall):
    """No wall: what an act does if nothing stops it. Never as root, who could hurt the machine."""

    name = "bare"

    def user(self):
        return hosts.ordinary_user()

    def command(self, host, case, words):
        # Walls have a /tmp of their own; without one, nothing shall stay in the machine's.
        return ["/usr/bin/env", f"TMPDIR={host.temporary}", *words]


class Ringwall(Wall):
    name = "ringwall"
    FLAGS = {
        "hosts": "--allow",
        "private_hosts": "--private",
        "publish": "--publish",
        "reach_host": "--reach-host",
        "read": "--ro",
        "write": "--rw",
        "deny_programs": "--deny-program",
        "variables": "--env",
        "processes": "--processes",
        "memory": "--memory",
        "open_files": "--open-files",
        "timeout": "--timeout",
    }

    def __init__(self):
        self.binary = os.environ.get("RINGWALL_BIN", "/usr/local/bin/ringwall")

    def version(self):
        done = subprocess.run([self.binary, "--version"], capture_output=True, text=True)
        return done.stdout.strip()

    def can_run(self):
        return None if os.access(self.binary, os.X_OK) else f"RINGWALL_BIN names no program: {self.binary}"

    def flags(self, host, case):
        found = []
        for need, value in case.options.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            found += [word for one in values for word in (self.FLAGS[need], host.fill_in(str(one)))]
        return found + [host.fill_in(word) for word in case.get("RINGWALL", [])]

    @staticmethod
    def registered(host):
        """The runs that are going on in this host, or were never taken off the list."""
        runs = host.runtime / "ringwall"
        return set(os.listdir(runs)) if runs.is_dir() else set()

    def know_programs(self, host):
        """Gives the host what an earlier run has learned of this machine's programs, which takes seconds anew."""
        known = Path(os.environ["RINGWALL_CORPUS_BUILD"], "programs")
        with open(f"{known}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not known.exists():
                first = hosts.Host(host.user)
                try:
                    words = [self.binary, "run", "--exec", "allow", "--", "true"]
                    how = {"cwd": first.work, "env": first.environment(), "preexec_fn": first.become}
                    subprocess.run(words, **how, capture_output=True, check=True)
                    shutil.copytree(first.path(f"~/{STATE}/programs"), known)
                finally:
                    first.close()
        host.path(f"~/{STATE}").mkdir(parents=True, mode=0o700)
        shutil.copytree(known, host.path(f"~/{STATE}/programs"))

    def run(self, host, case):
        if "deny_programs" in case.options or "--exec" in case.get("RINGWALL", []):
            self.know_programs(host)
            host.own()
        self.before = self.registered(host)
        return super().run(host, case)

    def command(self, host, case, words):
        return [self.binary, "run", *self.flags(host, case), "--", *words]

    def left(self, host):
        if not host.wait_for(lambda: not host.newcomers(), PATIENCE_SECONDS):
            return f"processes are left: {host.newcomers()}"
        left = self.registered(host) - self.before
        return f"a run is still registered: {left}" if left else None


class Mutant(Ringwall):
    """The build for tests, with the walls of a case taken away: the attack must get through."""

    name = "mutant"

    def __init__(self):
        self.binary = os.environ.get("RINGWALL_MUTANT_BIN", "")

    def version(self):
        return ""

    def command(self, host, case, words):
        away = case.get("WALLS").split(",")
        # For root, the ordinary id is one more layer behind whatever belongs to root.
        if os.getuid() == 0 and "new-root" in away and "own-identity" not in away:
            away.append("own-identity")
        return ["/usr/bin/env", f"RINGWALL_TAKE_AWAY={','.join(away)}", *super().command(host, case, words)]

    def left(self, host):
        return None  # without its walls it may leave anything


def by_name():
    """Every adapter there is; what people use instead of Ringwall stands in peers.py."""
    made = [Bare(), Ringwall(), Mutant()]
    if importlib.util.find_spec("peers"):
        made += importlib.import_module("peers").adapters()
    return {wall.name: wall for wall in made}
