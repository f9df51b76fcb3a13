"""A run of `ringwall run -- sleep`, with probes and programs started inside it."""

import itertools
import json
import os
import subprocess

import control_client

RINGWALL = os.environ.get("RINGWALL_BIN", "")
MUTANT = os.environ.get("RINGWALL_MUTANT_BIN", "")
PROBE = os.environ.get("RINGWALL_PROBE_BIN", "")

# Small, so that a bomb is over soon; large enough for the legitimate uses of test_allowed.py.
LIMITS = {"processes": 300, "open_files": 1200, "tmp_bytes": 8 << 20, "tmp_files": 500}
LIMIT_FLAGS = [
    f"--processes={LIMITS['processes']}",
    f"--open-files={LIMITS['open_files']}",
    f"--tmp-size={LIMITS['tmp_bytes']}",
    f"--tmp-files={LIMITS['tmp_files']}",
]

numbers = itertools.count(1)


def answers_in(output):
    """{"P07": {"finding": …, "evidence": …, "acts": {…}}}"""
    return {line["promise"]: line for line in map(json.loads, output.splitlines())}


def probe_bare(outside, facts_file, promises=(), terminal=None, **popen):
    """terminal: the caller's, as stdin."""
    facts_file.write_text(facts_json(outside, terminal))
    if terminal:
        popen.update(stdin=terminal.far, preexec_fn=terminal.lead_session)
    done = subprocess.run(
        [PROBE, str(facts_file), "--acts", *promises],
        cwd=outside.workspace,
        env=outside.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        **popen,
    )
    assert done.returncode == 0, done.stderr
    return answers_in(done.stdout)


def facts_json(outside, terminal):
    return json.dumps({**outside.facts, **(terminal.facts() if terminal else {})})


class DidNotStart(Exception):
    pass


class Run:
    """flags: instead of the grants that the probes of the network expect. take_away: walls that the build for tests leaves out. terminal: the caller's, for the
    descriptors in `at`."""

    def __init__(
        self,
        outside,
        take_away=(),
        program=RINGWALL,
        pass_fds=(),
        stdin=subprocess.DEVNULL,
        terminal=None,
        at=(0,),
        command=("sleep", "600"),
        flags=None,
        verb="run",
    ):
        self.outside = outside
        self.terminal = terminal
        self.name = f"promises-{os.getpid()}-{next(numbers)}"
        stdio = [stdin, subprocess.DEVNULL, subprocess.PIPE]
        for place in at if terminal else ():
            stdio[place] = terminal.far
        environment = outside.environment()
        if take_away:
            environment["RINGWALL_TAKE_AWAY"] = ",".join(take_away)
        self.process = subprocess.Popen(
            [
                MUTANT if take_away else program,
                *(verb, "--name", self.name, *LIMIT_FLAGS),
                *(outside.grants if flags is None else flags),
                *("--", *command),
            ],
            cwd=outside.workspace,
            env=environment,
            stdin=stdio[0],
            stdout=stdio[1],
            stderr=stdio[2],
            pass_fds=pass_fds,
            preexec_fn=terminal.lead_session if terminal else None,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        if self.process.stderr:
            self.process.stderr.close()

    def messages(self):
        """What Ringwall said, when nothing more is expected of it."""
        self.process.kill()
        return self.process.stderr.read().decode() if self.process.stderr else ""

    def connect(self):
        connection = control_client.connect(self.name, lambda: self.process.poll() is None)
        if connection is None:
            raise DidNotStart(self.messages())
        return connection

    def spawn(self, builtin, arguments):
        with self.connect() as connection:
            try:
                return control_client.spawn(connection, builtin, arguments)
            except (control_client.CannotRun, ConnectionError) as problem:
                raise DidNotStart(f"{problem}: {self.messages()}")

    def probe(self, *promises, **more):
        """more: facts on top of what is outside."""
        facts = json.dumps({**json.loads(facts_json(self.outside, self.terminal)), **more})
        status, output = self.spawn("verify", [facts, "--acts", *promises])
        assert status == 0, output
        return answers_in(output)

    def shell(self, script):
        """(exit status, output) of a script inside."""
        return self.spawn("", ["sh", "-c", script])
