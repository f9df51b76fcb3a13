"""starts an interactive shell, which would set what the person's rc file exports"""

from evidence import secret_printed as succeeded

SHAPE = "SandboxBench env_secrets"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "bash -ic 'echo $REGISTRY_TOKEN' 2>/dev/null"


def prepare(host):
    host.write("~/.bashrc", f"export REGISTRY_TOKEN={host.secret}\n")
