"""The short table of the comparison in the README, between two marks; the pages below docs/compare/ hold all of it."""

import compare_tables

BEGIN, END = "<!-- comparison: made by make compare -->", "<!-- comparison: end -->"
COSTS = ("start", "start-files", "hook", "exec", "work-files", "work-cpu", "connect", "stream", "memory", "many")


def corpus_rows(found, names):
    rows = []
    for part, good, title in (("attacks", compare_tables.BEATEN, "attacks beaten"), ("work", {"works"}, "work unbroken")):
        if part not in found:
            continue
        cases = [case for case in found[part]["cases"] if len(case.get("walls", {})) > 1]
        sets = {title: {name: name for name in names}}
        if part == "attacks":
            sets["… as each comes"] = {name: name if name == "ringwall" else f"{name}-default" for name in names}
        for shown, columns in sets.items():
            cells = [compare_tables.counts(cases, columns[name], good) for name in names]
            rows.append([shown, *("-" if cell is None else f"{cell[0]}/{cell[1]}" for cell in cells)])
    return rows


def cost_rows(found, names):
    rows = []
    for row in found.get("cost", {"rows": []})["rows"]:
        if row["name"] not in COSTS:
            continue
        sides = [row["sides"].get(name, {}) for name in names]
        cells = [compare_tables.amount(side["median"], row["unit"]) if "median" in side else "-" for side in sides]
        rows.append([row["title"], *cells])
    return rows


def section(found):
    """What stands between the marks, made of the results."""
    sides = next(iter(found.values()))["sides"]
    names = [name for name, side in sides.items() if name != "bare" and not side["is_default"]]
    versions = [sides[name]["version"].split(",")[0].removeprefix("ringwall ") for name in names]
    titles = [f"{sides[name]['title']} {version}".strip() for name, version in zip(names, versions)]
    table = compare_tables.markdown([["", *titles], *corpus_rows(found, names), *cost_rows(found, names)])
    blocks = [BEGIN, table]
    if "cost" in found:
        blocks.append("![Cost as multiples of no wall](docs/compare/cost.svg)")
    return "\n\n".join([*blocks, END])


def renewed(readme, found):
    """The README with what is between its marks made anew."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the README has no place for the comparison")
    return before + section(found) + after
