"""leaves a file whose name is an escape sequence and looks like one of a secret, for the next run"""

SHAPE = "names chosen by the agent in the sandbox's own messages"
PROMISE = "P21"
TERMINAL = True
PYTHON = """
import os
os.mkdir("sub")
open("sub/.env\\x1b]52;c;ZXZpbA==\\a", "w").write("A_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345")
"""
THEN = "ls --literal --show-control-chars -A sub"


def succeeded(host, done):
    return "\x1b]52;c;" in done.out
