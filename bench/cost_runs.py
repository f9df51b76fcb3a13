"""Rows of the comparison's cost: starts, hook calls, execs, and real work."""

import json
import os
import pathlib
import shutil
import subprocess

import loads
import measure
import peer_room
import row_hook
from cost_sides import Workspace, output, rounds_of, row_of, take_turns

HERE = pathlib.Path(__file__).resolve().parent
FILES = 50_000
FILES_PER_FOLDER = 500
EXECS = 500
TO_MS = 1e-6
loads.CPP_FUNCTIONS = 3  # seven sides take turns here
STARTS = {"start": 0, "start-files": FILES}
LOADS = {
    "work-files": ("work-tar", "unpack 20,000 files", "tar xf"),
    "work-git": ("work-git-status", "git status", "in a repository of 10,000 files"),
    "work-cpu": ("work-compile", "compile C++", "one file of g++ -O1"),
}


def fill(folder, count):
    for number in range(count):
        if number % FILES_PER_FOLDER == 0:
            (folder / f"folder{number // FILES_PER_FOLDER}").mkdir()
        (folder / f"folder{number // FILES_PER_FOLDER}" / f"file{number}").touch()


def timer(argv, here):
    return lambda: measure.time_program(argv, here.env, here.log)


def start(name, options):
    here = Workspace(name, options)
    (here.work / "README.md").write_text("a small workspace\n", encoding="utf-8")
    fill(here.work, 2_000 if options.quick and STARTS[name] else STARTS[name])
    sides = {side: timer(argv, here) for side, argv in here.commands(["/bin/true"]).items()}
    times, reasons = take_turns(sides, rounds_of(options, 15))
    title = "start, empty folder" if name == "start" else "start, 50,000 files"
    return row_of(name, title, "/bin/true from nothing to its end", "ms", times, reasons, TO_MS)


def hook(name, options):
    """An agent asks before each command. Of the peers only codex has such a question; others are told as hooks are written."""
    here = Workspace(name, options)
    os.chdir(here.work)
    payload = here.home / "call.json"
    payload.write_text(json.dumps({**row_hook.CALL, "cwd": str(here.work)}), encoding="utf-8")
    rules = here.home / "hook.rules"
    rules.write_text('prefix_rule(pattern=["npm", "test"], decision="allow")\n', encoding="utf-8")
    ours = [os.environ["RINGWALL_BIN"], "hook", "--agent", "claude", "--event", "PreToolUse"]
    sides = {"ringwall": lambda: measure.time_program(ours, here.env, here.log, payload)}
    codex = peer_room.npm_folder() / "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
    if codex.exists():
        check = [str(codex), "execpolicy", "check", "--rules", str(rules), "npm", "test"]
        sides["codex"] = timer(check, here)
    node = peer_room.npm_folder() / "sandbox-runtime/node_modules/node/bin/node"
    if node.exists():
        sides["sandbox-runtime"] = timer([str(node), "-e", "0"], here)
    times, reasons = take_turns(sides, rounds_of(options, 30))
    says = "Ringwall's hook; codex execpolicy check; for sandbox-runtime, which has none, the start of its Node alone"
    return row_of(name, "hook call", says, "ms", times, reasons, TO_MS)


def execs(name, options):
    here = Workspace(name, options)
    subprocess.run(["cc", "-O2", "-o", here.work / "spawn", HERE / "spawn.c"], check=True)

    def spent(argv):
        return lambda: int(output(argv, here.env).split()[1]) / EXECS

    sides = {side: spent(argv) for side, argv in here.commands(["./spawn", EXECS]).items()}
    times, reasons = take_turns(sides, rounds_of(options, 9))
    return row_of(name, "exec", f"one of {EXECS} starts of /bin/true inside", "ms", times, reasons, TO_MS)


def work(name, options):
    load_name, title, says = LOADS[name]
    load = next(load for load in loads.LOADS if load.name == load_name)
    here = Workspace(name, options)
    (here.work / "tmp").mkdir()
    shutil.copy(HERE / "stopwatch.py", here.work / "stopwatch.py")
    load.generate(here.work, here.env)
    repeat = max(1, load.repeat // 4)
    watched = ["/usr/bin/python3", "-I", "stopwatch.py", repeat, load.fresh, *load.command]

    def spent(argv):
        return lambda: int(output(argv, here.env).split()[1]) / repeat

    sides = {side: spent(argv) for side, argv in here.commands(watched).items()}
    times, reasons = take_turns(sides, rounds_of(options, 5))
    os.chdir(here.home)
    shutil.rmtree(here.work)
    return row_of(name, title, says, "ms", times, reasons, TO_MS)


ROWS = {"start": start, "start-files": start, "hook": hook, "exec": execs} | {name: work for name in LOADS}
