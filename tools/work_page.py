#!/usr/bin/python3 -B
"""Writes docs/work.md from the cases of tests/work; with --check it only says whether the page is stale."""

import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/corpora"))

import page  # noqa: E402

GROUPS = {
    "git": "git",
    "files": "Files",
    "system": "The system around",
    "terminal": "Terminals",
    "build": "Compilers, debuggers, builds",
    "python": "Python",
    "node": "Node and its package managers",
    "languages": "Other languages",
    "data": "Databases and data",
    "servers": "Servers",
    "network": "The network",
    "browser": "A browser",
}
HEAD = """# Work that goes on

Made by `tools/work_page.py` from `tests/work/`; change the cases, not this page.

{count} tasks of an ordinary day. Each is done bare, where it must work, and inside, where it must give the same result.
`make test` does so as an ordinary user with what the host has; what it lacks is named. Those that take long, and yarn, pnpm,
TypeScript, jest and Playwright, run in `make test-toolchains`, as an ordinary user and as root.

*Granted* is what a person gives for the task beyond the workspace, and *flags* those that only Ringwall has.

## What needs a word from you

Found by doing these tasks without that word:

| what | what happens | the word |
| --- | --- | --- |
| switching, merging or pulling branches that differ in protected files (`.vscode/`, `.husky/`, …) | the files stay as they were, or are taken away, and git shows them as changed or deleted: a `commit -a` would say so too | `--unprotect .vscode/` |
| switching to a branch that lacks 200 files, or a fifth of them | the run is paused ([deletions.md](deletions.md)) | `--deleted-files`, `--deleted-share` |
| `prebuild`, `posttest` and their kin in package.json | npm leaves them out, without a word, where it runs no install scripts | `--set npm_config_ignore_scripts=false` |
| hooks of the repository | git runs none | `--git-hooks` |
| setgid on folders (`chmod g+s`, `git init --shared`) | refused: the same call makes a setgid program | none |
| `git clone` of the workspace into itself under `--review` | refused by git ([review.md](review.md)) | `git clone --no-hardlinks` |
| `lscpu`, `dpkg -l` | fail: `/sys` and the list of packages are not shown | none |
"""


HEADS = ["task", "what is done", "granted", "flags"]


def granted(case):
    """The neutral needs in words, with the names of this case's own ports and folders as they stand there."""
    for need, values in case.options.items():
        shown = values if isinstance(values, (list, tuple)) else [values]
        yield f"{need.replace('_', ' ')} {', '.join(str(value).strip('@').lower() if '@' in str(value) else str(value) for value in shown)}"


def row(case):
    flags = " ".join(case.get("RINGWALL", []))
    says = case.says + (" (takes long)" if case.get("HEAVY") else "")
    return [f"`{case!r}`", says, "; ".join(granted(case)), f"`{flags}`" if flags else ""]


if __name__ == "__main__":
    count, tables = page.sections("work", GROUPS, HEADS, row)
    page.write(TOP / "docs/work.md", HEAD.format(count=count) + tables, sys.argv[1:], "tools/work_page.py")
