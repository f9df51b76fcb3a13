"""Builds homes for the tests of `ringwall audit`.

A home is a dict of files: "~/x" lies in the home, "./x" in the project. A value is a text, bytes, something for JSON, or a
pair of one of these and a mode.
"""

import json
import os


def write(path, content):
    mode = 0o600
    if isinstance(content, tuple):
        content, mode = content
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content, indent=2) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)


def build(place, files):
    os.umask(0o022)
    for name, content in files.items():
        base = place.home if name.startswith("~/") else place.work
        if isinstance(content, str):
            content = content.replace("HOME", str(place.home)) if name in OF_PATHS else content
        write(base / name[2:], content)


# Files in which a HOME stands for the path of this home.
OF_PATHS = {"~/.claude.json", "~/.codex/config.toml", "~/.copilot/config.json"}


def merged(*layers):
    files = {}
    for layer in layers:
        files.update(layer)
    return files


# What looks like a token and is none: the letters that begin one, and nothing that was ever given out.
TOKEN = "ghp_" + "Zb3Kq9Lm2Xw7Rt5Vy1Ns8Pd4Hf6Jc0Ga" + "Te9Q"
# The first line of keys that ssh-keygen writes: the cipher's name is in it.
BARE_KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"
    "-----END OPENSSH PRIVATE KEY-----\n"
)
LOCKED_KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDZ9uDd\n"
    "-----END OPENSSH PRIVATE KEY-----\n"
)

# Claude Code as the guides want it.
CLAUDE = {
    "permissions": {
        "deny": ["Read(~/.ssh/**)", "Read(**/.env)"],
        "allow": ["Bash(npm run test *)", "Read(~/notes/**)"],
        "disableBypassPermissionsMode": "disable",
    },
    "sandbox": {
        "enabled": True,
        "allowUnsandboxedCommands": False,
        "failIfUnavailable": True,
        "network": {"allowedDomains": ["registry.npmjs.org"]},
        "filesystem": {"denyRead": ["~/.ssh", "~/.aws"]},
    },
}


def claude(**changes):
    """CLAUDE with other values, by their names with __ for dots; None takes one out."""
    settings = json.loads(json.dumps(CLAUDE))
    for way, value in changes.items():
        *outer, name = way.split("__")
        at = settings
        for part in outer:
            at = at.setdefault(part, {})
        if value is None:
            at.pop(name, None)
        else:
            at[name] = value
    return {"~/.claude/settings.json": settings}
