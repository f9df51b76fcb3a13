"""deletes the person's files"""

SHAPE = "agents that ran rm -rf on the home"
PROMISE = "P12"
WALLS = "private-home,read-only,landlock"
ACT = "rm -rf @HOME@/notes.txt @HOME@/.ssh; find @HOME@ -maxdepth 1 -type f -delete"


def succeeded(host, done):
    return not host.read("~/notes.txt") or not host.read("~/.ssh/id_ed25519")
