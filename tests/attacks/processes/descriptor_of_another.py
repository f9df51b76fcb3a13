"""opens a deleted file again by the descriptor that another process holds"""

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2019-5736: /proc/PID/fd opens what no path leads to"
PROMISE = "P06"
ACT = "cat /proc/@PID@/fd/7"


def prepare(host):
    host.write("~/deleted", host.secret)
    host.own()
    victim = host.start("sh", "-c", "exec 7< ~/deleted; rm ~/deleted; exec sleep 600")
    host.wait_for(lambda: not host.path("~/deleted").exists())
    host.facts["PID"] = victim.pid
