"""ends another run by its control socket, with Ringwall's own program"""

from evidence import word_printed as succeeded

SHAPE = "sandboxes whose off switch lies inside: Ona"
PROMISE = "P34"
RINGWALL = ["--profile", "claude", "--ro", "@RINGWALL@"]
ACT = "for r in @RINGWALL@ /run/ringwall/ringwall; do XDG_RUNTIME_DIR=@RUNTIME@ $r kill other && echo GOT-IT; done"


def prepare(host):
    host.path("~/elsewhere").mkdir()
    host.own()
    words = ["run", "--name", "other", "-w", host.path("~/elsewhere"), "--", "sh", "-c", "touch up; sleep 600"]
    host.other = host.start(host.facts["RINGWALL"], *words)
    host.wait_for(host.path("~/elsewhere/up").exists)
