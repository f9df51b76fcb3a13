#!/usr/bin/python3 -B
"""Records the runs of this folder: each is played by the stand-in behind real walls, and its record is kept.

    tests/corpus/risk/record_runs.py RINGWALL [NAME…]

The network is the lab's (tests/network/): nothing leaves this machine. README.md says what is changed in a record.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
NETWORK = HERE.parents[1] / "network"
sys.path[:0] = [str(HERE), str(NETWORK)]

import project  # noqa: E402
from lab import names  # noqa: E402
from scenarios import SCENARIOS, flags_of  # noqa: E402

HOME = "/home/ann"
LAB = "RINGWALL_LAB"
MOST_SECONDS = 1800
STANDS_SECONDS = 5  # how long it is seen to stand still before it is ended


class Recording:
    def __init__(self, ringwall, name):
        self.ringwall, self.name = ringwall, name
        self.root = Path(tempfile.mkdtemp(prefix="record.", dir="/tmp"))
        self.home = self.root / "home"
        self.work = self.home / "app"
        self.work.mkdir(parents=True)
        (self.root / "runtime").mkdir(mode=0o700)
        self.environment = {
            "HOME": str(self.home),
            "USER": "ann",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.root / "runtime"),
        }

    def words(self, *words):
        return {"args": [self.ringwall, *map(str, words)], "cwd": self.work, "env": self.environment}

    def lines(self):
        done = subprocess.run(**self.words("log", self.name, "--json"), capture_output=True, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def stands_still(self):
        """Isolated by its risk, or paused by the brake on deletions."""
        return any(
            line.get("level") == "isolated" or (line["event"] == "limit_reached" and line["then"] == "paused")
            for line in self.lines()
        )

    def play(self):
        project.make(self.work)
        agent = project.copy_agent(self.root / "agent")
        flags = [*flags_of(self.name), "--ro", self.root / "agent"]
        run = self.words("run", *flags, "--", *agent, self.name, SCENARIOS[self.name].stretch)
        process = subprocess.Popen(**run, stdin=subprocess.DEVNULL)
        end = time.monotonic() + MOST_SECONDS
        while process.poll() is None:
            if time.monotonic() > end:
                raise SystemExit(f"{self.name} does not end")
            if self.stands_still():
                time.sleep(STANDS_SECONDS)
                subprocess.run(**self.words("kill", self.name), check=False)
                process.wait(60)
            time.sleep(1)
        return self.lines()

    def keep(self, lines):
        kept = [tidy(line, SCENARIOS[self.name].stretch) for line in lines]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept)
        for place, shown in ((str(self.home), HOME), (str(self.root), "/opt")):
            text = text.replace(place, shown)
        (HERE / f"{self.name}.jsonl").write_text(text, encoding="utf-8")
        return len(kept)


def tidy(line, stretch):
    """What is of the day and the machine goes; README.md lists it."""
    line = {key: value for key, value in line.items() if key not in ("time", "prev")}
    line["at"] = round(line["at"] * stretch, 3)
    if "by" in line:
        line["by"] = "ann"
    return line


def main(ringwall, wanted):
    if LAB not in os.environ:
        lab = [sys.executable, "-B", str(NETWORK / "in_lab.py")]
        os.execv(sys.executable, [*lab, sys.executable, "-B", __file__, ringwall, *wanted])
    project.name_hosts(os.environ[LAB], names.WEB)
    for name in wanted or SCENARIOS:
        recording = Recording(ringwall, name)
        try:
            print(f"{name}: {recording.keep(recording.play())} lines", flush=True)
        finally:
            shutil.rmtree(recording.root, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), sys.argv[2:])
