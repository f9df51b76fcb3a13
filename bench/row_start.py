"""Row `start`: a sandbox around /bin/true against a plain bubblewrap one, and against none."""

import os

import measure
from report import Row

NAMES = ["start"]
CEILING = 1.10
WARM_UP = 5

# The yardstick: a sandbox with namespaces and a new root, but no seccomp, Landlock or policy.
BUBBLEWRAP = (
    "/usr/bin/bwrap --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 "
    "--symlink usr/bin /bin --proc /proc --dev /dev --tmpfs /tmp --unshare-all "
    "--die-with-parent --new-session /bin/true"
).split()


def row(_name, place, options):
    workspace = place.workspace("start")
    (workspace / "README.md").write_text("a small workspace\n", encoding="utf-8")
    os.chdir(workspace)
    commands = {
        "ringwall": [place.binary, "run", "--", "/bin/true"],
        "bwrap": BUBBLEWRAP,
        "bare": ["/bin/true"],
    }

    def timer(argv):
        return lambda: measure.time_program(argv, place.env, place.log)

    times = measure.take_turns(
        {name: timer(argv) for name, argv in commands.items()}, options.rounds, WARM_UP
    )
    result = measure.compare(times, "ringwall", "bwrap")
    medians = result["median_ms"]
    measured = ", ".join(f"{name} {medians[name]:.2f} ms" for name in commands)
    return Row("start", measured, result["ratio"], CEILING, "x", result)
