#!/usr/bin/python3 -B
"""Draws the costs of a comparison as an SVG: plot.py docs/compare/cost.json > cost.svg

One line of bars for each row, as multiples of the same work without a wall, on a logarithmic scale.
"""

import html
import json
import math
import sys

WIDTH, LEFT, RIGHT = 760, 190, 70
BAR, GAP, ROW_GAP = 9, 2, 14
COLORS = ("#0b6e4f", "#8c8c8c", "#b08d57", "#5b7db1", "#b15b5b", "#8a6fb0", "#6f9fa0")


def text(x, y, words, anchor="start", size=11, color="#333"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}">{html.escape(words)}</text>'


def multiples(row, names):
    """Of the bare median; rows without one, or that nobody but us has, are not drawn."""
    bare = row["sides"].get("bare", {}).get("median")
    if not bare:
        return {}
    found = {}
    for name in names:
        side = row["sides"].get(name, {})
        if "median" in side:
            found[name] = bare / side["median"] if row.get("more_is_better") else side["median"] / bare
    return found


def draw(result):
    names = [name for name in result["sides"] if name != "bare" and any(name in row["sides"] for row in result["rows"])]
    rows = [(row, values) for row in result["rows"] if len(values := multiples(row, names)) > 1]
    most = max((value for _, values in rows for value in values.values()), default=10)
    scale = (WIDTH - LEFT - RIGHT) / math.log10(max(most, 10))
    parts, y = [], 34
    for number, name in enumerate(names):
        x = LEFT + number * (WIDTH - LEFT) / len(names)
        parts.append(f'<rect x="{x:.1f}" y="8" width="9" height="9" fill="{COLORS[number % len(COLORS)]}"/>')
        parts.append(text(x + 12, 16.5, name, size=10))
    for row, values in rows:
        height = len(values) * (BAR + GAP)
        parts.append(text(LEFT - 8, y + height / 2 + 3, row["title"], "end"))
        for name, value in values.items():
            width = max(1.5, scale * math.log10(max(value, 1)))
            color = COLORS[names.index(name) % len(COLORS)]
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{color}"/>')
            parts.append(text(LEFT + width + 4, y + BAR - 1, f"{value:.2f}" if value < 10 else f"{value:.0f}", size=9))
            y += BAR + GAP
        y += ROW_GAP
    parts.append(text(LEFT, y + 4, "times the same work without a wall (logarithmic); shorter is better", size=10))
    height = y + 14
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fff"/>', *parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(draw(json.load(file)))
