"""makes a symbolic link in the workspace that leads to a key"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-59829 and CVE-2026-25724: deny rules were passed by a symbolic link"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "ln -s ../.ssh keys && cat keys/id_ed25519"
