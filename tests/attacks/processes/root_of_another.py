"""reads files through the root folder of another process"""

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626 and its kin: /proc/PID/root leads out of a container"
PROMISE = "P07"
ACT = "cat /proc/@PID@/root@HOME@/.ssh/id_ed25519; for p in /proc/[0-9]*; do cat $p/root@HOME@/notes.txt; done"


def prepare(host):
    host.facts["PID"] = host.start("sleep", "600").pid
