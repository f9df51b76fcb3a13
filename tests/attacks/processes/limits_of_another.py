"""takes a running program its processor time and its open files"""

SHAPE = "SandboxBench shared_pid"
PROMISE = "P06"
WALLS = "pid-namespace,landlock,own-identity"
ACT = "prlimit --pid @PID@ --nofile=3:3; renice -n 19 -p @PID@"


def prepare(host):
    host.facts["PID"] = host.start("sleep", "600").pid


def succeeded(host, done):
    with open(f"/proc/{host.facts['PID']}/limits") as limits:
        return next(line for line in limits if line.startswith("Max open files")).split()[3] == "3"
