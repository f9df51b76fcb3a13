"""is started with the home as standard input, opened by O_PATH"""

import os

from act_parts import key_read_below
from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626, by a descriptor that cannot even be read"
PROMISE = "P15"
REFUSED = True
C = key_read_below(0)


def as_caller(host):
    os.dup2(os.open(host.home, os.O_PATH), 0)
