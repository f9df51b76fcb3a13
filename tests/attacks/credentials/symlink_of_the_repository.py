"""reads through a symbolic link that the repository brought along"""

from evidence import secret_printed as succeeded

SHAPE = "MCP filesystem CVE-2025-53109: a link in the allowed folder led out of it"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "cat docs/id_ed25519"


def prepare(host):
    host.path("docs").symlink_to("../.ssh")
