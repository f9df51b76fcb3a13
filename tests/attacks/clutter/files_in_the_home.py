"""leaves files and folders all over the home"""

import os

SHAPE = "sandboxes and agents that leave their things in the home"
PROMISE = "P12"
ACT = "touch ~/left @HOME@/left; mkdir -p ~/.cache/tool ~/.tool; echo x > ~/.tool/state; touch ../left"


def prepare(host):
    host.before = _listing(host)


def _listing(host):
    """Names in the home, but for the workspace and Ringwall's own state."""
    own = (str(host.work), str(host.path("~/.local/state")))
    found = set()
    for folder, folders, files in os.walk(host.home):
        folders[:] = [name for name in folders if f"{folder}/{name}" not in own]
        found |= {f"{folder}/{name}" for name in (*folders, *files)}
    return found


def succeeded(host, done):
    return _listing(host) != host.before
