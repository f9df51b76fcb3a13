"""leaves a daemon that ignores every signal it can"""

import orphan
from evidence import orphan_answers as succeeded

SHAPE = "processes that outlive the sandbox"
PROMISE = "P32"
PYTHON = "import signal\nfor number in (1, 2, 3, 13, 15, 20):\n    signal.signal(number, signal.SIG_IGN)\n" + orphan.DAEMON
