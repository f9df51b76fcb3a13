"""changes a file of the home through a hard link in the workspace"""

SHAPE = "Codex CVE-2025-55345 in its other form: a link, but a hard one"
PROMISE = "P12"
WALLS = "new-root,landlock"
ACT = "ln ../notes.txt here; echo evil >> here; ln ../.bashrc rc; echo evil >> rc"


def succeeded(host, done):
    return b"evil" in host.read("~/notes.txt") + host.read("~/.bashrc")
