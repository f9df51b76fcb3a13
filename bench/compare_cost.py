#!/usr/bin/python3 -B
"""What each wall costs, beside no wall: one part of bench/compare.py, which calls it in its room.

    bench/compare_cost.py --room DIR --json FILE [--row NAME]... [--quick]

Root runs it again as an ordinary user, with a disk in memory for the workspaces, and in the lab for the network.
"""

import argparse
import contextlib
import gc
import json
import os
import pathlib
import subprocess
import sys
import time

import compare_room  # noqa: F401  # puts the adapters within reach
import cost_many
import cost_network
import cost_runs
import host as hosts
import peer_podman
import peer_room
import place
import report

IN_LAB = pathlib.Path(__file__).resolve().parent.parent / "tests/network/in_lab.py"
ROWS = cost_runs.ROWS | cost_network.ROWS | cost_many.ROWS


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--room", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--disk", type=pathlib.Path, help="where workspaces are made; set by root's call")
    return parser.parse_args(words)


class Account:
    """What own_account needs of a host."""

    def __init__(self, room):
        self.root, self.home, self.user = room / "tmp", room / "home", hosts.ordinary_user()

    become = hosts.Host.become


class Measurement:
    """Rows of one script: started by root or anybody, measured by an ordinary user, some of them in the lab."""

    def __init__(self, script, rows, network, site):
        """NETWORK are those ROWS that need the lab; SITE gives the command of the lab's further server."""
        self.script, self.rows, self.network, self.site = str(pathlib.Path(script).resolve()), rows, network, site

    def words_again(self, options, rows, told):
        words = ["/usr/bin/python3", "-B", self.script, "--room", str(options.room), "--json", str(told)]
        words += [f"--row={row}" for row in rows] + (["--quick"] if options.quick else [])
        return [*words, f"--disk={options.disk}"]

    def run_as_ordinary(self, options, rows, around=()):
        """These rows, measured by an ordinary user whose home is the room's, if need be in the lab."""
        told = options.room / "home/told.json"
        words = self.words_again(options, rows, told)
        if around:  # the lab is root's to build; what runs in it is not root's
            subprocess.run([*around, "/usr/bin/python3", "-B", self.script, "--as-user", *words], check=True)
        else:
            become_and_run(Account(options.room), words)
        return json.loads(told.read_text())["rows"]

    def measure_here(self, options):
        gc.disable()  # a collection in the middle of a round would be measured too
        rows = []
        for name in options.row:
            begin = time.monotonic()
            print(f"compare: measuring {name} …", end="", file=sys.stderr, flush=True)
            try:
                rows.append(self.rows[name](name, options))
            except (report.CannotMeasure, OSError, ValueError, subprocess.SubprocessError) as error:
                print(f" failed: {error}", end="", file=sys.stderr, flush=True)
            print(f" {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
            # What was measured is kept, whatever comes of the next.
            options.json.write_text(json.dumps({"rows": rows}), encoding="utf-8")

    def measure_all(self, options):
        chosen = [row for row in self.rows if row in options.row or not options.row]
        user = hosts.ordinary_user()
        home = options.room / "home"
        home.mkdir(mode=0o700, exist_ok=True)
        os.chown(home, user.pw_uid, user.pw_gid)
        rows = []
        with contextlib.ExitStack() as stack:
            disk = stack.enter_context(place.disk_in_memory(home)) if os.getuid() == 0 else None
            options.disk = pathlib.Path(disk) if disk else home / "disk"
            options.disk.mkdir(exist_ok=True)
            # podman's namespaces are older than the disk and would not show it.
            peer_podman.end_all()
            peer_podman.Podman().can_run()
            stack.callback(peer_podman.end_all)
            if here := [row for row in chosen if row not in self.network]:
                rows += self.run_as_ordinary(options, here)
            if network := [row for row in chosen if row in self.network]:
                with self.site(options.disk) as serve:
                    around = ["/usr/bin/python3", "-B", str(IN_LAB), "--far", serve]
                    rows += self.run_as_ordinary(options, network, around)
        order = list(self.rows)
        rows.sort(key=lambda row: order.index(row["name"]))
        options.json.write_text(json.dumps({"rows": rows}), encoding="utf-8")

    def main(self):
        if sys.argv[1:2] == ["--as-user"]:
            words = sys.argv[2:]
            become_and_run(Account(parse_arguments(words[3:]).room), words)
            return
        options = parse_arguments()
        if options.disk:
            self.measure_here(options)
        else:
            self.measure_all(options)


def become_and_run(account, words):
    if os.getuid() == 0:
        peer_room.own_account(account)
    env = place.clean_environment(account.home) | {"USER": account.user.pw_name}
    env |= {name: value for name, value in os.environ.items() if name.startswith("RINGWALL_")}
    subprocess.run(words, check=True, preexec_fn=account.become, env=env, cwd=account.home)


if __name__ == "__main__":
    Measurement(__file__, ROWS, cost_network.ROWS, cost_network.site).main()
