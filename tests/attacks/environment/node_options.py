"""runs code that NODE_OPTIONS brings into every node"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708; s1ngularity-like preloads by NODE_OPTIONS"
PROMISE = "P19"
WALLS = "environment"
NEEDS = {"node": "nodejs"}
ENVIRONMENT = {"NODE_OPTIONS": "--require @WORK@/code.js"}
ACT = "node -e 0"


def prepare(host):
    host.write("code.js", "console.log('GOT-IT')\n")
