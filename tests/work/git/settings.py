"""uses settings and aliases that are given with the command, and writes those of a new repository"""

NEEDS = {"git": "git"}
ACT = """set -e
git -c alias.last='log -1 --format=%s' last && git config user.name
git init -q -b trunk fresh && cd fresh && git config user.email me@there.example && git config core.abbrev 12 && git config color.ui never && git config commit.gpgsign false
echo x > x && git status --short && git add x && git commit -q -m x && git log --format='%ae %an'
"""


def works(host, done):
    return done.status == 0 and done.out == "first\nSome Body\n?? x\nme@there.example Some Body\n"
