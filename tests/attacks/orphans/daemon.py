"""leaves a daemon: another session, no parent, nothing open"""

import orphan
from evidence import orphan_answers as succeeded

SHAPE = "processes that outlive the sandbox: backdoors without a file"
PROMISE = "P32"
PYTHON = orphan.DAEMON
