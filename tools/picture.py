#!/usr/bin/python3 -B
"""Draws a terminal as an SVG: a command runs in a real one (tmux), and what its screen shows in the end is drawn.

    tools/picture.py FILE.svg COLUMNS COMMAND ARGUMENTS...
"""

import html
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROWS = 200
CELL, LINE, EDGE = 8.4, 18, 14
BACKGROUND, FOREGROUND = "#15181d", "#d7dae0"
COLOURS = ["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"]
PATIENCE = 300  # seconds


def screen_of(command, columns):
    """The lines that a person would see, with the escape sequences of their colours."""
    with tempfile.TemporaryDirectory() as folder:
        tmux = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
        over = pathlib.Path(folder, "over")
        script = f"{shlex.join(command)}; touch {over}; sleep 60"
        subprocess.run([*tmux, "new-session", "-d", "-x", str(columns), "-y", str(ROWS), script], check=True)
        try:
            until = time.monotonic() + PATIENCE
            while not over.exists():
                if time.monotonic() > until:
                    sys.exit("it does not end")
                time.sleep(0.1)
            time.sleep(0.3)
            shown = subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True, capture_output=True, text=True)
        finally:
            subprocess.run([*tmux, "kill-server"], capture_output=True)
    return shown.stdout.rstrip("\n").split("\n")


def style_after(style, codes):
    for code in codes or [0]:
        if code == 0:
            style = {}
        elif code == 1:
            style = {**style, "font-weight": "bold"}
        elif code == 2:
            style = {**style, "opacity": "0.65"}
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style = {**style, "fill": COLOURS[code % 10]}
        elif code == 39:
            style = {key: value for key, value in style.items() if key != "fill"}
    return style


def pieces(line):
    """[(column, text, style)]"""
    style, column, found = {}, 0, []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            style = style_after(style, [int(code) for code in part[2:-1].split(";") if code])
        elif part:
            found.append((column, part, style))
            column += len(part)
    return found


def draw(lines, columns):
    width, height = columns * CELL + 2 * EDGE, len(lines) * LINE + 2 * EDGE
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
        'font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row, line in enumerate(lines):
        for column, text, style in pieces(line):
            if not text.strip():
                continue
            skipped = len(text) - len(text.lstrip())
            x, y = EDGE + (column + skipped) * CELL, EDGE + row * LINE + 13
            shape = {"fill": FOREGROUND, **style}
            told = " ".join(f'{key}="{value}"' for key, value in shape.items())
            text = text.strip()
            out.append(
                f'<text x="{x:.1f}" y="{y}" {told} textLength="{len(text) * CELL:.1f}" xml:space="preserve">{html.escape(text)}</text>'
            )
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    file, columns, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    file.write_text(draw(screen_of(command, columns), columns), encoding="utf-8")


if __name__ == "__main__":
    main()
