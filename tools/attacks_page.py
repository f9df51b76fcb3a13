#!/usr/bin/python3 -B
"""Writes docs/attacks.md from the cases of tests/attacks; with --check it only says whether the page is stale."""

import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/corpora"))

import page  # noqa: E402
from classes import CLASSES  # noqa: E402

HEAD = """# Attacks that are tried

Made by `tools/attacks_page.py` from `tests/attacks/`; change the cases, not this page.

{count} attacks of published shapes. `make test` runs each of them bare, where it must succeed, and behind Ringwall's walls,
where it must not, as an ordinary user and as root, each on a throw-away host of its own. Success is judged from outside
wherever it can be: by files, by what servers heard, by processes that are left. One of each class for the same walls is run
once more with these walls taken away, and must get through: that shows what stops it. `tests/corpora/README.md` says how a
case is written; `tests/corpora/run.py attacks --only NAME` runs one.

A promise is one of [promises.md](promises.md). *Without* names walls that, taken away together, let the attack through;
where nothing stands there, more walls than can be taken away at once stop it, or none of them alone.
"""


HEADS = ["case", "what is tried", "of the shape of", "promise", "without"]


def row(case):
    walls = (case.get("WALLS") or "").replace(",", ", ")
    return [f"`{case!r}`", case.says, case.get("SHAPE"), case.promise(), walls]


if __name__ == "__main__":
    count, tables = page.sections("attacks", CLASSES, HEADS, row)
    page.write(TOP / "docs/attacks.md", HEAD.format(count=count) + tables, sys.argv[1:], "tools/attacks_page.py")
