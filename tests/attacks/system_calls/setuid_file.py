"""makes a file of the person's that anybody may run as the person"""

SHAPE = "setuid files left in a shared folder"
PROMISE = "P02"
WALLS = "system-calls"
ACT = "cp /bin/true a; chmod 4755 a; install -m 4755 /bin/true b"


def succeeded(host, done):
    return any(path.stat().st_mode & 0o6000 for path in host.work.iterdir())
