#!/usr/bin/python3 -B
"""Many runs during which the clock jumps, in a guest of its own: by minutes, years, and back again.

Whatever the clock says, a run takes the time that it takes: it is not ended before, its limit of time still ends it, what
it wrote down can be checked, and a run that goes on is not taken for one that is over. The clock is the guest's: that of
this machine is never set. The plan follows from the seed.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/guest"))

from guest import Guest, GuestError  # noqa: E402

ROUNDS = 30
LIMIT_SECONDS = 1500
CANNOT_BE_HAD = 3  # make_guest.sh's word for a host without that kernel or the tools
STATUS, TIMED_OUT = 7, 124
LONGEST = 45  # seconds that a run of one or two may take where every instruction is emulated
HOUR, DAY, YEAR = 3600, 86400, 31557600
JUMPS = (60, -60, HOUR, -HOUR, DAY, -DAY, YEAR, -YEAR, 12 * YEAR, -12 * YEAR, 80 * YEAR, -80 * YEAR)
EARLIEST, LATEST = 10 * DAY, 200 * YEAR  # since 1970; a kernel's clock ends in 2232
HEAD = """
now() { cut -d. -f1 /proc/uptime; }
jump() { date -s "@$1" >/dev/null || echo "the clock cannot be set to $1"; }
told() { echo "round $1 $2 $3 $(($(now) - $4))"; }
ringwall() { as_user ringwall "$@"; }
"""
# One run, and the clock jumps while it goes on: before its walls stand, or when it is inside already.
ENDS = """
start=$(now); ringwall run -- sh -c 'sleep 1; exit {status}' >/run/said 2>&1 & run=$!
sleep {delay:.2f}; jump {to}; wait $run; told {number} ends $? $start
"""
LIMITED = """
start=$(now); ringwall run --timeout 2s -- sleep 600 >/run/said 2>&1 & run=$!
sleep {delay:.2f}; jump {to}; wait $run; told {number} limited $? $start
"""
# A run that was left: clean must not take it for one of years ago.
LEFT = """
start=$(now); ringwall run -d --name left{number} -- sleep 600 >/run/said 2>&1
jump {to}; ringwall clean >/run/cleaned 2>&1; sleep {delay:.2f}
ringwall ls | grep -q left{number}; told {number} stays $? $start
ringwall kill left{number} >/run/said 2>&1; told {number} killed $? $start
"""
CHECK = """
start=$(now); ringwall log --verify >/run/said 2>&1; status=$?; [ $status = 0 ] || cat /run/said; told {number} record $status $start
"""
WANTED = {"ends": STATUS, "limited": TIMED_OUT, "stays": 0, "killed": 0, "record": 0}


def make_script(seed, rounds):
    """(the guest's script, what each round does in words)."""
    rng = random.Random(seed)
    parts, words = [HEAD], []
    clock = int(time.time())
    for number in range(rounds):
        jump = rng.choice(JUMPS)
        if not EARLIEST < clock + jump < LATEST:
            jump = -jump
        clock += jump
        kind = rng.choice((ENDS, ENDS, LIMITED, LEFT))
        parts.append(kind.format(number=number, to=clock, delay=rng.uniform(0, 2), status=STATUS))
        parts.append(CHECK.format(number=number))
        words.append(f"a jump of {jump} s, to {clock}")
    return "".join(parts), words


def judge(output, words):
    """What is not as it should be."""
    findings = []
    told = re.findall(r"^round (\d+) (\w+) (\d+) (\d+)$", output, re.MULTILINE)
    for number, what, status, seconds in told:
        if int(status) != WANTED[what]:
            findings.append(f"round {number}, {words[int(number)]}: {what} gave {status} and not {WANTED[what]}")
        elif int(seconds) > LONGEST:
            findings.append(f"round {number}, {words[int(number)]}: {what} took {seconds} s")
    missing = set(range(len(words))) - {int(number) for number, what, _, _ in told if what == "record"}
    if missing or "cannot be set" in output:
        findings.append(f"rounds that did not come to their end: {sorted(missing)}\n{output[-2000:]}")
    return findings


def make_guest(binary, folder, initramfs):
    command = [TOP / "tests/guest/make_guest.sh", "-o", initramfs, folder, binary]
    made = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode == CANNOT_BE_HAD:
        print(f"clock jumps were left out: {made.stderr.strip()}")
        sys.exit(0)
    if made.returncode != 0:
        sys.exit(f"clock_jumps: {made.stderr}")
    return Guest(folder / "vmlinuz", initramfs)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", default=str(TOP / "build/ringwall"))
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how many ({ROUNDS})")
    parser.add_argument("--seed", type=int, default=None, help="plans of an earlier soak; default: by the clock")
    parser.add_argument("--guest", type=pathlib.Path, default=TOP / "build/guest", help="where the guest's kernel lies")
    return parser.parse_args()


def main():
    options = parse_arguments()
    seed = int(time.time()) if options.seed is None else options.seed
    script, words = make_script(seed, options.rounds)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ringwall-soak.", dir="/tmp") as folder:
        guest = make_guest(options.binary, options.guest, pathlib.Path(folder) / "initramfs")
        try:
            result = guest.run(script, LIMIT_SECONDS)
        except GuestError as error:
            sys.exit(f"clock_jumps: {error}")
    findings = judge(result.output, words)
    seconds = time.monotonic() - begin
    print(f"{options.rounds} runs with jumps of the clock in {seconds:.0f} s, seed {seed}, {len(findings)} findings")
    for finding in findings:
        print("  " + finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
