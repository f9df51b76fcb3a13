"""goes on when whoever supervises it is killed"""

import orphan
from evidence import orphan_answers as succeeded

SHAPE = "the supervisor dies first: out of memory, a closed window"
PROMISE = "P32"
PYTHON = orphan.DAEMON + orphan.WAIT


def meanwhile(host, process):
    host.wait_for(host.path("daemon-runs").exists)
    process.kill()
