"""writes git's config after a program outside has replaced it by renaming"""

SHAPE = "git config and editors save by renaming: the mount over the old file goes with it"
PROMISE = "P10"
PYTHON = """
import os, time
open("ready", "w")
evil = '[core]\\n\\tfsmonitor = "touch ~/taken-over; false"\\n'
last = False
while not last:
    last = os.path.exists("enough")  # once more after the person's last word
    try:
        text = open(".git/config").read()
        if "taken-over" not in text:
            open(".git/config", "a").write(evil)
    except OSError:
        pass
"""


def meanwhile(host, process):
    host.wait_for(host.path("ready").exists)
    for round in range(40):
        host.git("config", "person.round", str(round))
    host.write("enough", "")


def succeeded(host, done):
    host.path("~/taken-over").unlink(missing_ok=True)
    host.git("status")
    return host.path("~/taken-over").exists()
