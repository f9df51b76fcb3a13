"""Row `risk`: what one event costs the risk score, from the record's line to the level."""

import subprocess

from report import CannotMeasure, Row
from row_record import tool

NAMES = ["risk"]
MOST_MICROSECONDS = 5.0


def row(_name, _place, options):
    times = []
    for _ in range(5):
        done = subprocess.run([tool(options, "risk-bench")], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotMeasure(f"risk-bench gave {done.returncode}: {done.stderr}")
        times.append([float(word) for word in done.stdout.split()])
    median, worst = (min(column) for column in zip(*times))
    return Row("risk", f"one in a thousand takes {worst:.1f} us", median, MOST_MICROSECONDS, "us", {"microseconds": times})
