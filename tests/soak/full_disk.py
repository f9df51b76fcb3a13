#!/usr/bin/python3 -B
"""Many runs whose disks are full, or run full while they go on: the workspace's, the home's, that of the list of runs.

Whatever cannot be written then: a run begins with all its walls or not at all, it ends, nothing of it goes on, and when
there is room again everything is as if nothing had been. The plan of each run follows from the seed and its number.
"""

import argparse
import dataclasses
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import place as places
import processes
import small_disk

RUNS = 200
KILOBYTES, INODES = 2048, 1500
DISKS = ("home", "workspace", "runtime")
KINDS = {"plain": [], "review": ["--review"], "network": ["--allow", "host.example.com"]}
WEIGHTS = (6, 2, 2)
# Files that fill a disk are removed while a run goes on: somebody might ask whether it was the run.
NO_BRAKE = ["--deleted-files", "none", "--deleted-share", "none"]
LATEST = 0.120  # seconds; most of a run
PATIENCE = 60
STATUS = 7
REFUSED = 125
MOST_TOLD = 20
SECRET = "secret-of-the-person"
PRECIOUS = "written before\n"
# What an agent does that Ringwall has to write something for.
SCRIPT = """
echo began
cat {home}/notes.txt 2>/dev/null
for n in 1 2 3 4 5 6 7 8; do
  echo $n > file$n; mkdir -p folder$n; echo $n > folder$n/file; mv file$n folder$n/moved; rm -rf folder$n
done 2>/dev/null
echo evil > .git/hooks/pre-commit
mkdir -p sub/.git/hooks && echo evil > sub/.git/hooks/post-checkout
git config user.name Somebody; git config core.pager evil; rm -f old.txt
sleep {pause:.3f}
exit {status}
"""
PLANTED = (".git/hooks/pre-commit", "sub/.git/hooks/post-checkout")


class Finding(Exception):
    """Something is not as it should be."""


@dataclasses.dataclass
class Plan:
    number: int
    kind: str
    disks: list
    what: str  # bytes or files
    begins: float  # seconds from the start; below 0: full beforehand
    ends: float  # full for so long; as long as the run if it is over before
    pause: float

    def describe(self):
        when = "beforehand" if self.begins < 0 else f"after {self.begins * 1000:.0f} ms"
        return f"run {self.number} ({self.kind}): no {self.what} left for {'+'.join(self.disks)} {when}, for {self.ends * 1000:.0f} ms"


def make_plan(seed, number):
    rng = random.Random(f"{seed}/{number}")
    return Plan(
        number=number,
        kind=rng.choices(list(KINDS), WEIGHTS)[0],
        disks=sorted(rng.sample(DISKS, rng.randint(1, len(DISKS)))),
        what=rng.choice(("bytes", "bytes", "files")),
        begins=rng.uniform(-LATEST / 4, LATEST),
        ends=rng.choice((0.02, 0.1, 9.0)),
        pause=rng.uniform(0, LATEST),
    )


