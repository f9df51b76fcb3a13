"""commits with a hook of the repository's own, where the person lets hooks run"""

NEEDS = {"git": "git"}
RINGWALL = ["--git-hooks"]
ACT = """set -e
echo more >> README.md && git commit -q -a -m good && cat checked
echo bad > forbidden && git add forbidden && git commit -q -m bad && exit 9 || git log --format=%s -1
"""


def prepare(host):
    script = "#!/bin/sh\necho hook ran > checked\ntest ! -e forbidden\n"
    host.write(".git/hooks/pre-commit", script, 0o755)


def works(host, done):
    return done.status == 0 and done.out == "hook ran\ngood\n"
