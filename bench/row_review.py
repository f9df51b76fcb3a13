"""Rows `review-*`: what it costs to work on a view, to look at what changed, and to take it over."""

import copy
import os
import shutil
import statistics
import subprocess
import time

import loads
import measure
from report import CannotMeasure, Row
from row_work import STOPWATCH, read_stopwatch

WORK = {  # row: the load of work-*, its ceiling, flags of the view
    "review-build": ("work-compile", 1.08, []),
    "review-status": ("work-git-status", 1.2, []),
    "review-tar": ("work-tar", 1.7, []),
    "review-files": (None, 1.7, []),
    "review-apart": (None, 1.03, ["--apart", "out"]),
}
NAMES = ["review-start", "review-end", *WORK, "review-diff", "review-apply"]
LARGE_TREE = 200_000
DIFF_TREE, DIFF_CHANGES = 100_000, 1_000
APPLIED = 10_000
SMALL_FILES = 50_000
FILES_PER_FOLDER = 100
MANY_FILES = f"""
import os
for n in range({SMALL_FILES}):
    if n % {FILES_PER_FOLDER} == 0: os.mkdir(f"out/folder{{n // {FILES_PER_FOLDER}}}")
    with open(f"out/folder{{n // {FILES_PER_FOLDER}}}/file{{n}}", "w") as file: file.write("content")
"""
FILES_LOAD = loads.Load(
    "", ["/usr/bin/python3", "-I", "-c", MANY_FILES], lambda workspace, env: None, fresh="out"
)
# The moment at which the command is over, by a clock that both sides see.
WRITE_THEN_TELL = """
import time
for n in range(2000):
    with open(f"new{n}", "wb") as file: file.write(b"x" * 20000)
print(time.monotonic_ns())
"""


def make_tree(workspace, count):
    for n in range(count):
        folder = workspace / f"folder{n // FILES_PER_FOLDER}"
        if n % FILES_PER_FOLDER == 0:
            folder.mkdir()
        (folder / f"file{n}.txt").write_text(f"content {n}\n", encoding="utf-8")


def discard_all(place):
    shutil.rmtree(place.home / ".local/state/ringwall/reviews", ignore_errors=True)


