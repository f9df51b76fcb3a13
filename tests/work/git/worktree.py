"""works on a second branch in a worktree below the project"""

NEEDS = {"git": "git"}
ACT = """set -e
git worktree add -q -b side wt && cd wt && echo side > s && git add s && git commit -q -m 'in the worktree'
cd .. && git worktree list | wc -l && git log --format=%s side -1
git worktree remove wt && git worktree list | wc -l
git worktree add -q kept side && cat kept/s
"""


def works(host, done):
    return (
        done.status == 0
        and done.out == "2\nin the worktree\n1\nside\n"
        and host.git("log", "--format=%s", "side", "-1") == "in the worktree\n"
    )
