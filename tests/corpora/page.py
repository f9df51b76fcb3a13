"""A page of docs/ that is made from the cases of a corpus."""

import sys

import case as cases


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def table(title, heads, rows):
    lines = [f"\n## {title}\n", f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    lines += [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def sections(kind, titles, heads, row):
    """How many cases there are, and a table for each class, in the order of its titles."""
    found = cases.load(kind)
    if strangers := {case.group for case in found} - set(titles):
        sys.exit(f"{kind}: classes without a heading: {sorted(strangers)}")
    made = [table(title, heads, [row(case) for case in found if case.group == group]) for group, title in titles.items()]
    return len(found), "".join(made)


def write(page, text, words, tool):
    """Writes it; with --check only says whether it is stale."""
    if words == ["--check"]:
        if not page.exists() or page.read_text() != text:
            sys.exit(f"docs/{page.name} is stale: run {tool}")
    elif words:
        sys.exit(f"{tool} [--check]")
    else:
        page.write_text(text)
