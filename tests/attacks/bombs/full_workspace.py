"""fills the workspace's disk, step by step"""

SHAPE = "filling disks: logs and databases of the host stop"
PROMISE = "P33"
RINGWALL = ["--workspace-size", "16M", "--timeout", "5s"]
PYTHON = """
import time
for number in range(20):
    open(f"filled{number}", "wb").write(b"x" * (8 << 20))
    time.sleep(0.1)
"""


def succeeded(host, done):
    return sum(path.stat().st_size for path in host.work.glob("filled*")) >= 150 << 20
