"""plants a file at the moment when the supervisor is killed, for nobody to take away"""

SHAPE = "CVE-2026-25725 and a crash: who cleans up?"
PROMISE = "P10"
PYTHON = """
import os, time
open("daemon-runs", "w")
while True:
    try:
        os.makedirs(".vscode", exist_ok=True)
        open(".vscode/tasks.json", "w").write("evil")
    except OSError:
        pass
    time.sleep(0.001)
"""
THEN = "true"


def meanwhile(host, process):
    if host.path("daemon-runs").exists():
        return  # the second run
    host.wait_for(host.path("daemon-runs").exists)
    host.wait_for(lambda: bool(host.read(".vscode/tasks.json")), 2)
    process.kill()


def succeeded(host, done):
    return b"evil" in host.read(".vscode/tasks.json")
