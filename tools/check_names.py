#!/usr/bin/python3 -B
"""Checks that every file and name of this tree that a page or a comment names is there."""

import pathlib
import re
import sys

import source_tree

CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
OURS = ("src", "probes", "bpf", "bench", "packaging", "tests", "tools")
PATH = re.compile(rf"(?:{'|'.join(OURS)})/[\w./*-]*")
SOURCE_NAME = re.compile(r"[\w-]+\.(?:cc|h|c|py|sh|cmake)")
SCOPED_NAME = re.compile(r"\b(?:[A-Za-z_]\w*::)+[A-Za-z_]\w*")
CALLED_NAME = re.compile(r"\b([a-z_]\w*)\(\)")
COMMENT = re.compile(r"//[^\n]*")
# In a comment: a header or source of ours, by its name or as room/name; <linux/magic.h> is another's.
FILE_IN_COMMENT = re.compile(r"(?<![\w./<])((?:\w+/)*)(\w{2,}\.(?:h|cc))\b")
# A part that stands for any name: tests/attacks/CLASS/NAME.py.
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")
# Pages whose tables are about files of other people's repositories.
ABOUT_OTHERS = ("hidden-files.md", "profiles.md", "protected-files.md", "runs-later.md", "tool-packs.md")
SOURCES = ("src", "probes", "bpf")
STANDARD = {"std", "boost"}
GENERATED = {"vmlinux.h"}


class Tree:
    """What there is to be named."""

    def __init__(self, top):
        self.top = pathlib.Path(top)
        self.files = source_tree.files_below(top)
        self.names = {path.name for path in self.files} | GENERATED
        self.sources = [
            path for folder in SOURCES for path in source_tree.files_below(top, folder, source_tree.CPP_SUFFIXES)
        ]
        self.words = set()
        for path in self.sources:
            self.words.update(re.findall(r"\w+", source_tree.blank_out(source_tree.read_text(top, path))))

    def has_path(self, path):
        """Path may hold placeholders and stars."""
        pattern = PLACEHOLDER.sub("*", path.rstrip("/"))
        return any(self.top.glob(pattern)) if "*" in pattern else (self.top / pattern).exists()


def is_path_of_ours(word):
    """MCP's tools/call, and whatever else looks like a folder of ours, is none."""
    if not PATH.fullmatch(word):
        return False
    return not word.startswith("tools/") or "." in word


def paragraphs(text):
    """(line, text) of each paragraph; a table's row is one by itself."""
    line = 1
    for part in re.split(r"(\n(?:\s*\n)+|\n(?=\|))", text):
        if part.strip():
            yield line, part
        line += part.count("\n")


def names_in_paragraph(tree, text, own_folder, about_others):
    """Complaints about one paragraph. A bare name lies beside the page, or in a folder that the paragraph has named."""
    folders, complaints = [], []
    for code in CODE.findall(text):
        for word in re.split(r"[\s,:]+(?!:)", code):
            if is_path_of_ours(word) and (word.startswith("src/") or not about_others):
                if not tree.has_path(word):
                    complaints.append(f"there is no {word}")
                folders.append(word.rpartition("/")[0])
            elif SOURCE_NAME.fullmatch(word) and not about_others:
                if word not in tree.names:
                    complaints.append(f"there is no file {word}")
                elif folders and not any((tree.top / folder / word).exists() for folder in [own_folder, *folders]):
                    complaints.append(f"{word} is in none of {', '.join(sorted(set(folders)))}")
        complaints += [f"there is no {name} in the source" for name in missing_scoped(tree, code)]
    return complaints


def missing_scoped(tree, text):
    for name in SCOPED_NAME.findall(text):
        parts = name.split("::")
        if parts[0] not in STANDARD and not parts[0].isupper() and not set(parts) <= tree.words:
            yield name


def check_pages(tree):
    complaints = []
    for path in tree.files:
        if path.suffix != ".md":
            continue
        text = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source_tree.read_text(tree.top, path))
        for line, paragraph in paragraphs(text):
            found = names_in_paragraph(tree, paragraph, path.parent, path.name in ABOUT_OTHERS)
            complaints += [f"{path}:{line}: {what}" for what in found]
    return complaints


def check_comments(tree):
    complaints = []
    rooms = {path.parent.name for path in tree.sources}
    for path in tree.sources:
        text = source_tree.read_text(tree.top, path)
        for comment in COMMENT.finditer(text):
            said = comment.group()
            wrong = [f"there is no {name} in the source" for name in missing_scoped(tree, said)]
            called = [name for name in CALLED_NAME.findall(said) if name not in tree.words]
            wrong += [f"there is no {name}() in the source" for name in called]
            for folder, name in FILE_IN_COMMENT.findall(said):
                room = folder.rstrip("/").rpartition("/")[2]
                is_there = any(file.name == name and room in ("", file.parent.name) for file in tree.files)
                if (not room or room in rooms) and not is_there and name not in GENERATED:
                    wrong.append(f"there is no {folder}{name}")
            complaints += [f"{path}:{source_tree.line_of(text, comment.start())}: {what}" for what in wrong]
    return complaints


def check(top):
    tree = Tree(top)
    return check_pages(tree) + check_comments(tree)


ROOM = {"src/a/aa.h": "void act();\nnamespace x {}\n", "src/b/bb.cc": "int x;\n"}
CASES = [
    (
        "clean",
        ROOM
        | {
            "docs/a.md": "`src/a/aa.h`, `src/b/bb.cc`, `src/NAME/*.cc`, `x::act`, `tools/call`\n\n`bb.cc` `/etc/x.h`\n",
            "docs/runs-later.md": "`setup.py` and `tests/x`\n",
            "src/a/c.h": "// See aa.h, b/bb.cc, act(), std::move, <linux/magic.h> and linux/magic.h.\n",
        },
        None,
    ),
    ("path", ROOM | {"docs/a.md": "\n\n`src/a/gone.h`\n"}, "docs/a.md:3: there is no src/a/gone.h"),
    ("path with a word behind", ROOM | {"docs/a.md": "`tests/gone.py --only x`\n"}, "no tests/gone.py"),
    ("pattern", ROOM | {"docs/a.md": "`src/b/NAME.h`\n"}, "no src/b/NAME.h"),
    ("folder", ROOM | {"docs/a.md": "`tests/gone/`\n"}, "no tests/gone/"),
    ("name", ROOM | {"docs/a.md": "`gone.cc`\n"}, "no file gone.cc"),
    ("name elsewhere", ROOM | {"docs/a.md": "| `src/a/aa.h`, `bb.cc` |\n"}, "bb.cc is in none of src/a"),
    ("path of a table's page", ROOM | {"docs/runs-later.md": "`src/gone.cc`\n"}, "no src/gone.cc"),
    ("identifier", ROOM | {"docs/a.md": "`x::gone`\n"}, "no x::gone"),
    ("identifier in a comment", ROOM | {"src/a/c.h": "// As x::gone does.\n"}, "c.h:1: there is no x::gone"),
    ("call in a comment", ROOM | {"src/a/c.h": "\n// See gone().\n"}, "c.h:2: there is no gone()"),
    ("file in a comment", ROOM | {"src/a/c.h": "// See b/gone.h.\n"}, "no b/gone.h"),
    ("file in a comment, elsewhere", ROOM | {"src/a/c.h": "// See b/aa.h.\n"}, "no b/aa.h"),
]

if __name__ == "__main__":
    sys.exit(source_tree.main(check, CASES, __doc__))
