"""make test-agents: real agents from the npm registry, each inside with its profile.

Each is installed as npm does it, started in a terminal without any network, and must reach its
first screen, follow a change of the window's size, and end when it is asked to. They are large:
one at a time is installed, below build/agents, and removed when it is done.

    run_agents.py RINGWALL [AGENT…]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/integration"))
from terminals import Tmux  # noqa: E402

ROOM = TOP / "build/agents"
NODE = "24"
PATIENCE = 60

# Package, what its first screen says, keys that leave it, and how it ends then without Ringwall too.
AGENTS = {
    "claude": ("@anthropic-ai/claude-code", r"trust", ["Escape", "C-c", "C-c"], 0),
    "codex": ("@openai/codex", r"Sign in", ["C-c", "C-c"], 0),
    "gemini": ("@google/gemini-cli", r"Do you trust", ["Escape", "C-c", "C-c"], 130),
    "opencode": ("opencode-ai", r"Ask anything", ["C-c", "C-c"], 0),
    "copilot": ("@github/copilot", r"Do you trust", ["Escape", "C-c", "C-c"], 1),
}


class Place:
    """What a terminal of the tests needs to know."""

    def __init__(self, prefix):
        self.root = ROOM / "run"
        self.home = self.root / "home"
        shutil.rmtree(self.root, ignore_errors=True)
        self.work = self.home / "project"
        self.work.mkdir(parents=True)
        (self.root / "runtime").mkdir(mode=0o700)
        self.node = self.home / f".nvm/versions/node/v{NODE}"
        self.prefix = self.node if prefix == "nvm" else self.home / ".npm-global"
        subprocess.run(["git", "init", "-q"], cwd=self.work, check=True)

    def environment(self, extra=None):
        return {
            "HOME": str(self.home),
            "USER": os.environ.get("USER", "root"),
            "PATH": f"{self.prefix}/bin:{self.node}/bin:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "XDG_RUNTIME_DIR": str(self.root / "runtime"),
            **(extra or {}),
        }


def npm(place, *words):
    """Outside and with the caller's own settings of npm; the registry is his."""
    environment = dict(os.environ)
    environment["PATH"] = f"{place.node}/bin:" + environment["PATH"]
    subprocess.run(["npm", "--silent", "--no-fund", "--no-audit", *map(str, words)], env=environment, check=True)


def install_node(place):
    cache = ROOM / "node"
    if not (cache / "node_modules/node/bin/node").exists():
        npm(place, "install", "--prefix", cache, f"node@{NODE}")
    (place.node / "bin").mkdir(parents=True)
    shutil.copy2(cache / "node_modules/node/bin/node", place.node / "bin/node")


def wait_for(happened, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, what()
        time.sleep(0.1)


def redraw(tmux, pane, name, prefix):
    """How much more it writes when the window changes than in the same time before."""
    written = tmux.place.root / "written"
    tmux("pipe-pane", "-t", pane.name, "-o", f"cat >> {written}")
    time.sleep(3)  # what belongs to its start is over then
    sizes = []
    screens = [pane.text()]
    for size in (None, (36, 60)):
        before = written.stat().st_size if written.exists() else 0
        if size:
            pane.resize(*size)
        time.sleep(2)
        sizes.append((written.stat().st_size if written.exists() else 0) - before)
        screens.append(pane.text())
    (ROOM / f"{name}-{prefix}.txt").write_text("\n----\n".join(screens))
    more = sizes[1] - sizes[0]
    assert more > 200, f"it does not follow the window: {sizes} bytes\n{screens[-1]}"
    return more


def leave(pane, keys):
    """Keys one by one; the next only if it does not end by the one before."""
    for key in keys * 2:
        pane.keys(key)
        end = time.monotonic() + (3 if key == "Escape" else 0.8)
        while time.monotonic() < end:
            if ended := re.findall(r"ended (\d+)", pane.text()):
                return int(ended[-1])
            time.sleep(0.1)
    wait_for(lambda: re.search(r"ended \d+", pane.text()), lambda: f"it does not end:\n{pane.text()}", 15)
    return int(re.findall(r"ended (\d+)", pane.text())[-1])


def try_agent(ringwall, name, prefix):
    package, first_screen, keys, status = AGENTS[name]
    place = Place(prefix)
    install_node(place)
    npm(place, "install", "-g", "--prefix", place.prefix, package)
    if name == "claude":  # without network it goes no further than to its onboarding
        store = place.home / ".local/state/ringwall/logins/claude/.claude"
        store.mkdir(parents=True)
        (store / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True}))
    told = {}
    tmux = Tmux(place)
    try:
        start = time.monotonic()
        pane = tmux.open([ringwall, "run", "--", name], size=(24, 80))
        seen = lambda: re.search(first_screen, pane.text()) or "ended" in pane.text()
        wait_for(seen, lambda: f"no first screen:\n{pane.text()}")
        assert not re.search(r"ended \d+", pane.text()), f"it ended:\n{pane.text()}"
        assert "not owned by root" not in pane.text(), f"it does not take its settings:\n{pane.text()}"
        told["first screen"] = f"{time.monotonic() - start:.1f} s"
        told["redraw"] = f"{redraw(tmux, pane, name, prefix)} bytes"
        told["exit status"] = leave(pane, keys)
        assert told["exit status"] == status, f"it ended with {told['exit status']}:\n{pane.text()}"
    finally:
        tmux("kill-server", check=False)
        shutil.rmtree(place.root, ignore_errors=True)
    return told


def main():
    ringwall, *wanted = sys.argv[1:]
    prefixes = os.environ.get("PREFIXES", "user").split()
    ROOM.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in wanted or AGENTS:
        for prefix in prefixes:
            try:
                told = try_agent(os.path.abspath(ringwall), name, prefix)
                print(f"{name:10}{prefix:6}ok    " + ", ".join(f"{key}: {value}" for key, value in told.items()))
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"{name:10}{prefix:6}FAILED\n{error}")
            sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main())
