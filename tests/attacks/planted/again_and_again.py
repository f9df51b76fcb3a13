"""plants faster than anybody can take away, from many processes, until the very end"""

SHAPE = "CVE-2026-88968: races against a check"
PROMISE = "P10"
WALLS = "protected-files,plant-watch"
PYTHON = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            try:
                os.makedirs(".vscode", exist_ok=True)
                open(".vscode/tasks.json", "w").write("evil")
            except OSError:
                pass
        os._exit(0)
time.sleep(1.4)
open(".mcp.json", "w").write("evil")
"""


def succeeded(host, done):
    return b"evil" in host.read(".vscode/tasks.json") + host.read(".mcp.json")
