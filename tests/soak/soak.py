#!/usr/bin/python3 -B
"""Many runs, each struck at a random moment; afterwards the host must be as it was.

Started by root it runs as an ordinary user, unless --as-caller is given. The plan of every run
follows from the seed and its number: --seed SEED --only NUMBER does one of them again.
"""

import argparse
import concurrent.futures
import ctypes
import os
import signal
import statistics
import sys
import time

import act
import census
import place as places
import plan as plans
import processes

BETWEEN = 200  # runs from one count to the next
PR_SET_CHILD_SUBREAPER = 36
MOST_TOLD = 20


class Soak:
    def __init__(self, place, seed, limit, patience):
        self.place = place
        self.seed = seed
        self.limit = limit
        self.patience = patience
        self.table = processes.Table()
        self.seconds = {}  # by victim: how long everything took to be gone
        self.findings = []
        self.late = []  # numbers
        self.late_once = 0
        self.done = 0

    def do(self, number):
        """One run; what is wrong with it becomes a finding."""
        plan = plans.make_plan(self.seed, number)
        try:
            self.attempt(plan)
        except act.Late:
            self.late.append(number)
        except act.Finding as finding:
            self.find(plan, finding)
        self.done += 1

    def find(self, plan, finding):
        again = f"again: soak.py --seed {self.seed} --only {plan.number}"
        self.findings.append(f"{plan.describe()}: {finding}\n    {again}")

    def judge_late(self):
        """A busy machine is no finding: who was late gets another try alone, and one more."""
        for number in self.late:
            plan = plans.make_plan(self.seed, number)
            try:
                try:
                    self.attempt(plan)
                except act.Late:
                    self.attempt(plan)
                self.late_once += 1
            except act.Finding as finding:
                self.find(plan, finding)
        self.late = []

    def attempt(self, plan):
        run = act.Run(plan, self.place, self.table, self.limit)
        try:
            seconds = run.go()
            self.seconds.setdefault(f"{plan.kind}, {run.struck}", []).append(seconds)
        finally:
            run.finish()

    def warm_up(self):
        """What a first run makes for good (the private home, a keyring) is no leftover."""
        self.place.start()

    def batch(self, pool, numbers, before, total):
        waits = [pool.submit(self.do, number) for number in numbers]
        for wait in concurrent.futures.as_completed(waits):
            wait.result()
            say(f"\r{self.done} of {total} runs, {len(self.findings)} findings\033[K")
        self.judge_late()
        after, left = census.settle(self.place, self.table, before, self.done, self.patience)
        for name, entries in left.items():
            shown = "; ".join(str(entry) for entry in entries[:MOST_TOLD])
            self.findings.append(f"after {self.done} runs, {name}: {shown}")
        return after, left

    def run(self, numbers, jobs):
        self.warm_up()
        before = census.quietest(self.place, self.table)
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(time.sleep, [0.05] * jobs))  # the pool's own threads and descriptors
            for at in range(0, len(numbers), BETWEEN):
                after, left = self.batch(pool, numbers[at : at + BETWEEN], before, len(numbers))
                if left:
                    break  # what is left now is left at every later count too
        say("\r\033[K")
        self.report(before, after, left, time.monotonic() - start)
        return 1 if self.findings else 0

    def report(self, before, after, left, seconds):
        print(f"{self.done} runs in {seconds:.0f} s, seed {self.seed}")
        print(f"{self.place.swept} entries of killed runs were swept")
        print(f"{self.late_once} runs were late, and in time when repeated alone\n")
        print(f"{'kind of run, who was struck':32}{'runs':>6}{'median':>10}{'longest':>10}")
        for name, times in sorted(self.seconds.items()):
            median, longest = (f"{1000 * value:.0f} ms" for value in (statistics.median(times), max(times)))
            print(f"{name:32}{len(times):>6}{median:>10}{longest:>10}")
        print("\n" + census.table_of(before, after, left))
        print(f"\n{len(self.findings)} findings")
        for finding in self.findings:
            print("  " + finding)


def say(text):
    """Progress, for people only."""
    if sys.stderr.isatty():
        sys.stderr.write(text)
        sys.stderr.flush()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", nargs="?", default=str(places.TOP / "build" / "ringwall"))
    parser.add_argument("--runs", type=int, default=2000, help="how many (2000)")
    parser.add_argument("--jobs", type=int, default=4, help="how many at a time (4)")
    parser.add_argument("--seed", type=int, default=None, help="plans of an earlier soak; default: by the clock")
    parser.add_argument("--limit", type=float, default=1.0, help="seconds until everything must be gone (1)")
    parser.add_argument("--patience", type=float, default=20.0, help="then what the kernel removes later must be gone (20)")
    parser.add_argument("--only", type=int, action="append", help="the run with this number; may be repeated")
    parser.add_argument("--as-caller", action="store_true", help="stay root if root started it")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if not os.access(options.binary, os.X_OK):
        sys.exit(f"soak: {options.binary} is not there; run: make build")
    if os.getuid() == 0 and not options.as_caller:
        words = [word for word in sys.argv[1:] if word != options.binary]
        return places.run_as_ordinary_user(options.binary, words)
    # What loses its parent comes to us: we see it, and reap it.
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("soak: cannot adopt orphans")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    seed = int(time.time()) if options.seed is None else options.seed
    numbers = options.only or list(range(options.runs))
    with places.prepared(os.path.realpath(options.binary)) as place:
        return Soak(place, seed, options.limit, options.patience).run(numbers, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
