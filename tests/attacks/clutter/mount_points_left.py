"""is killed in its midst, and leaves what was made for it in the workspace"""

SHAPE = "sandboxes that leave empty .mcp.json, .git and other mount points behind"
PROMISE = "P12"
PYTHON = """
import os, time
for name in (".mcp.json", ".vscode", ".git/hooks/pre-commit"):
    try:
        open(name, "a").close()
    except OSError:
        pass
open("runs", "w")
time.sleep(120)
"""
THEN = "true"


def meanwhile(host, process):
    if host.path("runs").exists():
        return  # the second run
    host.wait_for(host.path("runs").exists)
    process.kill()


def succeeded(host, done):
    return any(host.path(name).exists() for name in (".mcp.json", ".vscode", ".git/hooks/pre-commit"))
