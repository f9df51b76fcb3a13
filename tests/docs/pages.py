"""What the pages show to be typed: every block of commands, and what its page says about running them.

A block is fenced as `sh`, one command a line, or as `console`, where commands stand behind a `$` and the rest is what
they print. A comment before it, which no reader sees, says what is special about it, one thing a line:

    <!-- run:
    with run project-1
    with review: ringwall discard
    status 1: ringwall audit repo
    types q: ringwall top
    not here, root: sudo
    -->

What stands behind a colon is how the lines begin that are meant; without it all are. `with` names what the person has
before the block or that line, `status` how it ends (`0/1`: as the host is), `types` what is typed at a terminal.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]

# Why a command is not run by the tests, and nothing else: who needs one more reason has to write it here.
REASONS = {
    "root": "the tests of documents are an ordinary user's; tests/packaging and tests/guard install and run as root",
    "builds": "`make` and what it starts are the tests' own way to the program",
    "guard": "root's guard would have to run; tests/guard starts one",
    "container": "a container's runtime would have to be there, with an image",
}
WITH = re.compile(r"(run|asking run) [\w-]+|ssh-agent|review|nothing going on")

FENCE = re.compile(
    r"(?:^<!-- run:(?P<said>[^>]*?)-->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)
WORD = re.compile(
    r"(with (?P<need>[\w -]+)|status (?P<status>[\d/]+)|types (?P<types>\S+)|not here, (?P<reason>\w+))"
    r"(: (?P<prefix>.+))?"
)
SHOWN = {"sh", "console"}
OTHER = {"toml", "json", "yaml", "text"}
TYPED = re.compile(r"^(?:\$ )?(?:sudo|make|ringwall|docker|podman|cd) ", re.MULTILINE)


class Mistake(Exception):
    """A page that cannot be run as it is written."""


@dataclass
class Command:
    text: str
    line: int
    statuses: tuple[int, ...] = (0,)
    types: str | None = None  # keys, on a terminal
    not_here: str | None = None
    needs: list[str] = field(default_factory=list)


@dataclass
class Block:
    page: str
    line: int
    commands: list[Command]
    needs: list[str] = field(default_factory=list)

    def __str__(self):
        return f"{self.page}:{self.line}"


def command_lines(language, text, first):
    """(line, command) of each; a backslash at the end joins, and so does <<EOF; `#` behind blanks begins a comment."""
    joined, start = "", 0
    for number, line in enumerate(text.splitlines(), first):
        if language == "console" and not joined:
            if not line.startswith("$ "):
                continue
            line = line[2:]
        start = start if joined else number
        joined += line
        if joined.endswith("\\"):
            joined = joined[:-1]
            continue
        if "<<EOF" in joined and line != "EOF":
            joined += "\n"
            continue
        command = re.sub(r"(^|[ ])#[ ].*", "", joined).strip()
        if command:
            yield start, command
        joined = ""


def apply_word(word, block):
    """One line of the comment before a block."""
    match = WORD.fullmatch(word)
    if not match:
        raise Mistake(f"{block}: not understood: {word!r}")
    if match["reason"] and match["reason"] not in REASONS:
        raise Mistake(f"{block}: {match['reason']!r} is no reason; there are: {', '.join(REASONS)}")
    if match["need"] and not WITH.fullmatch(match["need"]):
        raise Mistake(f"{block}: nobody knows how to prepare {match['need']!r}")
    if match["need"] and not match["prefix"]:
        block.needs.append(match["need"])
        return
    chosen = [command for command in block.commands if command.text.startswith(match["prefix"] or "")]
    if not chosen:
        raise Mistake(f"{block}: no command begins with {match['prefix']!r}")
    for command in chosen:
        if match["need"]:
            command.needs.append(match["need"])
        elif match["status"]:
            command.statuses = tuple(map(int, match["status"].split("/")))
        elif match["types"]:
            command.types = match["types"].encode().decode("unicode_escape")
        else:
            command.not_here = match["reason"]


def blocks_of(page, text):
    found = []
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start("language")) + 1
        language = fence["language"]
        if language in SHOWN:
            commands = [Command(what, at) for at, what in command_lines(language, fence["text"], line + 1)]
            block = Block(page, line, commands)
            if not commands:
                raise Mistake(f"{block}: no command in a block of commands")
            for word in filter(None, map(str.strip, (fence["said"] or "").splitlines())):
                apply_word(word, block)
            found.append(block)
        elif language not in OTHER:
            raise Mistake(f"{page}:{line}: say what the block is: {', '.join(sorted(SHOWN | OTHER))}")
        elif TYPED.search(fence["text"]):
            raise Mistake(f"{page}:{line}: commands stand in a block that is not run")
    fences = list(FENCE.finditer(text))
    lines, comments = len(re.findall(r"^```", text, re.MULTILINE)), text.count("<!-- run:")
    if lines != 2 * len(fences) or comments != sum(bool(fence["said"]) for fence in fences):
        raise Mistake(f"{page}: a fence or a comment stands alone")
    return found


def all_blocks(top=TOP):
    pages = [top / "README.md", top / "CONTRIBUTING.md", *sorted(top.glob("docs/*.md"))]
    return [block for page in pages for block in blocks_of(page.relative_to(top).as_posix(), page.read_text())]
