"""The tables of a comparison: for a terminal, and as pages below docs/compare/."""

import json

import plot

BEATEN = {"stopped", "refused"}
# What a case gave that did neither what it wanted nor the contrary; it counts as not beaten, or as broken.
WORDS = {"hangs": "no answer", "broken": "it did not start", "left": "it left something behind"}
PAGES = ("attacks", "work", "cost", "growth")


def load(docs):
    found = {}
    for part in PAGES:
        file = docs / f"{part}.json"
        if file.exists():
            found[part] = json.loads(file.read_text(encoding="utf-8"))
    return found


def markdown(table):
    head, *rows = table
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def plain(table):
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]

    def line(row):
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "  ".join(cells).rstrip()

    return "\n".join([line(table[0]), "  ".join("-" * width for width in widths), *map(line, table[1:])])


def walls_of(result):
    seen = {name for case in result["cases"] for name in case.get("walls", {})}
    return [name for name in result["sides"] if name in seen and name != "bare"]


def counts(cases, name, good):
    """How many of these are as wanted behind a wall; None where none was run."""
    words = [case["walls"][name]["result"] for case in cases if name in case.get("walls", {})]
    return (sum(word in good for word in words), len(words)) if words else None


def corpus_table(result, good, names):
    run = [case for case in result["cases"] if "walls" in case and len(case["walls"]) > 1]
    groups = sorted({case["class"] for case in run})
    table = [["", *names]]
    for group in [*groups, None]:
        chosen = [case for case in run if group in (None, case["class"])]
        cells = [counts(chosen, name, good) for name in names]
        table.append([group or "all", *("-" if cell is None else f"{cell[0]}/{cell[1]}" for cell in cells)])
    return table


def attack_tables(result):
    names = walls_of(result)
    best = [name for name in names if not result["sides"][name]["is_default"]]
    default = ["ringwall"] * ("ringwall" in names) + [name for name in names if result["sides"][name]["is_default"]]
    tables = [("Attacks beaten, each tool in its best documented setting", corpus_table(result, BEATEN, best))]
    if len(default) > 1:
        tables.append(("Attacks beaten, each tool as it comes", corpus_table(result, BEATEN, default)))
    return tables


def work_tables(result):
    return [("Work unbroken", corpus_table(result, {"works"}, walls_of(result)))]


def amount(value, unit):
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def cost_tables(result):
    names = [name for name in result["sides"] if any(name in row["sides"] for row in result["rows"])]
    table = [["", *names, "Ringwall / bare", "Ringwall / best peer"]]
    for row in result["rows"]:
        cells = []
        for name in names:
            side = row["sides"].get(name)
            cells.append("-" if not side or "cannot" in side else amount(side["median"], row["unit"]))
        ratios = [f"{row[key]:.2f}" if row.get(key) else "-" for key in ("to_bare", "to_best_peer")]
        table.append([row["title"], *cells, *ratios])
    return [("Cost: medians", table)]


def growth_tables(result):
    table = [["", "from", "to", "cost at the least", "cost at the most", "exponent"]]
    for row in result["rows"]:
        first, last = row["points"][0], row["points"][-1]
        unit = row["unit"]
        cells = [f"{first['size']:,}", f"{last['size']:,}", amount(first["median"], unit), amount(last["median"], unit)]
        table.append([row["title"], *cells, row["verdict"]])
    return [("Growth: what Ringwall's cost adds to a start, against the size of the work", table)]


TABLES = {"attacks": attack_tables, "work": work_tables, "cost": cost_tables, "growth": growth_tables}


def host_line(host):
    return (
        f"{host['date']}, kernel {host['kernel']}, {host['system']}, {host['processors']}, {host['memory_gb']} GB, "
        f"load {host['busy']} at the end."
    )


def failures(result, good, words):
    """By wall, the cases that were not as wanted, by name."""
    lines = []
    for name in walls_of(result):
        bad = [
            f"{case['class']}/{case['name']}" + ("" if word in ("through", "breaks") else f" ({WORDS.get(word, word)})")
            for case in result["cases"]
            if (word := case.get("walls", {}).get(name, {}).get("result")) and word not in good
        ]
        lines.append(f"- **{name}**: {', '.join(bad) if bad else 'none'}")
    return f"## {words}\n\n" + "\n".join(lines)


def spread(result):
    lines = ["## Spread", "", "Median, and the quartiles of the rounds in brackets.", ""]
    for row in result["rows"]:
        told = []
        for name, side in row["sides"].items():
            if "cannot" in side:
                told.append(f"{name} cannot: {side['cannot']}")
            else:
                low, high = (amount(side[key], row["unit"]) for key in ("low", "high"))
                told.append(f"{name} {amount(side['median'], row['unit'])} ({low} to {high}, {side['rounds']} rounds)")
        lines.append(f"- **{row['title']}** ({row['says']}): " + "; ".join(told))
    return "\n".join(lines)


def settings(result):
    lines = ["## Settings", ""]
    for name, side in result["sides"].items():
        if name == "bare":
            continue
        lines.append(f"**{name}** — {side['title']} {side['version']}: {side['about']}.")
        if "cannot" in side:
            lines += ["", f"It cannot run here: {side['cannot']}", ""]
            continue
        lines += ["", "```", side["command"], "```", ""]
        if "settings" in side:
            lines += ["```json", json.dumps(side["settings"]), "```", ""]
    return "\n".join(lines)


INTRODUCTION = {
    "attacks": "The attacks of `tests/attacks/`, each of which succeeds without a wall. A number is how many were stopped.",
    "work": "The daily work of `tests/work/`, each task with a checked result. A number is how many still work.",
    "cost": "The same work behind each wall; sides take turns, and a ratio is the median of the ratios within each round.",
    "growth": "Each cost of Ringwall against the size of its work. The exponent is fitted to what is added to the least.",
}
TITLES = {"attacks": "Attacks beaten", "work": "Work unbroken", "cost": "Cost", "growth": "Growth"}


def page(part, result):
    blocks = [f"# {TITLES[part]}", "Made by `make compare`. " + INTRODUCTION[part], host_line(result["host"])]
    for title, table in TABLES[part](result):
        blocks += [f"## {title}", markdown(table)]
    if part == "attacks":
        blocks.append(failures(result, BEATEN, "What gets through"))
    if part == "work":
        blocks.append(failures(result, {"works"}, "What breaks"))
    if part in ("attacks", "work"):
        left_out = [f"- {c['class']}/{c['name']}: {c['not_run']}" for c in result["cases"] if "not_run" in c]
        blocks += ["## Not run", "\n".join(left_out)] if left_out else []
    if part == "cost":
        blocks += ["![The same as a plot](cost.svg)", spread(result)]
    if part != "growth":
        blocks.append(settings(result))
    return "\n\n".join(blocks).rstrip() + "\n"


def write(docs):
    found = load(docs)
    for part, result in found.items():
        (docs / f"{part}.md").write_text(page(part, result), encoding="utf-8")
    if "cost" in found:
        (docs / "cost.svg").write_text(plot.draw(found["cost"]), encoding="utf-8")
    return found


def show(docs):
    for part, result in load(docs).items():
        for title, table in TABLES[part](result):
            print(f"\n{title}\n\n{plain(table)}")
        print(f"\n{host_line(result['host'])}  More: {docs}/{part}.md")
