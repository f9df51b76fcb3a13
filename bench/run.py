#!/usr/bin/python3 -B
"""Measures a ringwall binary side by side with bubblewrap and with no sandbox.

    bench/run.py build/ringwall [--only NAME]... [--json FILE]

Prints one row per measurement with its ceiling. A missed ceiling is a result and not an error: the
exit status is 1 only when something could not be measured at all.
"""

import argparse
import contextlib
import gc
import os
import pathlib
import subprocess
import sys

import place
import processes
import report
import row_audit
import row_exec
import row_exec_stop
import row_gate
import row_risk
import row_guarded
import row_hook
import row_many
import row_memory
import row_network
import row_policy
import row_record
import row_review
import row_start
import row_terminal
import row_top
import row_work

MODULES = [
    row_start,
    row_policy,
    row_record,
    row_work,
    row_exec,
    row_exec_stop,
    row_guarded,
    row_review,
    row_gate,
    row_risk,
    row_hook,
    row_audit,
    row_terminal,
    row_memory,
    row_network,
    row_many,
    row_top,
]
NAMES = [name for module in MODULES for name in module.NAMES]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=NAMES + ["work", "network", "record"],
        metavar="NAME",
        help=f"measure only this: {', '.join(NAMES)}, or work, network or record for all of those; may be repeated",
    )
    parser.add_argument("--rounds", type=int, default=60, help="rounds of start (60)")
    parser.add_argument("--work-rounds", type=int, default=9, help="rounds of each work row (9)")
    parser.add_argument("--sandboxes", type=int, default=200, help="sandboxes of many (200)")
    parser.add_argument("--workdir", help="where workspaces are made (root: an ext4 in memory; else a tmpfs)")
    parser.add_argument("--tools", help="the folder of record-bench, gate-bench and ringwall-mutant, for the rows record and gate")
    parser.add_argument("--as-root", action="store_true", help="do not drop to an ordinary user")
    parser.add_argument("--json", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    if min(options.rounds, options.work_rounds, options.sandboxes) < 1:
        parser.error("there must be at least one round and one sandbox")
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is not a program; `make build` makes it")
    options.binary = options.binary.resolve()
    options.wants = lambda name: (
        not options.only or name in options.only or name.split("-")[0] in options.only
    )
    return options


def options_for_rerun(options):
    words = [f"--rounds={options.rounds}", f"--work-rounds={options.work_rounds}"]
    words += [f"--sandboxes={options.sandboxes}"]
    words += [f"--only={name}" for name in options.only]
    words += [f"--tools={os.path.abspath(options.tools)}"] if options.tools else []
    return words + ([f"--workdir={options.workdir}"] if options.workdir else [])


def measure_all(here, options):
    rows = []
    for module in MODULES:
        for name in filter(options.wants, module.NAMES):
            if sys.stderr.isatty():
                print(f"measuring {name} ...", file=sys.stderr)
            try:
                rows.append(module.row(name, here, options))
            except (report.CannotMeasure, OSError, subprocess.SubprocessError) as error:
                rows.append(report.Failure(name, str(error)))
    return rows


def describe_host(here):
    return {
        "kernel": os.uname().release,
        "processors": os.cpu_count(),
        "user": "root" if os.getuid() == 0 else "ordinary",
        "workspaces": place.describe_filesystem(here.workspaces),
    }


def main():
    options = parse_arguments()
    if os.getuid() == 0 and not options.as_root:
        with contextlib.ExitStack() as stack:
            if options.workdir is None:
                options.workdir = stack.enter_context(place.disk_in_memory())
            rerun = options_for_rerun(options)
            return place.run_as_ordinary_user(options.binary, rerun, options.json)
    if options.json:
        options.json = os.path.abspath(options.json)
    gc.disable()  # a collection in the middle of a round would be measured too
    processes.adopt_orphans()
    with place.prepared(options.binary, options.workdir) as here:
        rows = measure_all(here, options)
        host = describe_host(here)
    notes = [
        f"kernel {host['kernel']}, {host['processors']} processors, user: {host['user']}, "
        f"workspaces on {host['workspaces']}",
        "Sides take turns; a ratio is the median of the ratios within each round.",
    ]
    report.print_table(rows, notes)
    if options.json:
        report.write_json(options.json, rows, host)
    return 1 if any(isinstance(row, report.Failure) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
