#!/usr/bin/python3 -B
"""Checks the words: no notes of unfinished work, no forbidden calls, no dead links in the docs."""

import re
import sys
import urllib.parse

import source_tree

# Words are put together here, so that this file does not complain about itself.
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK")) + r")\b")

# (what, pattern over code without comments and literals, files that may, why not)
FORBIDDEN_CALLS = [
    (
        "a shell",
        re.compile(r"(?<![\w.>])(system|popen)\s*\("),
        (),
        "a shell reads strings that an agent may have chosen",
    ),
    (
        "exit",
        re.compile(r"(?<![\w.>])exit\s*\("),
        ("src/cli/main.cc",),
        "return a Result; a child uses _exit",
    ),
]

# A path that exists only on the machine of whoever wrote it. /root may be meant in code.
BEFORE_PATH = r"(?<![\w.~})\]*-])"
MACHINE_PATH = re.compile(BEFORE_PATH + r"/(wo" r"rk|builds|Us" r"ers)/[\w.]")
MACHINE_PATH_IN_DOCS = re.compile(BEFORE_PATH + r"/(wo" r"rk|builds|Us" r"ers|ro" r"ot)/[\w.]")

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)\n]*\)|^\[[^\]\n]+\]:\s*(\S+)", re.MULTILINE)
OTHER_PLACE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def same_length(match):
    return re.sub(r"[^\n]", " ", match.group())


def check_words(top):
    complaints = []
    for path in source_tree.files_below(top):
        text = source_tree.read_text(top, path)
        machine = MACHINE_PATH_IN_DOCS if path.suffix == ".md" else MACHINE_PATH
        for pattern, what in ((UNFINISHED, "unfinished"), (machine, "path of one machine")):
            for match in pattern.finditer(text):
                line = source_tree.line_of(text, match.start())
                complaints.append(f"{path}:{line}: {what}: {match.group()}")
    return complaints


def check_calls(top):
    complaints = []
    for path in source_tree.files_below(top, "src", source_tree.CPP_SUFFIXES):
        code = source_tree.blank_out(source_tree.read_text(top, path))
        for what, pattern, exempt, reason in FORBIDDEN_CALLS:
            if path.as_posix() in exempt:
                continue
            for match in pattern.finditer(code):
                line = source_tree.line_of(code, match.start())
                complaints.append(f"{path}:{line}: calls {what}: {reason}")
    return complaints


def anchors_of(text):
    """What a link into this page may name: its headings, as GitHub and others make anchors of them, and marks."""
    headings = re.findall(r"^#+ +(.*?)\s*$", FENCE.sub(same_length, text), re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return set(words) | set(re.findall(r'<a id="([^"]+)">', text))


def complaint_of_link(top, path, target):
    """What is wrong with a link in that page; None if it leads somewhere."""
    file, _, anchor = target.partition("#")
    file = urllib.parse.unquote(file)
    place = (top / path.parent / file).resolve() if file else (top / path)
    if file.startswith("/") or not place.is_relative_to(top) or not place.exists():
        return f"link to a missing file: {target}"
    if anchor and place.suffix == ".md" and anchor not in anchors_of(source_tree.read_text(top, place)):
        return f"link to a missing place: {target}"
    return None


def check_links(top):
    complaints = []
    for path in source_tree.files_below(top, suffixes=(".md",)):
        text = INLINE_CODE.sub(same_length, FENCE.sub(same_length, source_tree.read_text(top, path)))
        for match in LINK.finditer(text):
            target = match.group(1) or match.group(2)
            wrong = None if OTHER_PLACE.match(target) else complaint_of_link(top, path, target)
            if wrong:
                complaints.append(f"{path}:{source_tree.line_of(text, match.start())}: {wrong}")
    return complaints


def check(top):
    top = top.resolve()
    return check_words(top) + check_calls(top) + check_links(top)


CASES = [
    (
        "clean",
        {
            "src/a/a.cc": '// never system() here\nauto s = "exit(1)"; _exit(1); app.exit(e);\n',
            "src/cli/main.cc": "std::exit(1);\n",
            "docs/a.md": "[b](b.md#x-ys-z) [m](b.md#p01) [c](../src/a/a.cc) [d](https://example.org) `[e](f.md)`\n",
            "docs/b.md": "# X: `y`'s Z\n<a id=\"p01\"></a>\n```\n[x](missing.md)\n```\nsee tests/wo" "rk/x and mktemp a.XXXXXX\n",
        },
        None,
    ),
    ("unfinished", {"src/a/a.cc": "// TO" "DO: later\n"}, "a.cc:1: unfinished"),
    ("unfinished script", {"tools/a.sh": "\n# FIX" "ME\n"}, "a.sh:2: unfinished"),
    ("unfinished build file", {"CMakeLists.txt": "# HA" "CK\n"}, "unfinished"),
    ("system", {"src/a/a.cc": 'int r = std::system("ls");\n'}, "a shell"),
    ("popen", {"src/a/a.cc": 'auto* f = popen ("ls", "r");\n'}, "a shell"),
    ("exit", {"src/a/a.cc": "\n  exit(1);\n"}, "a.cc:2: calls exit"),
    ("std::exit", {"src/cli/cmd_run.cc": "std::exit(1);\n"}, "calls exit"),
    ("path of a machine", {"src/a/a.cc": '"/wo' 'rk/main"\n'}, "one machine"),
    ("path of a machine in docs", {"docs/a.md": "see /ro" "ot/.ssh\n"}, "one machine"),
    ("which code may mean", {"src/a/a.cc": '"/ro' 'ot/.ssh"\n'}, None),
    ("dead link", {"docs/a.md": "\n[b](b.md)\n"}, "a.md:2: link"),
    ("dead link by reference", {"docs/a.md": "[b]: b.md\n"}, "link"),
    ("dead anchor", {"docs/a.md": "[b](b.md#c)\n", "docs/b.md": "# D\n```\n# C\n```\n"}, "missing place"),
    ("dead anchor in the same page", {"docs/a.md": "# B\n[b](#c)\n"}, "missing place"),
    ("link out of the tree", {"docs/a.md": "[b](../../../etc/passwd)\n"}, "link"),
]

if __name__ == "__main__":
    sys.exit(source_tree.main(check, CASES, __doc__))
