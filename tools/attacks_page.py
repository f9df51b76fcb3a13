#!/usr/bin/python3 -B
"""Writes docs/attacks.md from the cases of tests/attacks; with --check it only says whether the page is stale."""

import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PAGE = TOP / "docs/attacks.md"
sys.path.insert(0, str(TOP / "tests/corpora"))

import case as cases  # noqa: E402
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


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def section(group, found):
    lines = [f"\n## {CLASSES[group]}\n", "| case | what is tried | of the shape of | promise | without |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for case in found:
        walls = (case.get("WALLS") or "").replace(",", ", ")
        parts = [f"`{case!r}`", case.says, case.get("SHAPE"), case.promise(), walls]
        lines.append(f"| {' | '.join(map(cell, parts))} |")
    return "\n".join(lines) + "\n"


def page():
    found = cases.load("attacks")
    strangers = {case.group for case in found} - set(CLASSES)
    if strangers:
        sys.exit(f"attacks_page: classes without a heading in tests/corpora/classes.py: {sorted(strangers)}")
    sections = [section(group, [case for case in found if case.group == group]) for group in CLASSES]
    return HEAD.format(count=len(found)) + "".join(sections)


def main(words):
    wanted = page()
    if words == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != wanted:
            sys.exit("docs/attacks.md is stale: run tools/attacks_page.py")
    elif words:
        sys.exit(__doc__)
    else:
        PAGE.write_text(wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
