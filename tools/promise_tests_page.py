#!/usr/bin/python3 -B
"""Writes docs/promise-tests.md, which tests show each promise; with --check it only says whether the page is stale."""

import ast
import collections
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "tests/corpora"), str(TOP / "tests/promises")]

import page  # noqa: E402
import promises  # noqa: E402

HEAD = """# Tests of the promises

Made by `tools/promise_tests_page.py` from the tests themselves; change those, not this page.

Which tests stand behind each promise of [promises.md](promises.md). *By the probe* is the name under which
`tests/promises/test_held.py` runs the probe of `ringwall verify` bare, where it must get through, and inside, where it must
not, and `tests/promises/test_mutations.py` without single walls; `tests/integration/test_verify.py` has those that are shown
from outside. *Attacks* counts those of [attacks.md](attacks.md).

| promise | by the probe | other tests that name it | attacks |
| --- | --- | --- | ---: |
"""

NUMBER = re.compile(r"(?<![A-Za-z0-9])P\d\d(?!\d)")


def tests_by_promise():
    """{promise: {file: [function, ...]}} of all tests that name one, in their name or in what they do."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in sorted(TOP.glob("tests/*/test_*.py")):
        if path.parent.name == "docs":  # which type what pages show, and show no promise
            continue
        text = path.read_text()
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            said = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
            for promise in set(NUMBER.findall(said)):
                found[promise][path.relative_to(TOP).as_posix()].append(node.name)
    return found


def attacks_by_promise():
    counts = collections.Counter()
    for path in TOP.glob("tests/attacks/*/*.py"):
        if match := re.search(r'^PROMISE = "(.*)"', path.read_text(), re.MULTILINE):
            counts.update(NUMBER.findall(match[1]))
    return counts


def rows():
    tests, attacks = tests_by_promise(), attacks_by_promise()
    for promise in sorted(set(NUMBER.findall((TOP / "docs/promises.md").read_text()))):
        probe = f"`{promises.test_id(promise)}`" if promise in promises.PROMISES else ""
        files = [f"`{file}`: {', '.join(f'`{name}`' for name in names)}" for file, names in tests[promise].items()]
        if not probe and not files:
            sys.exit(f"no test names {promise}")
        yield f"| [{promise}](promises.md#{promise.lower()}) | {probe} | {'; '.join(files)} | {attacks[promise] or ''} |\n"


if __name__ == "__main__":
    page.write(TOP / "docs/promise-tests.md", HEAD + "".join(rows()), sys.argv[1:], "tools/promise_tests_page.py")
