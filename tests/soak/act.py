"""One run: started, struck, and watched until the last of its processes is gone."""

import contextlib
import os
import signal
import subprocess
import termios
import time

import processes

DETACH = b"\x1c\x1c"
PATIENCE = 5.0  # for what a person would wait for
STAYS = 3.0  # what is there so long after its time has come to stay
PAUSE = 0.02
IGNORED = 0.12  # so long a signal that may be ignored has time to work


class Finding(Exception):
    """Something is not as it should be."""


class Late(Finding):
    """Everything is gone, but later than promised."""


class Run:
    def __init__(self, plan, place, table, limit):
        self.plan = plan
        self.limit = limit
        self.place = place
        self.table = table
        self.mark = processes.make_mark(plan.number)
        self.binary = place.binary_named(self.mark)
        self.children = []  # what we started ourselves
        self.front = None  # the first of them
        self.viewer = None
        self.masters = []
        self.struck = plan.victim

    # Starting

    def start(self, words, terminal):
        """`setsid` gives it a session of its own, with that terminal if there is one."""
        command = [self.binary, *words]
        options = {"env": self.place.environment(self.mark, self.plan.registry), "cwd": self.place.workspace}
        if not terminal:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=self.plan.own_group,
                **options,
            )
        else:
            master, slave = os.openpty()
            os.set_blocking(master, False)
            self.masters.append(master)
            child = subprocess.Popen(["setsid", "--ctty", *command], stdin=slave, stdout=slave, stderr=slave, **options)
            os.close(slave)
        self.children.append(child)
        return child

    def start_run(self):
        words = ["run", "--name", self.mark, "--set", f"RINGWALL_SOAK={self.mark}"]
        detach = self.plan.kind not in ("pipes", "terminal")
        words += ["--detach"] if detach else []
        self.front = self.start([*words, "--", "sh", "-c", self.plan.script()], self.plan.kind == "terminal")
        if detach:
            status = self.wait_for(self.front)
            if status != 0:
                raise Finding(f"run --detach ended with {status}: {self.said(self.front)}")

    def attach(self):
        """Somebody looks at a run that was left, or starts a further command in it."""
        words = {
            "watched": ["attach", "--watch", self.mark],
            "joined": ["exec", self.mark, "--", "sh", "-c", self.plan.script()],
        }
        self.viewer = self.start(words.get(self.plan.kind, ["attach", self.mark]), True)

    def is_attached(self):
        """The keys go to the run from the moment at which the terminal makes no signals of them."""
        try:
            return not termios.tcgetattr(self.masters[-1])[3] & termios.ISIG
        except termios.error:
            return False

    def leave_again(self):
        """By the detach keys."""
        end = time.monotonic() + PATIENCE
        while not self.is_attached():
            self.drain()
            if self.viewer.poll() is not None or time.monotonic() > end:
                raise Finding(f"attach does not attach: {self.viewer.poll()}")
            time.sleep(PAUSE / 4)
        os.write(self.masters[-1], DETACH)
        while self.viewer.poll() is None:
            self.drain()
            if time.monotonic() > end:
                raise Finding("the detach keys do not work")
            time.sleep(PAUSE / 4)
        if self.viewer.returncode != 0:
            raise Finding(f"attach ended with {self.viewer.returncode} after the detach keys")

    # Watching

    def wait_for(self, child):
        try:
            return child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Finding(f"{' '.join(child.args[:3])} does not end") from None

    def drain(self):
        """A terminal that nobody reads would hold up the run."""
        for master in self.masters:
            with contextlib.suppress(OSError):
                while os.read(master, 65536):
                    pass

    @staticmethod
    def said(child):
        if child.stderr is None:
            return ""
        os.set_blocking(child.stderr.fileno(), False)
        return (child.stderr.read() or b"").decode("utf-8", "replace")

    def living(self):
        """Its processes; those that ended and were left to us are reaped."""
        own = {child.pid for child in self.children if child.poll() is None}
        found = []
        for process in self.table.of(self.mark):
            if process.state != "Z":
                found.append(process)
            elif process.parent == os.getpid() and process.pid not in own:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, os.WNOHANG)
            elif process.pid not in own:
                found.append(process)
        return found

    def wait_until_gone(self, seconds):
        """The time that it took, or None. Time in which nobody on this machine got on does not count."""
        start = time.monotonic()
        while True:
            self.drain()
            if not self.living() and all(child.poll() is not None for child in self.children):
                return max(0.0, time.monotonic() - start)
            before = time.monotonic()
            if before - start > seconds:
                return None
            time.sleep(PAUSE)
            start += max(0.0, time.monotonic() - before - 2 * PAUSE)

    def goes_on(self):
        time.sleep(PAUSE)
        return any(processes.number_inside(process.pid) == 1 for process in self.table.of(self.mark, fresh=True))

    # Striking

    def find(self, role):
        """The process of that role, or the next one above it if it is not there yet."""
        if role in ("front end", "viewer"):
            child = self.viewer if role == "viewer" else self.front
            return child.pid if child.poll() is None else None
        known = [p for p in self.table.of(self.mark, fresh=True) if p.name == self.mark and p.state != "Z"]
        inside = {p.pid: processes.number_inside(p.pid) for p in known}
        own = {child.pid for child in self.children}
        supervisors = [p.pid for p in known if p.session == p.pid and p.pid not in own and not inside[p.pid]]
        top = supervisors[0] if supervisors else self.front.pid
        below = [p.pid for p in known if p.parent == top and p.pid not in supervisors]
        wanted = {
            "supervisor": supervisors,
            "relay": [pid for pid in below if inside[pid] is None],
            "pid 1": [pid for pid in below if inside[pid] == 1],
        }[role]
        if not wanted:
            self.struck = "supervisor" if supervisors else "front end"
        return (wanted or [top])[0]

    def strike(self, role, name):
        if role == "terminal":
            os.close(self.masters.pop())
            return
        pid = self.find(role)
        with contextlib.suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, getattr(signal, f"SIG{name}"))

    def strike_until_it_ends(self):
        """Where the first blow may have done nothing, a second one leaves no choice."""
        must_end = self.plan.must_end()
        if self.plan.kind == "attached" and self.plan.victim in ("viewer", "terminal"):
            must_end &= self.is_attached()  # else it was somebody who had not come yet
        self.strike(self.plan.victim, self.plan.signal)
        if must_end or self.wait_until_gone(IGNORED) is not None:
            return
        inside = self.plan.victim in ("front end", "relay", "pid 1")
        self.strike(self.plan.victim if inside else "supervisor", "KILL")

    def go(self):
        """Returns the seconds from the blow until everything was gone."""
        self.start_run()
        if self.plan.kind in ("attached", "watched", "left again", "joined"):
            self.attach()
        if self.plan.victim == "nobody":
            return self.end_by_itself()
        if self.plan.kind == "left again":
            self.leave_again()
        time.sleep(self.plan.delay)
        if self.plan.kind == "watched":
            self.viewer.kill()  # which is nothing to the run
            self.viewer.wait()
        if self.plan.kind in ("watched", "left again", "joined", "detached") and not self.goes_on():
            raise Finding("the run has ended although nobody ended it")
        self.strike_until_it_ends()
        return self.judge(self.wait_until_gone(self.limit))

    def end_by_itself(self):
        status = self.wait_for(self.front)
        if status != self.plan.status:
            raise Finding(f"it ended with {status}: {self.said(self.front)}")
        return self.judge(self.wait_until_gone(self.limit))

    def judge(self, seconds):
        if seconds is not None:
            return seconds
        left = [process.describe() for process in self.living()]
        late = self.wait_until_gone(STAYS)
        if late is not None:
            raise Late(f"gone only after {self.limit + late:.1f} s: " + "; ".join(left))
        raise Finding("still there: " + "; ".join(process.describe() for process in self.living()))

    def finish(self):
        """Whatever happened, nothing of it goes on."""
        for process in self.table.of(self.mark, fresh=True):
            if process.pid != os.getpid():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
        for master in self.masters:
            os.close(master)
        self.masters = []
        self.wait_until_gone(PATIENCE)
        for child in self.children:
            for stream in (child.stdout, child.stderr):
                if stream is not None:
                    stream.close()
        os.unlink(self.binary)
