"""reads POSIX shared memory of the person's in /dev/shm"""

import os

from evidence import secret_printed as succeeded

SHAPE = "containers that share the host's /dev/shm"
PROMISE = "P18"
WALLS = "new-root,landlock"
ACT = "cat /dev/shm/@SEGMENT@"


def prepare(host):
    path = f"/dev/shm/{host.secret[::-1]}"
    with open(path, "w") as file:
        file.write(host.secret)
    os.chown(path, host.user.pw_uid, -1)
    host.closing.append(lambda: os.unlink(path))
    host.facts["SEGMENT"] = os.path.basename(path)
