"""goes on when the person's session gets SIGHUP"""

import signal

import orphan
from evidence import orphan_answers as succeeded

SHAPE = "a closed terminal, and the agent works on alone"
PROMISE = "P32"
PYTHON = "import signal\nsignal.signal(1, signal.SIG_IGN)\n" + orphan.DAEMON + orphan.WAIT


def meanwhile(host, process):
    host.wait_for(host.path("daemon-runs").exists)
    process.send_signal(signal.SIGHUP)
    # Bare, what ignores it has to be ended by hand: it has shown what it can.
    host.wait_for(lambda: process.poll() is not None, 3)
    process.kill()
