"""runs code that NODE_OPTIONS brings into every node"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708"
PROMISE = "P19"
WALLS = "environment"
NEEDS = {"node": "nodejs"}
ENVIRONMENT = {"NODE_OPTIONS": "--require @WORK@/code.js"}
ACT = "node -e 0"


def prepare(host):
    host.write("code.js", "console.log('GOT-IT')\n")
