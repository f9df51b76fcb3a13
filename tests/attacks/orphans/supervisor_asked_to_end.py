"""goes on when whoever supervises it gets SIGTERM"""

import orphan
from evidence import orphan_answers as succeeded

SHAPE = "services that are stopped, and what they started is not"
PROMISE = "P32"
PYTHON = orphan.DAEMON + orphan.WAIT


def meanwhile(host, process):
    host.wait_for(host.path("daemon-runs").exists)
    process.terminate()
