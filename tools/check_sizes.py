#!/usr/bin/python3 -B
"""Checks that functions and files stay small enough to be read at one sitting.

Tables are exempt: a long list of like entries is read by looking up, not from top to bottom.
"""

import ast
import re
import sys

import source_tree

FUNCTION_LINES = 60
FILE_LINES = 400
TEST_FILE_LINES = 600
FOLDERS = ("src", "probes", "bpf", "tools", "bench", "tests")
SUFFIXES = source_tree.CPP_SUFFIXES + (".py", ".sh")
GENERATED = {"vmlinux.h"}

CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
ATTRIBUTE = re.compile(r"\b(alignas|__attribute__|requires)\s*\((?:[^()]|\([^()]*\))*\)")
LAMBDA = re.compile(
    r"\[[^\[\]]*\]\s*(\((?:[^()]|\([^()]*\))*\))?\s*(mutable|noexcept|constexpr|->[^;={}]*|\s)*$"
)
SHELL_FUNCTION = re.compile(r"^([\w-]+)\(\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def outside_brackets(head):
    """The head with each (...) as @ and without <...>; None if a parenthesis is still open."""
    head = re.sub(r"\boperator\s*(\(\s*\)|[^\s\w(]+)", "operator", head).replace("->", " ")
    for pattern, mark in ((r"\([^()]*\)", "@"), (r"<[^<>]*>", " ")):
        while (shorter := re.sub(pattern, mark, head)) != head:
            head = shorter
    return None if "(" in head else head


def kind_of_block(head, outer):
    """What a `{` opens, by the text before it and the block around it."""
    head = ATTRIBUTE.sub(" ", head).strip()
    if LAMBDA.search(head) and outer == "table":
        return "function"
    if outer == "table" or re.search(r"(=|\breturn)$", head):
        return "table"
    if outer in ("function", "block"):
        return "block"
    bare = outside_brackets(head)
    if bare is None:
        return "function" if LAMBDA.search(head) else "table"  # an argument: kX = f({ or f([] {
    if CONTAINER.search(bare) and "@" not in bare:
        return "container"
    if LAMBDA.search(head) and "=" in bare:
        return "function"
    return "function" if "@" in bare and "=" not in bare else "table"


def cpp_functions(text):
    """Yields (name, first line, lines) of each function; tables inside one are not counted."""
    code = source_tree.blank_out(text)
    code = re.sub(  # preprocessor lines, with their continuations
        r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group().count("\n"), code, flags=re.M
    )
    stack, line, head, head_line = [], 1, "", 1
    for char in code:
        if char == "{":
            kind = kind_of_block(head, stack[-1]["kind"] if stack else "container")
            stack.append({"kind": kind, "head": head, "from": head_line, "open": line, "spared": 0})
        elif char == "}" and stack:
            block = stack.pop()
            if block["kind"] == "function":
                name = " ".join(block["head"].split())[-60:]
                yield name, block["from"], line - block["from"] + 1 - block["spared"]
            outer = stack[-1] if stack else None
            if outer and block["kind"] == "table" and outer["kind"] != "table":
                block["spared"] = max(0, line - block["open"] - 1)
            if outer and block["kind"] != "function":
                outer["spared"] += block["spared"]
        if char in "{};":
            head = ""
        elif head or not char.isspace():
            head_line = head_line if head else line
            head += char
        line += char == "\n"


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def shell_functions(text):
    for match in SHELL_FUNCTION.finditer(text):
        if "<<" in match.group(2).split("\n", 1)[0]:
            continue  # a here-document from its first line on: a table
        first = source_tree.line_of(text, match.start())
        yield match.group(1), first, match.group().count("\n") + 1


def functions_of(path, text):
    if path.suffix == ".py":
        return python_functions(text)
    return shell_functions(text) if path.suffix == ".sh" else cpp_functions(text)


def check(top):
    complaints = []
    for folder in FOLDERS:
        for path in source_tree.files_below(top, folder, SUFFIXES):
            if path.name in GENERATED:
                continue
            text = source_tree.read_text(top, path)
            is_test = folder == "tests" or path.stem.endswith("_test")
            limit = TEST_FILE_LINES if is_test else FILE_LINES
            lines = text.count("\n")
            if lines > limit:
                complaints.append(f"{path}: {lines} lines, at most {limit}")
            for name, line, length in functions_of(path, text):
                if length > FUNCTION_LINES:
                    complaints.append(
                        f"{path}:{line}: {length} lines, at most {FUNCTION_LINES}: {name}"
                    )
    return complaints


def _body(lines):
    return "  g();\n" * lines


_ENTRIES = '    {"name", f(1), {1, 2}},\n' * 90
_LONG = 100
CASES = [
    ("58 lines and two braces", {"src/a/a.cc": f"int f() {{\n{_body(58)}}}\n"}, None),
    ("one line more", {"src/a/a.cc": f"int f() {{\n{_body(59)}}}\n"}, "61 lines"),
    ("method", {"src/a/a.h": f"class A {{\n  void f() const {{\n{_body(_LONG)}}}\n}};\n"}, "f()"),
    (
        "constructor with initializers",
        {"src/a/a.cc": f"A::A(int a) : a_(a), b_(2) {{\n{_body(_LONG)}}}\n"},
        "A::A",
    ),
    (
        "in a namespace, returning a struct",
        {"src/a/a.cc": f"namespace x {{\nstruct stat f(S s) {{\n{_body(_LONG)}}}\n}}\n"},
        "f(S s)",
    ),
    (
        "operator and default argument",
        {"src/a/a.cc": f"bool operator==(A a, int b = 2) {{\n{_body(_LONG)}}}\n"},
        "operator",
    ),
    ("test macro", {"tests/a.cc": f"TEST(A, b) {{\n{_body(_LONG)}}}\n"}, "TEST(A, b)"),
    ("table", {"src/a/a.cc": f"constexpr Row kRows[] = {{\n{_ENTRIES}}};\n"}, None),
    ("array", {"src/a/a.cc": f"const std::array<Row, f(2)> kRows{{{{\n{_ENTRIES}}}}};\n"}, None),
    ("to_array", {"src/a/a.cc": f"auto kRows = std::to_array<Row>({{\n{_ENTRIES}}});\n"}, None),
    ("enum", {"src/a/a.h": "enum class E {\n" + "  kA,\n" * 90 + "};\n"}, None),
    (
        "table in a function",
        {"src/a/a.cc": f"T& f() {{\n  static const T rows = {{\n{_ENTRIES}}};\n  return rows;\n}}\n"},
        None,
    ),
    (
        "table in a long function",
        {"src/a/a.cc": f"T& f() {{\n  T rows = {{\n{_ENTRIES}}};\n{_body(70)}}}\n"},
        "74 lines",
    ),
    (
        "lambda in a table",
        {"src/a/a.cc": f'Row k[] = {{{{"x", [](int a) {{\n{_body(_LONG)}}}}}}};\n'},
        "[](int a)",
    ),
    (
        "braces in text are no braces",
        {"src/a/a.cc": 'char a = \'{\';  // {\nauto b = R"x({{{)x";\nint c = 1\'000;\nvoid f() {}\n'},
        None,
    ),
    ("python", {"tools/a.py": "def f():\n" + "    g()\n" * 61}, "f"),
    ("shell", {"tools/a.sh": "f() {\n" + "  g\n" * 61 + "}\n"}, "f"),
    ("long file", {"src/a/a.cc": "\n" * 401}, "at most 400"),
    ("test file", {"tests/a.py": "\n" * 600, "src/a/a_test.cc": "\n" * 600}, None),
    ("long test file", {"tests/a.py": "\n" * 601}, "at most 600"),
]

if __name__ == "__main__":
    sys.exit(source_tree.main(check, CASES, __doc__))
