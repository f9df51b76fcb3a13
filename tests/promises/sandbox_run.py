"""A run of `ringwall run -- sleep`, with probes and programs started inside it."""

import itertools
import json
import os
import subprocess

import control_client

RINGWALL = os.environ.get("RINGWALL_BIN", "")
MUTANT = os.environ.get("RINGWALL_MUTANT_BIN", "")
PROBE = os.environ.get("RINGWALL_PROBE_BIN", "")

numbers = itertools.count(1)


def answers_in(output):
    """{"P07": {"finding": …, "evidence": …, "acts": {…}}}"""
    return {line["promise"]: line for line in map(json.loads, output.splitlines())}


def probe_bare(outside, facts_file, promises=(), **popen):
    facts_file.write_text(outside.json())
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


class DidNotStart(Exception):
    pass


class Run:
    """take_away: walls that the build for tests leaves out."""

    def __init__(
        self, outside, take_away=(), program=RINGWALL, pass_fds=(), stdin=subprocess.DEVNULL
    ):
        self.outside = outside
        self.name = f"promises-{os.getpid()}-{next(numbers)}"
        environment = outside.environment()
        if take_away:
            environment["RINGWALL_TAKE_AWAY"] = ",".join(take_away)
        self.process = subprocess.Popen(
            [MUTANT if take_away else program, "run", "--name", self.name, "--", "sleep", "60"],
            cwd=outside.workspace,
            env=environment,
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=pass_fds,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.process.stderr.close()

    def spawn(self, builtin, arguments):
        connection = control_client.connect(self.name, lambda: self.process.poll() is None)
        if connection is None:
            self.process.kill()
            raise DidNotStart(self.process.stderr.read().decode())
        with connection:
            try:
                return control_client.spawn(connection, builtin, arguments)
            except (control_client.CannotRun, ConnectionError) as problem:
                self.process.kill()
                raise DidNotStart(f"{problem}: {self.process.stderr.read().decode()}")

    def probe(self, *promises):
        status, output = self.spawn("verify", [self.outside.json(), "--acts", *promises])
        assert status == 0, output
        return answers_in(output)

    def shell(self, script):
        """(exit status, output) of a script inside."""
        return self.spawn("", ["sh", "-c", script])
