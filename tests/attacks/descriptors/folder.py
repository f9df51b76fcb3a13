"""opens files below a folder that the caller left open at a high number"""

import os

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626"
PROMISE = "P15"
WALLS = "descriptors,landlock,own-identity"
PYTHON = """
import os
print(os.read(os.open(".ssh/id_ed25519", os.O_RDONLY, dir_fd=200), 999).decode())
"""


def as_caller(host):
    os.dup2(os.open(host.home, os.O_RDONLY), 200)
