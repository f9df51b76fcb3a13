"""Row `policy`: what reading and merging every layer costs, against a start without any file."""

import os
import statistics

import measure
from report import Row

NAMES = ["policy"]
CEILING = 1.0
WARM_UP = 5
ENTRIES = 40  # of each list: more than people write

LISTS = """
[files]
protect = [{protect}]
hide = [{hide}]
[network]
deny = [{deny}]
[limits]
processes = 1000
memory = "64G"
time = "2h"
"""


def words(pattern):
    return ", ".join(f'"{pattern.format(n)}"' for n in range(ENTRIES))


def policy_text():
    return LISTS.format(protect=words("tool{}.rc"), hide=words("dump{}.sql"), deny=words("h{}.example.com"))


def row(_name, place, options):
    plain, layered = place.workspace("policy-none"), place.workspace("policy-all")
    (layered / ".ringwall.toml").write_text(policy_text(), encoding="utf-8")
    config = place.home / "layers"
    (config / "ringwall").mkdir(parents=True)
    for file in (config / "ringwall/policy.toml", place.home / "more.toml"):
        file.write_text(policy_text(), encoding="utf-8")
        file.chmod(0o600)
    # A question that the policy alone answers, in one line: only what is read differs.
    ask = [place.binary, "explain", "connect", "localhost"]
    env = {**place.env, "XDG_CONFIG_HOME": str(config)}

    def timer(workspace, argv, environment):
        def spend():
            os.chdir(workspace)
            return measure.time_program(argv, environment, place.log)

        return spend

    sides = {
        "layers": timer(layered, ask + ["--policy", str(place.home / "more.toml")], env),
        "none": timer(plain, ask, place.env),
    }
    times = measure.take_turns(sides, options.rounds, WARM_UP)
    spent = statistics.median(a - b for a, b in zip(times["layers"], times["none"])) / measure.MS
    result = measure.compare(times, "layers", "none")
    medians = result["median_ms"]
    measured = f"3 files of {3 * ENTRIES} entries {medians['layers']:.2f} ms, none {medians['none']:.2f} ms"
    os.chdir(place.room)
    return Row("policy", measured, spent, CEILING, "ms", result)
