"""What the check_*.py scripts share: finding files, blanking C++ text, reporting, self tests.

A check is a function that takes the top of a tree and returns complaints. Its self test runs it
over made-up trees, so that a check which can no longer fail is found out.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

CPP_SUFFIXES = (".cc", ".h", ".c")
SKIPPED_FOLDERS = {"build", "__pycache__"}
SHOWN_FOLDERS = {".ci", ".github"}  # other folders with a dot belong to tools

# Comments, raw strings, strings, character literals (not the ' in 1'000).
_NOT_CODE = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | R"(?P<raw>[^\s()\\]{0,16})\(.*?\)(?P=raw)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
    """,
    re.DOTALL | re.VERBOSE,
)


def files_below(top, folder=".", suffixes=None):
    """The files below top/folder, sorted, as paths relative to top; none if it does not exist."""
    found = []
    for where, folders, names in os.walk(pathlib.Path(top) / folder):
        folders[:] = [
            f for f in folders if f not in SKIPPED_FOLDERS and (f in SHOWN_FOLDERS or f[0] != ".")
        ]
        for name in names:
            path = pathlib.Path(where, name)
            if path.is_file() and (suffixes is None or path.suffix in suffixes):
                found.append(path.relative_to(top))
    return sorted(found)


def read_text(top, path):
    """The text of a file; empty for what is not text (corpora of tests may hold anything)."""
    data = (pathlib.Path(top) / path).read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", errors="replace")


def blank_out(text):
    """C++ text with comments and literals blanked; lines keep their numbers."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    return _NOT_CODE.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def _run_self_test(check, cases):
    """Runs the check over each made-up tree: (name, {path: text}, words of the complaint or None)."""
    failed = 0
    for name, tree, expected in cases:
        with tempfile.TemporaryDirectory() as top:
            for path, text in tree.items():
                file = pathlib.Path(top, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            complaints = check(pathlib.Path(top))
        if expected is None:
            good = not complaints
        else:
            good = len(complaints) == 1 and expected in complaints[0]
        if not good:
            failed += 1
            print(f"self test '{name}': expected {expected!r}, got {complaints}", file=sys.stderr)
    print(f"{len(cases) - failed} of {len(cases)} made-up trees were judged rightly")
    return 1 if failed else 0


def main(check, cases, doc):
    """The command line of every check; returns the exit status."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--top", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--self-test", action="store_true", help="show that the check can fail")
    args = parser.parse_args()
    if args.self_test:
        return _run_self_test(check, cases)
    complaints = check(args.top.resolve())
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0
