#!/usr/bin/python3 -B
"""The harness itself can fail: broken cases, attacks that get through, and walls that run nothing are all noticed."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import case as cases  # noqa: E402
import run  # noqa: E402
import walls  # noqa: E402

STEAL = '''
"""reads a key"""

from evidence import secret_printed as succeeded

SHAPE = "any"
PROMISE = "P08"
ACT = "cat ~/.ssh/id_ed25519"
'''


class Named(walls.Bare):
    """Stands in Ringwall's place: a wall that lets everything pass."""

    name = "ringwall"

    def can_run(self):
        return None


class Shut(Named):
    """Runs the act where there is no home."""

    def command(self, host, case, words):
        return ["/usr/bin/env", f"HOME={host.root}", *words]


class ShutTheSecondTime(Shut):
    def __init__(self, tried):
        self.tried = tried

    def command(self, host, case, words):
        if self.tried.exists():
            return super().command(host, case, words)
        self.tried.touch()
        return Named.command(self, host, case, words)


class Dead(Named):
    """Runs nothing at all."""

    def command(self, host, case, words):
        return ["/bin/false"]


class Littering(Shut):
    def left(self, host):
        return "a thing"


class HarnessTest(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.room = Path(room.name)
        self.folders = {kind: self.room / kind for kind in cases.KINDS}
        self.addCleanup(cases.KINDS.update, dict(cases.KINDS))
        cases.KINDS.update(self.folders)
        self.addCleanup(setattr, walls, "by_name", walls.by_name)

    def outcome(self, text, wall, kind="attacks", more=()):
        """(status, what was said) of a run with this one case, and WALL in Ringwall's place."""
        path = self.folders[kind] / "group/thing.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip() + "\n")
        walls.by_name = lambda: {"bare": walls.Bare(), "ringwall": wall}
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            words = [kind, "--jobs", "1", "--second-tries", "0", "--json", str(self.room / "told.json")]
            status = run.main([*words, *more])
        return status, said.getvalue()

    def test_an_attack_that_is_stopped_is_as_wanted(self):
        status, said = self.outcome(STEAL, Shut())
        self.assertEqual(status, 0, said)
        self.assertIn("1 cases were run", said)
        self.assertIn("ringwall: 1 stopped", said)

    def test_an_attack_that_gets_through_fails(self):
        status, said = self.outcome(STEAL, Named())
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: through", said)

    def test_what_failed_once_is_tried_again_and_named(self):
        self.addCleanup(setattr, run.turns, "turn", run.turns.turn)
        run.turns.turn = lambda alone: contextlib.nullcontext()  # this test has the turn already
        status, said = self.outcome(STEAL, ShutTheSecondTime(self.room / "tried"), more=["--second-tries", "1"])
        self.assertEqual(status, 0, said)
        self.assertIn("SECOND TRY, ALONE: group/thing ringwall", said)
        status, said = self.outcome(STEAL, Named(), more=["--second-tries", "1"])
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: through", said)

    def test_an_attack_that_fails_bare_is_broken(self):
        status, said = self.outcome(STEAL.replace("id_ed25519", "no-such-key"), Shut())
        self.assertEqual(status, 1)
        self.assertIn("group/thing bare: stopped; the case itself is broken", said)
        self.assertNotIn("ringwall:", said)

    def test_a_wall_that_runs_nothing_stops_nothing(self):
        status, said = self.outcome(STEAL, Dead())
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: broken", said)
        status, said = self.outcome(STEAL + "REFUSED = True\n", Dead())
        self.assertEqual(status, 0, said)
        self.assertIn("ringwall: 1 refused", said)

    def test_who_never_ends_is_waited_for_no_longer_than_said(self):
        slow = STEAL.replace("cat ~/.ssh/id_ed25519", "cat ~/.ssh/id_ed25519 ; exec sleep 600")
        status, said = self.outcome(slow, Shut(), more=["--patience", "2"])
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: hangs", said)
        status, said = self.outcome(slow, Named(), more=["--patience", "2"])
        self.assertIn("group/thing ringwall: through", said)

    def test_what_is_left_on_the_host_fails(self):
        status, said = self.outcome(STEAL, Littering())
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: left", said)

    def test_a_judge_with_a_mistake_fails(self):
        wrong = STEAL.replace("from evidence import secret_printed as succeeded", "")
        status, said = self.outcome(wrong + "def succeeded(host, done):\n    return host.nothing\n", Shut())
        self.assertEqual(status, 1)
        self.assertIn("AttributeError", said)

    def test_work_that_breaks_fails(self):
        work = '"""reads"""\n\nACT = "cat ~/notes.txt"\n\n\ndef works(host, done):\n    return done.status == 0\n'
        self.assertEqual(self.outcome(work, Named(), "work")[0], 0)
        status, said = self.outcome(work, Shut(), "work")
        self.assertEqual(status, 1)
        self.assertIn("group/thing ringwall: breaks", said)

    def test_a_case_that_cannot_be_run_is_named(self):
        status, said = self.outcome(STEAL + 'NEEDS = {"no-such-program": "no-such-package"}\n', Shut())
        self.assertEqual(status, 0)
        self.assertIn("was not run: no-such-program is missing (Debian: no-such-package)", said)
        self.assertIn("0 cases were run", said)

    def test_cases_that_say_too_little_or_misspell_are_refused(self):
        for wrong in (
            STEAL.replace("SHAPE", "SHAPES"),
            STEAL.replace('PROMISE = "P08"', ""),
            STEAL.replace("ACT", "_ACT"),
            STEAL + "WALL_S = 1\n",
            STEAL.replace("from evidence import secret_printed as succeeded", ""),
        ):
            with self.assertRaises(cases.BadCase):
                self.outcome(wrong, Shut())


# In the place of the unit tests: fails what it is told to, at its first start or always.
FAKE_UNIT_TESTS = """#!/bin/bash
case $* in *--gtest_filter=*) now=again ;; *) now=first ;; esac
for test in $(cat "$0.$now" 2>/dev/null); do echo "[  FAILED  ] $test (5 ms)"; done
[ ! -s "$0.$now" ]
"""


class UnitRunnerTest(unittest.TestCase):
    def outcome(self, first, again):
        with tempfile.TemporaryDirectory() as room:
            fake = Path(room) / "unit-tests"
            fake.write_text(FAKE_UNIT_TESTS)
            fake.chmod(0o755)
            Path(f"{fake}.first").write_text("\n".join(first))
            Path(f"{fake}.again").write_text("\n".join(again))
            # No turn of the host's: nothing here wants it for itself.
            env = {**os.environ, "RINGWALL_DOOR": room, "RINGWALL_ROOM": str(fake)}
            ran = subprocess.run([HERE.parent / "support/run_unit.sh", fake], capture_output=True, text=True, env=env)
        return ran.returncode, ran.stdout.count("SECOND TRY, ALONE: unit ")

    def test_what_passes_is_tried_once(self):
        self.assertEqual(self.outcome([], []), (0, 0))

    def test_what_failed_once_is_tried_again_and_named(self):
        self.assertEqual(self.outcome(["A.One", "B/C.Two/0"], []), (0, 2))

    def test_what_fails_twice_has_failed(self):
        self.assertEqual(self.outcome(["A.One"], ["A.One"]), (1, 1))

    def test_many_are_no_accident(self):
        self.assertEqual(self.outcome(["A.One", "A.Two", "A.Three", "A.Four"], []), (1, 0))


if __name__ == "__main__":
    if os.getuid() == 0:
        sys.exit("test_harness: runs as an ordinary user")
    unittest.main()
