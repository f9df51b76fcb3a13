"""connects to a socket that a host's service makes in the workspace while the run goes on"""

SHAPE = "dev servers, databases and git's own daemon make sockets in the tree when the person starts them"
PROMISE = "P13"
WALLS = "socket-masks"
# Behind the wall a moment passes until it is masked: what counts is what stays open.
PYTHON = """
import os, socket, time
open("ready", "w")
while not os.path.exists("made"): time.sleep(0.02)
time.sleep(0.2)
s = socket.socket(socket.AF_UNIX); s.connect("late.sock"); s.sendall(b"order")
"""


def meanwhile(host, process):
    host.wait_for(host.path("ready").exists)
    host.service = host.listen(host.path("late.sock"))
    host.own()
    host.write("made", "")


def succeeded(host, done):
    return b"order" in host.service.seen()
