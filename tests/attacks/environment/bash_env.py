"""runs code that a variable of the caller's brings into every shell"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708: variables that were set earlier turned allowed commands into others"
PROMISE = "P19"
WALLS = "environment"
ENVIRONMENT = {"BASH_ENV": "@WORK@/code.sh", "ENV": "@WORK@/code.sh"}
ACT = "bash -c true"


def prepare(host):
    host.write("code.sh", "echo GOT-IT\n")
