"""Row `gate`: one decision over a command of 2,000 characters by 500 rules and the packs, without its parsing."""

import subprocess

from report import CannotMeasure, Row
from row_record import tool

NAMES = ["gate"]
MOST_MICROSECONDS = 100.0


def row(_name, _place, options):
    times = []
    for _ in range(5):
        done = subprocess.run([tool(options, "gate-bench")], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotMeasure(f"gate-bench gave {done.returncode}: {done.stderr}")
        times.append([float(word) for word in done.stdout.split()])
    whole, parsing, rules = (min(column) for column in zip(*times))
    measured = f"with parsing {whole:.0f} us, parsing alone {parsing:.0f} us, rules made ready in {rules:.0f} us"
    return Row("gate", measured, whole - parsing, MOST_MICROSECONDS, "us", {"microseconds": times})