class Person:
    """A home with a repository in it, on small disks."""

    def __init__(self, room, binary):
        self.disks = {}
        for name, folder in (("home", "home"), ("workspace", "home/project"), ("runtime", "runtime")):
            self.disks[name] = small_disk.SmallDisk(room / folder, KILOBYTES, INODES)
        self.place = places.Place(room, binary)
        self.home, self.work = self.place.home, self.place.workspace
        (self.home / "notes.txt").write_text(SECRET, encoding="utf-8")
        (self.work / "old.txt").write_text(PRECIOUS, encoding="utf-8")
        (self.work / "keep.txt").write_text(PRECIOUS, encoding="utf-8")
        self.ringwall_env = self.place.environment()
        for words in (["init", "-q", "-b", "main"], ["config", "user.email", "some@body.example"]):
            subprocess.run(["git", *words], cwd=self.work, env=self.ringwall_env, check=True)

    def call(self, *words, **more):
        options = {"env": self.ringwall_env, "cwd": self.work, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        try:
            return subprocess.run([self.place.binary, *words], timeout=PATIENCE, **(options | more))
        except subprocess.TimeoutExpired:
            raise Finding(f"ringwall {words[0]} does not end") from None

    def make_room(self):
        for disk in self.disks.values():
            disk.empty()

    def forget(self):
        """What every run leaves on purpose, such as its record, would fill a small disk by itself."""
        shutil.rmtree(self.place.state, ignore_errors=True)


class Round:
    def __init__(self, plan, person, table):
        self.plan, self.person, self.table = plan, person, table
        self.mark = processes.make_mark(plan.number)
        self.over = threading.Event()

    def go(self):
        """What became of it, in a word."""
        (self.person.work / "old.txt").write_text(PRECIOUS, encoding="utf-8")
        filler = threading.Thread(target=self.fill)
        if self.plan.begins < 0:
            self.fill_disks()
        filler.start()
        try:
            done = self.run()
        finally:
            filler.join()
            self.person.make_room()
        word = self.judge_end(done)
        self.judge_files(done)
        self.judge_later()
        return word

    def fill_disks(self):
        for name in self.plan.disks:
            self.person.disks[name].fill(self.plan.what)

    def fill(self):
        if self.plan.begins >= 0:
            time.sleep(self.plan.begins)
            self.fill_disks()
        self.over.wait(self.plan.ends)
        self.person.make_room()

    def run(self):
        script = SCRIPT.format(home=self.person.home, pause=self.plan.pause, status=STATUS)
        words = ["run", "--name", self.mark, *KINDS[self.plan.kind], *NO_BRAKE, "--set", f"RINGWALL_SOAK={self.mark}"]
        try:
            return self.person.call(*words, "--", "sh", "-c", script, env=self.person.place.environment(self.mark))
        finally:
            self.over.set()

    def judge_end(self, done):
        if SECRET in done.stdout + done.stderr:
            raise Finding("it read what is not shown inside")
        if done.returncode == STATUS:
            return "ran"
        if done.returncode != REFUSED or not done.stderr.strip():
            raise Finding(f"it ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return "ended early" if "began" in done.stdout else "refused to begin"

    def judge_files(self, done):
        work = self.person.work
        for name in PLANTED:
            if (work / name).exists():
                raise Finding(f"{name} was planted: {done.stderr.strip()[-400:]}")
        if (work / "keep.txt").read_text(encoding="utf-8") != PRECIOUS:
            raise Finding("a file that nobody touched has changed")
        listed = subprocess.run(["git", "config", "--file", work / ".git/config", "-l"], capture_output=True, text=True)
        if listed.returncode != 0 or "some@body.example" not in listed.stdout or "evil" in listed.stdout:
            raise Finding(f"git's settings are broken: {listed.stdout}{listed.stderr}")

    def judge_later(self):
        """With room again, everything works, and nothing is left."""
        end = time.monotonic() + PATIENCE
        while left := [p for p in self.table.of(self.mark, fresh=True) if p.state != "Z"]:
            if time.monotonic() > end:
                raise Finding("still there: " + "; ".join(p.describe() for p in left))
            time.sleep(0.02)
        if self.plan.kind == "review":
            self.person.call("discard", self.mark)
        for words in (["run", "--", "true"], ["log", "--verify"], ["clean"]):
            done = self.person.call(*words)
            if done.returncode != 0:
                raise Finding(f"afterwards, {' '.join(words)} gives {done.returncode}: {done.stderr.strip()[-400:]}")
        if self.mark in self.person.call("ls").stdout or self.person.place.registered():
            raise Finding(f"afterwards it is still listed: {self.person.place.registered()}")


def soak(binary, seed, numbers):
    """Returns the findings; what became of the others is told."""
    table, findings, words = processes.Table(), [], {}
    with tempfile.TemporaryDirectory(prefix="ringwall-soak.", dir="/tmp") as room:
        person = Person(pathlib.Path(room), binary)
        for count, number in enumerate(numbers):
            plan = make_plan(seed, number)
            try:
                word = f"{plan.kind}: {Round(plan, person, table).go()}"
                words[word] = words.get(word, 0) + 1
            except Finding as finding:
                findings.append(f"{plan.describe()}: {finding}\n    again: full_disk.py --seed {seed} --only {number}")
                shutil.rmtree(person.work / "sub", ignore_errors=True)
            person.forget()
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{count + 1} of {len(numbers)} runs, {len(findings)} findings\033[K")
        for disk in reversed(list(person.disks.values())):
            small_disk.checked(small_disk.LIBC.umount2(os.fsencode(disk.folder), 2), "umount")
    for word, times in sorted(words.items()):
        print(f"{times:6} {word}")
    return findings


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", default=str(places.TOP / "build/ringwall"))
    parser.add_argument("--runs", type=int, default=RUNS, help=f"how many ({RUNS})")
    parser.add_argument("--seed", type=int, default=None, help="plans of an earlier soak; default: by the clock")
    parser.add_argument("--only", type=int, action="append", help="the run with this number; may be repeated")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if os.getuid() == 0:
        words = [word for word in sys.argv[1:] if word != options.binary]
        return places.run_as_ordinary_user(options.binary, words, "full_disk.py")
    small_disk.own_mounts()
    seed = int(time.time()) if options.seed is None else options.seed
    numbers = options.only or list(range(options.runs))
    begin = time.monotonic()
    findings = soak(os.path.realpath(options.binary), seed, numbers)
    print(f"{len(numbers)} runs on full disks in {time.monotonic() - begin:.0f} s, seed {seed}, {len(findings)} findings")
    for finding in findings[:MOST_TOLD]:
        print("  " + finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
