"""The rows of a measurement, as a table for people and as JSON for programs."""

import dataclasses
import json
import pathlib


class CannotMeasure(Exception):
    """Something did not run, so there is no number; the message says what and why."""


@dataclasses.dataclass
class Row:
    """One measured value beside the most that it may be."""

    name: str
    measured: str  # what was seen, for people
    value: float  # the number that is judged
    ceiling: float
    unit: str  # "x" for a ratio
    details: dict = dataclasses.field(default_factory=dict)

    @property
    def verdict(self):
        return "ok" if self.value <= self.ceiling else "MISSED"

    def cells(self):
        value, ceiling = (self._with_unit(n) for n in (self.value, self.ceiling))
        return [self.name, self.measured, value, ceiling, self.verdict]

    def _with_unit(self, number):
        if number == float("inf"):
            return "-"  # measured beside others, judged by nothing
        if self.unit == "x":
            return f"{number:.3f} x"
        text = f"{number:g}" if float(number).is_integer() else f"{number:.2f}"
        return f"{text} {self.unit}"


@dataclasses.dataclass
class Failure:
    """A row that could not be measured."""

    name: str
    reason: str
    verdict = "FAILED"

    def cells(self):
        return [self.name, "see below", "-", "-", self.verdict]


def print_table(rows, notes):
    table = [["row", "measured", "value", "at most", ""]] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for number, line in enumerate(table):
        cells = [
            cell.rjust(width) if column in (2, 3) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    for row in rows:
        if isinstance(row, Failure):
            print(f"\n{row.name}: {row.reason}")
    print()
    for note in notes:
        print(note)


def write_json(file, rows, host):
    result = {
        "host": host,
        "rows": [dataclasses.asdict(row) | {"verdict": row.verdict} for row in rows],
    }
    pathlib.Path(file).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