def run(place, *words):
    done = subprocess.run([place.binary, *words], env=place.env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(words[:3])} gave {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def start_row(place, options):
    workspace = place.workspace("review-start")
    make_tree(workspace, LARGE_TREE)
    os.chdir(workspace)

    def timer(flags):
        return lambda: measure.time_program([place.binary, "run", *flags, "--", "/bin/true"], place.env, place.log)

    sides = {"review": timer(["--review"]), "direct": timer([])}
    result = measure.compare(measure.take_turns(sides, options.rounds, 3), "review", "direct")
    medians = result["median_ms"]
    measured = f"{LARGE_TREE:,} files: {medians['review']:.2f} ms, direct {medians['direct']:.2f} ms"
    os.chdir(place.room)
    shutil.rmtree(workspace)
    return Row("review-start", measured, medians["review"] - medians["direct"], 5.0, "ms", result)


def end_row(place, options):
    workspace = place.workspace("review-end")
    os.chdir(workspace)

    def timer(flags):
        def spend():
            told = run(place, "run", *flags, "--", "/usr/bin/python3", "-I", "-c", WRITE_THEN_TELL)
            spent = time.monotonic_ns() - int(told)
            for n in range(2000):
                (workspace / f"new{n}").unlink(missing_ok=True)
            discard_all(place)
            return spent

        return spend

    sides = {"review": timer(["--review"]), "direct": timer([])}
    result = measure.compare(measure.take_turns(sides, max(options.rounds // 6, 5), 1), "review", "direct")
    medians = result["median_ms"]
    measured = f"after 2,000 files of 20 kB: {medians['review']:.1f} ms, direct {medians['direct']:.1f} ms"
    os.chdir(place.room)
    return Row("review-end", measured, medians["review"] - medians["direct"], 10.0, "ms", result)


def work_row(name, place, options):
    load_name, ceiling, flags = WORK[name]
    load = next((load for load in loads.LOADS if load.name == load_name), FILES_LOAD)
    workspace = place.workspace(name)
    (workspace / "tmp").mkdir()
    shutil.copy(STOPWATCH, workspace / "stopwatch.py")
    load.generate(workspace, place.env)
    os.chdir(workspace)
    # A folder apart is a mount point: what lies in it can be emptied, it cannot be removed.
    fresh = "-" if flags else load.fresh
    command = load.command
    if flags:
        script = "import shutil, os\nfor name in os.listdir('out'): shutil.rmtree('out/' + name)\n" + MANY_FILES
        (workspace / "out").mkdir()
        command = ["/usr/bin/python3", "-I", "-c", script]
    watched = ["/usr/bin/python3", "-I", "stopwatch.py", str(load.repeat), fresh, *command]

    def side(more):
        def spend():
            spent = read_stopwatch([place.binary, "run", "--deleted-files", "none", "--deleted-share", "none", *more, "--", *watched], place.env)
            discard_all(place)
            return spent

        return spend

    sides = {"review": side(["--review", *flags]), "direct": side([])}
    result = measure.compare(measure.take_turns(sides, options.work_rounds, 1), "review", "direct")
    medians = {key: spent / load.repeat for key, spent in result["median_ms"].items()}
    low, high = result["quartiles"]
    measured = f"review {medians['review']:.1f} ms, direct {medians['direct']:.1f} ms, half of the rounds {low:.3f} to {high:.3f}"
    os.chdir(place.room)
    shutil.rmtree(workspace)
    return Row(name, measured, result["ratio"], ceiling, "x", result)


def change_files(count, of):
    return (
        "import os\n"
        f"for n in range(0, {of}, {of // count}):\n"
        f"    with open(f'folder{{n // {FILES_PER_FOLDER}}}/file{{n}}.txt', 'a') as file: file.write('more\\n' * 100)\n"
    )


def diff_row(place, options):
    workspace = place.workspace("review-diff")
    make_tree(workspace, DIFF_TREE)
    os.chdir(workspace)
    run(place, "run", "--review", "--", "/usr/bin/python3", "-I", "-c", change_files(DIFF_CHANGES, DIFF_TREE))
    spent = []
    for _ in range(max(options.rounds // 6, 5)):
        begin = time.monotonic_ns()
        text = run(place, "diff")
        spent.append((time.monotonic_ns() - begin) / 1e9)
    if text.count("\n+more") < DIFF_CHANGES:
        raise CannotMeasure("the diff does not show all changes")
    discard_all(place)
    os.chdir(place.room)
    shutil.rmtree(workspace)
    value = statistics.median(spent)
    measured = f"{DIFF_CHANGES:,} changes in {DIFF_TREE:,} files: {value * 1e3:.0f} ms"
    return Row("review-diff", measured, value, 0.5, "s", {"seconds": spent})


def apply_row(place, options):
    workspace = place.workspace("review-apply")
    make_tree(workspace, APPLIED)
    twin = place.workspaces / "review-rsync"
    shutil.copytree(workspace, twin)
    os.chdir(workspace)

    def review():
        run(place, "run", "--review", "--", "/usr/bin/python3", "-I", "-c", change_files(APPLIED, APPLIED))

    def apply():
        begin = time.monotonic_ns()
        run(place, "apply")
        return time.monotonic_ns() - begin

    # Both copy the same files over older ones, and both are on the disk in the end.
    def rsync():
        review()
        source = next((place.home / ".local/state/ringwall/reviews").iterdir()) / "0/upper"
        begin = time.monotonic_ns()
        subprocess.run(["/usr/bin/rsync", "-a", f"{source}/", f"{twin}/"], check=True)
        subprocess.run(["/bin/sync", "-f", str(twin)], check=True)
        return time.monotonic_ns() - begin

    times = {"apply": [], "rsync": []}
    for number in range(max(options.work_rounds, 5)):
        for name in ("rsync", "apply") if number % 2 else ("apply", "rsync"):
            if name == "rsync":
                times[name].append(rsync())
                discard_all(place)
            else:
                review()
                times[name].append(apply())
    result = measure.compare(times, "apply", "rsync")
    medians = result["median_ms"]
    os.chdir(place.room)
    shutil.rmtree(workspace)
    shutil.rmtree(twin)
    measured = f"{APPLIED:,} files: {medians['apply']:.0f} ms, rsync -a and sync {medians['rsync']:.0f} ms"
    return Row("review-apply", measured, result["ratio"], 1.5, "x", result)


def beside(place):
    """The same place with its home on the filesystem of the workspaces, where most people's are."""
    home = place.workspaces / "review-home"
    home.mkdir(mode=0o700, exist_ok=True)
    other = copy.copy(place)
    other.home = home
    other.env = {**place.env, "HOME": str(home)}
    return other


def row(name, place, options):
    place = beside(place)
    if name in WORK:
        return work_row(name, place, options)
    rows = {"review-start": start_row, "review-end": end_row, "review-diff": diff_row, "review-apply": apply_row}
    return rows[name](place, options)
