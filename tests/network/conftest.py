"""Fixtures of the tests of the network: the lab around us, and what the whole-program tests have."""

import json
import os
import shutil
import sys
import textwrap
import time
from pathlib import Path

import pytest
import whole_program

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from lab import names  # noqa: E402
from lab.journal import Reader  # noqa: E402
from lab.settle import settle  # noqa: E402


_shared = whole_program.load()
place, leftovers = _shared.place, _shared.leftovers
ringwall, mutant, bare = _shared.ringwall, _shared.mutant, _shared.bare
known_programs, knows_programs = _shared.known_programs, _shared.knows_programs

UDP = 17
TIME_WAIT, LISTEN = "06", "0A"  # of TCP: over, and not begun
PATIENCE_SECONDS = 5


def open_lines():
    """How many connections of this side are not over: a server closes one when it has written all down."""
    tables = [Path("/proc/self/net", name).read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    states = [line.split()[3] for table in tables for line in table]
    return sum(state not in (TIME_WAIT, LISTEN) for state in states)


class Lab:
    """The lab as a test sees it: what its servers got since the test began."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.reader = Reader(self.folder / "journal")
        self.certificate = str(self.folder / "ca.pem")

    def settle(self):
        settle(self.reader)

    def forget(self):
        """What was done until now does not count, whoever has still to write it down."""
        end = time.monotonic() + PATIENCE_SECONDS  # some tests hold lines open
        while open_lines() and time.monotonic() < end:
            time.sleep(0.005)
        self.settle()
        self.reader.forget()

    def seen(self, server=None, **facts):
        """What servers wrote down, without what settle() did."""
        self.settle()
        found = self.reader.entries(server, **facts)
        return [entry for entry in found if "settle-" not in str(entry)]

    def left(self):
        """Every packet that left the host: (protocol, address, port)."""
        return [(e["protocol"], e["to"], e.get("port")) for e in self.seen("tap")]

    def asked(self):
        """Every name that was asked for at the lab's resolver, in small letters."""
        return [str(e["name"]).lower() for e in self.seen("dns")]

    def nothing_left(self, but=()):
        """No packet left the host, but to the addresses and resolvers that a test names."""
        # The kernel's own word to a resolver whose answer comes after the question was given up.
        late = (1, names.RESOLVER, None)
        stray = [packet for packet in self.left() if packet[1] not in but and packet != late]
        assert stray == [], f"left the host: {stray}"

    def hosts(self):
        """Whose pages were asked for."""
        return [host for e in self.seen("web", event="request") for host in e["hosts"]]


@pytest.fixture(scope="session")
def whole_lab():
    folder = os.environ.get("RINGWALL_LAB")
    if not folder:
        pytest.exit("these tests run in the lab: tests/network/in_lab.py python3 -m pytest …", 1)
    return Lab(folder)


@pytest.fixture
def lab(whole_lab):
    """The lab, with nothing in its journal yet."""
    whole_lab.forget()
    return whole_lab


@pytest.fixture
def kit(lab, place):
    """What clients bring along, in the workspace: the lab's certificate, known hosts of ssh."""
    shutil.copy(lab.folder / "ca.pem", place.work)
    shutil.copy(lab.folder / "known_hosts", place.work)
    return place.work


class Act:
    """A program in Python that uses attempts.py: bare, and behind the wall."""

    def __init__(self, place, bare, ringwall):
        self.bare_run, self.ringwall = bare, ringwall
        shutil.copy(HERE / "attempts.py", place.work)

    @staticmethod
    def program(script):
        return f"from attempts import *\n{textwrap.dedent(script)}"

    def bare(self, script):
        result = self.bare_run("/usr/bin/python3", "-B", "-c", self.program(script))
        assert result.status == 0, result
        return json.loads(result.out)

    def inside(self, script, *flags, runner=None, **options):
        """What the program reports; what Ringwall told outside is kept in `told`."""
        words = ["run", *flags, "--", "/usr/bin/python3", "-B", "-c", self.program(script)]
        result = (runner or self.ringwall)(*words, **options)
        assert result.status == 0, result
        self.told = result.err
        return json.loads(result.out)


@pytest.fixture
def act(lab, place, bare, ringwall):
    return Act(place, bare, ringwall)
