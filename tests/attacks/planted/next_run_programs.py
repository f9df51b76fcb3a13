"""leaves programs in folders of its home that lie on the path"""

SHAPE = "persistence from one session to the next: a false git in ~/.local/bin"
PROMISE = "P38"
ENVIRONMENT = {"PATH": "@HOME@/.local/bin:@HOME@/bin:/usr/local/bin:/usr/bin:/bin"}
ACT = """
mkdir -p ~/.local/bin ~/bin
for d in ~/.local/bin ~/bin; do printf '#!/bin/sh\\necho GOT-IT\\n' > $d/git; chmod +x $d/git; done
"""
THEN = "git --version"


def succeeded(host, done):
    return "GOT-IT" in done.out
