"""leaves by /proc/self/fd/N of an open root folder"""

import os

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626, word for word: /proc/self/fd/7"
PROMISE = "P15"
WALLS = "descriptors,landlock,own-identity"
ACT = "cat /proc/self/fd/7@HOME@/.ssh/id_ed25519"


def as_caller(host):
    os.dup2(os.open("/", os.O_RDONLY), 7)
