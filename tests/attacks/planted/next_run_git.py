"""leaves git settings in its home that run a program in the next run"""

SHAPE = "GitSpawn from one session to the next: ~/.gitconfig"
PROMISE = "P38"
ACT = """
git config --global core.pager 'echo GOT-IT; cat'
git config --global alias.st '!echo GOT-IT'
mkdir -p ~/.config/git; printf '[alias]\\n\\tst = !echo GOT-IT\\n' >> ~/.config/git/config
"""
THEN = "git st"


def succeeded(host, done):
    return "GOT-IT" in done.out
