#!/usr/bin/python3 -B
"""Writes tools/start_order.txt: the functions that starts, hooks and other short calls use, in the order of their first use.

    tools/start_order.py NAMED CALLED_FUNCTIONS [--check]

NAMED is the program with its names (the target ringwall-named), CALLED_FUNCTIONS the tool beside this one, built. The linker
puts these functions beside each other: a start then reads a tenth of the program's pages, and so does each of its helpers.
A list that is not up to date costs time and nothing else. --check complains when a fifth of our own names is gone.
For root, who may trace what happens behind the walls; the calls themselves are made by the tests' ordinary user.
"""

import bisect
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).parent.parent
LIST = TOP / "tools/start_order.txt"
MOST_MISSING = 0.2
OWN = "8ringwall"

HOOK_CALL = {
    "session_id": "s",
    "transcript_path": "/t",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "cd src && npm test -- --watch=false 2>&1 | tail -20"},
    "tool_use_id": "t",
}
# Folder, arguments, whether at a terminal. The first ones twice: what is kept between runs is there the second time.
SCENES = [
    ("plain", ["run", "--", "/bin/true"], False),
    ("plain", ["run", "--", "/bin/true"], False),
    ("repository", ["run", "--", "/bin/true"], False),
    ("repository", ["run", "--", "/bin/sh", "-c", "echo x >new; mv new newer; rm README.md"], False),
    ("repository", ["run", "--", "/bin/true"], True),
    ("plain", ["run", "--allow", "example.com", "--", "/bin/true"], False),
    ("plain", ["run", "--review", "--", "/bin/true"], False),
    ("plain", ["hook", "--agent", "claude", "--event", "PreToolUse"], False),
    ("plain", ["ls"], False),
    ("plain", ["version"], False),
]


def functions_of(program):
    """[(address, name)] of a program's functions, by address."""
    lines = subprocess.run(["nm", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    rows = [line.split(" ", 2) for line in lines.splitlines()]
    return sorted((int(address, 16), name) for address, kind, name in rows if kind in "tTwW")


def make_folders(room):
    (room / "plain").mkdir()
    (room / "plain/README.md").write_text("a folder\n")
    git = room / "repository"
    git.mkdir()
    subprocess.run(["git", "init", "--quiet", git], check=True)
    for name in ["README.md", ".env", ".mcp.json", "package.json"]:
        (git / name).write_text("{}\n")
    (room / "home").mkdir()


def called_in(scene, room, program, tool, user):
    folder, arguments, at_terminal = scene
    report = room / "called"
    command = [tool, user, room / "addresses", report, program, *arguments]
    environment = {"HOME": str(room / "home"), "PATH": "/usr/bin:/bin", "TERM": "xterm"}
    near, far = pty.openpty()
    with open(room / "call.json") as call:
        streams = {"stdin": far, "stdout": far, "stderr": far} if at_terminal else {"stdin": call}
        done = subprocess.run(command, cwd=room / folder, env=environment, timeout=60, **streams)
    os.close(near)
    os.close(far)
    if done.returncode != 0:
        raise SystemExit(f"start_order: {' '.join(arguments)} ended with {done.returncode}")
    return [int(line, 16) for line in report.read_text().split()]


def collect(program, tool):
    functions = functions_of(program)
    addresses = [address for address, _ in functions]
    user = subprocess.run([TOP / "tools/test_user.sh"], check=True, capture_output=True, text=True).stdout.strip()
    names = {}  # in the order of their first use
    with tempfile.TemporaryDirectory(prefix="ringwall-order.") as made:
        room = pathlib.Path(made)
        make_folders(room)
        (room / "addresses").write_text("\n".join(f"{address:x}" for address in dict.fromkeys(addresses)))
        (room / "call.json").write_text(json.dumps({**HOOK_CALL, "cwd": str(room / "plain")}))
        shutil.copy(program, room / "ringwall")
        shutil.copy(tool, room / "called_functions")
        shutil.chown(room, user)
        subprocess.run(["chown", "-R", user, room], check=True)
        for scene in SCENES:
            for address in called_in(scene, room, room / "ringwall", room / "called_functions", user):
                at = bisect.bisect_left(addresses, address)
                while at < len(functions) and functions[at][0] == address:
                    names[functions[at][1]] = True
                    at += 1
    return [name for name in names if ".cold" not in name]


def missing_share(program):
    """Of the list's names that are ours, how many the program does not have any more."""
    there = {name for _, name in functions_of(program)}
    own = [name for name in LIST.read_text().split() if OWN in name]
    return sum(name not in there for name in own) / len(own)


def main():
    program = sys.argv[1]
    if sys.argv[2:] == ["--check"]:
        share = missing_share(program)
        print(f"{share:.0%} of the functions that starts use are not there any more")
        if share > MOST_MISSING:
            print("tools/start_order.txt is out of date: make start-order")
        sys.exit(share > MOST_MISSING)
    names = collect(program, sys.argv[2])
    LIST.write_text("\n".join(names) + "\n")
    print(f"{len(names)} functions", file=sys.stderr)


if __name__ == "__main__":
    main()
