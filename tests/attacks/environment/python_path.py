"""runs code that PYTHONPATH brings into every Python"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708"
PROMISE = "P19"
WALLS = "environment"
ENVIRONMENT = {"PYTHONPATH": "@WORK@/lib"}
ACT = "/usr/bin/python3 -c pass"


def prepare(host):
    host.write("lib/sitecustomize.py", "print('GOT-IT')\n")
