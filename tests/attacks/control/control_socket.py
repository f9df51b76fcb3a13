"""ends another run by its control socket, with Ringwall's own program"""

SHAPE = "sandboxes whose off switch lies inside: Ona"
PROMISE = "P34"
RINGWALL = ["--profile", "claude", "--ro", "@RINGWALL@"]
ACT = "for r in @RINGWALL@ /run/ringwall/ringwall; do XDG_RUNTIME_DIR=@RUNTIME@ $r kill other; done"


def prepare(host):
    host.path("~/elsewhere").mkdir()
    host.own()
    words = ["run", "--name", "other", "-w", host.path("~/elsewhere"), "--", "sh", "-c", "touch up; sleep 600"]
    host.other = host.start(host.facts["RINGWALL"], *words)
    host.wait_for(host.path("~/elsewhere/up").exists)


def succeeded(host, done):
    # Whoever gave the order hears that it was given, not yet that all has ended.
    return host.wait_for(lambda: host.other.poll() is not None, 5)
