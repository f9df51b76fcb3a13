"""reads from a descriptor that the caller forgot to close"""

import os

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626: descriptors leaked into the container"
PROMISE = "P15"
WALLS = "descriptors"
ACT = "cat <&3"


def as_caller(host):
    os.dup2(os.open(host.path("~/.ssh/id_ed25519"), os.O_RDONLY), 3)
