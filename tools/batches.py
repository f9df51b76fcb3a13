#!/usr/bin/python3 -B
"""Says which sources are compiled together: what they all include is then read, and its templates made, once.

    tools/batches.py SWITCH FILE... | --self-test

prints a line for each file that has company: its batch and its path. Files share a batch only if no name that is one's own
(an anonymous namespace, `static`, `using`, a macro) stands anywhere in another, or in a header that only the other includes:
so none can mean anything else than it means alone. Files that match SWITCH, which a build for tests compiles anew, have
company of their kind alone.
"""

import functools
import pathlib
import re
import sys
import tempfile

import source_tree

TOP = pathlib.Path(__file__).parent.parent
MOST_LINES = 2500  # of a batch: two processors have to end about the same time

WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*")  # a member's name, or a qualified one, is nobody else's
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
# What brings in names that no text shows: such a file is compiled alone.
OPENS = re.compile(r"^using (?:namespace|enum)\b", re.MULTILINE)
USING = re.compile(r"^(?:using|namespace) (?!enum|namespace)(?:[\w:]+::)?(\w+)\b[^{;]*;", re.MULTILINE)
STATIC = re.compile(r"^static [^(={;]*?(\w+)\s*[({=;\[]", re.MULTILINE)
ANONYMOUS = re.compile(r"^namespace \{$", re.MULTILINE)
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?)\s+(\w+)")
DECLARED = re.compile(r"(?!TEST)\b(\w+)\s*(?:[({=;\[]|$)")


@functools.cache
def code_of(path):
    """A file's text without comments and literals, but with its includes."""
    text = path.read_text()
    return "\n".join(INCLUDE.findall(text)), source_tree.blank_out(text)


@functools.cache
def headers_of(path):
    """Every header of ours that a file gets to see."""
    found = set()
    for name in code_of(path)[0].split():
        for header in (path.parent.parent / name, TOP / "src" / name, TOP / name):
            if header.exists():
                found |= {header} | headers_of(header)
    return frozenset(found)


@functools.cache
def words_of(path):
    return frozenset(WORD.findall(code_of(path)[1]))


def statements(text):
    """What stands in anonymous namespaces themselves: the text before each body, initialiser or semicolon."""
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    for begin in ANONYMOUS.finditer(text):
        depth, kept = 0, []
        for char in text[begin.end() :]:
            depth += (char == "{") - (char == "}")
            if depth < 0:
                break
            kept.append(";" if char in "{}" else char if depth == 0 else "")
        yield from "".join(kept).split(";")


def without_arguments(text):
    """Without the arguments of templates and without attributes, in which a name is none that is declared."""
    text = re.sub(r"\[\[.*?\]\]|\balignas\([^)]*\)", " ", text)
    while (shorter := re.sub(r"<[^<>]*>", " ", text)) != text:
        text = shorter
    return text


@functools.cache
def own_names_of(path):
    """Each name of a file's own, with what declares it where that may be said twice."""
    text = code_of(path)[1]
    names = dict.fromkeys([*MACRO.findall(text), *STATIC.findall(text)])
    for statement in map(str.strip, map(without_arguments, statements(text))):
        if found := TYPE.match(statement) or DECLARED.search(statement):
            names[found[1]] = None
    return names | {found[1]: found[0] for found in USING.finditer(text)}


def disturbs(one, other):
    """Whether a name of one's own could be meant in the other."""
    own, others = own_names_of(one), own_names_of(other)
    seen = set(words_of(other))
    for header in headers_of(other) - headers_of(one):
        seen |= words_of(header)
    return any(not own[name] or own[name] != others.get(name) for name in own.keys() & seen)


def batches_of(files):
    """As few batches as the names allow, the longest files first."""
    size = {file: code_of(file)[1].count("\n") for file in files}
    batches = []
    for file in sorted(files, key=lambda file: (-size[file], file)):
        if OPENS.search(code_of(file)[1]):
            continue
        for batch in batches:
            if sum(size[other] for other in batch) + size[file] <= MOST_LINES and not any(
                disturbs(file, other) or disturbs(other, file) for other in batch
            ):
                batch.append(file)
                break
        else:
            batches.append([file])
    return [batch for batch in batches if len(batch) > 1]


def main(switch, *names):
    kinds = {}
    for name in names:
        file = pathlib.Path(name)
        is_test = file.name.endswith("_test.cc")
        is_switched = not is_test and re.search(switch, file.read_text()) is not None
        kinds.setdefault((file.parent.name, is_test, is_switched), []).append(file)
    for (room, is_test, is_switched), files in kinds.items():
        for number, batch in enumerate(batches_of(files), 1):
            for file in batch:
                print(f"{room}{'-test' * is_test}{'-switched' * is_switched}-{number} {file}")
    return 0


# Two files, and whether they can stand in one.
SELF_TESTS = [
    ("void f() { g(); }", "namespace {\nvoid own() {}\n}", True),
    ("namespace {\nvoid own() {}\n}", "namespace {\nint own(int x) { return x; }\n}", False),
    ("namespace {\nvoid f() {\n  g();\n}\nvoid own() {}\n}", "void h() { own(1); }", False),
    ("namespace {\nstd::map<int, void (*)(int)> own{{1, nullptr}};\n}", "void h() { int own; }", False),
    ("namespace {\nstruct Own : Base {\n  int inner;\n};\n}", "void h() { int inner; }", True),
    ("namespace {\nvoid own() {}\n}", "void h() { x.own(); other::own(); }  // own", True),
    ("static bool own(int x) { return x; }", "bool h() { return own(2); }", False),
    ("#define OWN 1", "int h = OWN;", False),
    ("using a::Own;\nOwn x;", "using b::Own;\nOwn y;", False),
    ("using a::Own;\nOwn x;", "using a::Own;\nOwn y;", True),
    ("using namespace a;", "int y;", False),
    ("namespace {\nvoid own() {}\n}", '#include "room/inline.h"', False),
]


def self_test():
    wrong = 0
    with tempfile.TemporaryDirectory() as top:
        room = pathlib.Path(top, "room")
        room.mkdir()
        (room / "inline.h").write_text("inline void h() { own(1); }\n")
        for number, (*texts, expected) in enumerate(SELF_TESTS):
            files = [room / f"{number}{name}.cc" for name in "ab"]
            for file, text in zip(files, texts):
                file.write_text(f"{text}\n")
            if bool(batches_of(files)) != expected:
                wrong += 1
                print(f"self test: expected {'together' if expected else 'apart'}: {texts}", file=sys.stderr)
    print(f"{len(SELF_TESTS) - wrong} of {len(SELF_TESTS)} pairs were judged rightly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(*sys.argv[1:]))
