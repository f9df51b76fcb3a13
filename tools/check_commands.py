#!/usr/bin/python3 -B
"""Checks what the pages tell people to type: every command, flag, make target and promise that is named exists.

    tools/check_commands.py --ringwall BUILD/ringwall       what it knows is asked by its own help
"""

import functools
import os
import re
import subprocess
import sys

import source_tree

CODE = re.compile(r"^```[^\n]*\n(?P<block>.*?)^```|`(?P<inline>[^`\n]+)`", re.MULTILINE | re.DOTALL)
# A call of the program at the start of a line, after a prompt, or after another command.
CALL = re.compile(r"(?:^|[;&|(]\s*|\bsudo\s+|\$\s+)(?:\S*/)?ringwall((?:\s+[^\n;&|]*)?)", re.MULTILINE)
FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
MAKE = re.compile(r"(?:^|[;&|]\s*)make\s+([a-z][a-z-]*)", re.MULTILINE)
PROMISE = re.compile(r"\bP\d\d\b")
# Pages that speak of others' programs, or of what was decided once.
PASSED_OVER = ("docs/decisions", "docs/compare")


class Program:
    """What the program knows, asked once for each command."""

    def __init__(self, path):
        self.path = path

    @functools.cache
    def help(self, *command):
        done = subprocess.run([self.path, *command, "--help"], capture_output=True, text=True)
        said = done.stdout if done.returncode == 0 else ""
        return said + self.help("run") if "see ringwall run --help" in said else said

    @functools.cached_property
    def commands(self):
        listed = self.help().split("Commands:")[1].split("\n\n")[0]
        return set(re.findall(r"^  (\w+)  ", listed, re.MULTILINE)) | {"help"}

    def knows(self, command, flag):
        return re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", self.help(command)) is not None


def complaints_of_call(program, words):
    """Of "run --ro DIR -- npm test": the command, and its flags up to the other command's own."""
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "TEXT", words.strip())
    words = re.split(r"\s--(?=\s|$)|\s#|\s{3,}", " " + words)[0].split()
    if not words or not words[0].rstrip(".,:)").isalpha() or words[0].isupper():
        return []
    name = words[0].rstrip(".,:)")
    if name not in program.commands:
        return [f"there is no command {name!r}"]
    # Some have parts of their own, with flags of their own.
    known = program.help(name) + (program.help(name, words[1]) if len(words) > 1 and words[1].isalpha() else "")
    flags = [flag for word in words[1:] for flag in FLAG.findall(word) if word.startswith("-")]
    unknown = [flag for flag in flags if not re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", known)]
    return [f"ringwall {name} has no flag {flag}" for flag in unknown]


def check_page(program, path, text, targets, promises):
    complaints = []
    for code in CODE.finditer(text):
        said = code["block"] if code["block"] is not None else code["inline"]
        line = source_tree.line_of(text, code.start())
        for call in CALL.finditer(said):
            at = line + said.count("\n", 0, call.start()) + (1 if code["block"] is not None else 0)
            complaints += [f"{path}:{at}: {what}" for what in complaints_of_call(program, call[1])]
        for target in MAKE.findall(said):
            if target not in targets:
                complaints.append(f"{path}:{line}: there is no `make {target}`")
    for match in PROMISE.finditer(text):
        if match.group() not in promises:
            complaints.append(f"{path}:{source_tree.line_of(text, match.start())}: no promise {match.group()}")
    return complaints


def check(program, top):
    targets = set(re.findall(r"^([a-z][a-z-]*):", source_tree.read_text(top, "Makefile"), re.MULTILINE))
    promises = set(PROMISE.findall(source_tree.read_text(top, "docs/promises.md")))
    complaints = []
    tests = source_tree.files_below(top, "tests", (".py",))
    tested = {promise for path in tests for promise in PROMISE.findall(source_tree.read_text(top, path))}
    complaints += [f"docs/promises.md: {promise} has no test" for promise in sorted(promises - tested)]
    modelled = set(PROMISE.findall(source_tree.read_text(top, "docs/threat-model.md")))
    complaints += [f"docs/threat-model.md: {promise} answers nobody" for promise in sorted(promises - modelled)]
    for path in source_tree.files_below(top, suffixes=(".md",)):
        if not path.as_posix().startswith(PASSED_OVER):
            complaints += check_page(program, path, source_tree.read_text(top, path), targets, promises)
    return complaints


def self_test(program):
    """A wrong page of each kind must be found, and a right one must not."""
    right = "`ringwall run --ro DIR -- npm --wrong test` and `make test`, P01\n```\nsudo ringwall doctor --json\n```\n"
    wrong = [
        ("`ringwall rum x`", "no command 'rum'"),
        ("`ringwall run --read DIR -- x`", "no flag --read"),
        ("```\nx && ringwall undo --all\n```\n", "no flag --all"),
        ("`make tests`", "no `make tests`"),
        ("see P99", "no promise P99"),
    ]
    failures = [f"found in a right page: {what}" for what in check_page(program, "right", right, {"test"}, {"P01"})]
    for text, expected in wrong:
        found = check_page(program, "wrong", text, {"test"}, {"P01"})
        if not any(expected in what for what in found):
            failures.append(f"not found: {expected} in {text!r}")
    return failures


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 2 or arguments[0] != "--ringwall":
        sys.exit(__doc__)
    program = Program(os.path.abspath(arguments[1]))
    top = source_tree.pathlib.Path(__file__).resolve().parents[1]
    complaints = self_test(program) if "--self-test" in arguments else check(program, top)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
