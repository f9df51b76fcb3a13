"""offers a program of the person's to the kernel when memory is short"""

SHAPE = "SandboxBench proc_writable"
PROMISE = "P06"
WALLS = "pid-namespace,landlock,own-identity"
ACT = "echo 1000 > /proc/@PID@/oom_score_adj"


def prepare(host):
    host.facts["PID"] = host.start("sleep", "600").pid


def succeeded(host, done):
    with open(f"/proc/{host.facts['PID']}/oom_score_adj") as value:
        return value.read().strip() == "1000"
