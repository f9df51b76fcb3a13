"""Row `terminal`: `cat` of 200 MB through our terminal against the least that a relay can do."""

import pathlib
import subprocess

import measure
from report import CannotMeasure, Row

NAMES = ["terminal"]
CEILING = 1.03
WARM_UP = 1
# Workers of the kernel hand the bytes of terminals on. How these and four processes fall on two processors
# differs from round to round by a fifth, on both sides: a median of few rounds says little.
ROUNDS = 3  # times those of other rows
MEGABYTES = 200
SOURCE = pathlib.Path(__file__).with_name("terminal.c")
LINE = "%08d the quick brown fox jumps over the lazy dog \x1b[32mok\x1b[0m and over the fence\n"


def build(folder):
    program = folder / "terminal"
    subprocess.run(["cc", "-O2", "-o", program, SOURCE, "-lutil"], check=True)
    return str(program)


def write_log(path):
    """A log of a build: lines, some of them coloured."""
    block = "".join(LINE % n for n in range(10_000)).encode()
    with open(path, "wb") as file:
        for _ in range(MEGABYTES * 1_000_000 // len(block)):
            file.write(block)


def nanoseconds(argv, env, folder):
    done = subprocess.run(
        argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    words = done.stdout.split()
    if done.returncode != 0 or words[:1] != ["bytes"] or int(words[1]) < MEGABYTES * 900_000:
        raise CannotMeasure(f"{' '.join(argv)} gave {done.returncode}\n{done.stdout}{done.stderr}")
    return int(words[3])


def row(name, place, options):
    workspace = place.workspace("terminal")
    program = build(place.room)
    write_log(workspace / "log")
    env = place.env | {"TERM": "xterm-256color"}
    show = ["/bin/cat", "log"]
    sides = {
        "ringwall": [program, "watch", place.binary, "run", "--", *show],
        "bare relay": [program, "watch", program, "relay", *show],
    }
    times = measure.take_turns(
        {side: lambda argv=argv: nanoseconds(argv, env, workspace) for side, argv in sides.items()},
        ROUNDS * options.work_rounds,
        WARM_UP,
    )
    result = measure.compare(times, "ringwall", "bare relay")
    low, high = result["quartiles"]
    medians = result["median_ms"]
    measured = (
        f"ringwall {medians['ringwall']:.0f} ms, bare relay {medians['bare relay']:.0f} ms, "
        f"half of the rounds {low:.3f} to {high:.3f}"
    )
    (workspace / "log").unlink()
    return Row(name, measured, result["ratio"], CEILING, "x", result)
