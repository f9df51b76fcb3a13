"""Row `audit`: `ringwall audit repo` over a repository of 100,000 files, its sandbox included."""

import os
import statistics

import measure
from report import Row

NAMES = ["audit"]
CEILING = 2000.0
WARM_UP = 1
FOLDERS, FILES = 2000, 50
# Of fifty files in a folder: a text for people, sources, and what nobody reads.
KINDS = ["md"] + ["ts", "py", "go", "c", "h", "rs", "java"] * 5 + ["json", "css", "png", "svg.gz", "snap", "bin", "o"] * 2
LINE = {
    "md": "The handler answers a request with the value that was asked for, and with none if there is none.\n",
    "else": "export function handler(request, response) { return response.json({ value: request.query.value }); }\n",
}


def fill(top):
    for number in range(FOLDERS):
        folder = top / f"package{number // 20}" / f"part{number % 20}"
        folder.mkdir(parents=True)
        for place, kind in enumerate(KINDS[:FILES]):
            text = LINE.get(kind, LINE["else"]) * (5 + (number + place) % 40)
            (folder / f"file{place}.{kind}").write_text(text, encoding="utf-8")


def row(name, place, options):
    workspace = place.workspace("audit")
    fill(workspace)
    argv = [place.binary, "audit", "repo", str(workspace)]
    sides = {"audit": lambda: measure.time_program(argv, place.env, place.log)}
    times = measure.take_turns(sides, max(3, options.work_rounds // 2), WARM_UP)["audit"]
    spent = statistics.median(times) / measure.MS
    os.chdir(place.room)
    return Row(name, f"{FOLDERS * FILES} files in {spent:.0f} ms", spent, CEILING, "ms", {"rounds": len(times)})
