"""squashes and reorders commits in an interactive rebase, with an editor that is a script"""

NEEDS = {"git": "git"}
ACT = """set -e
for n in 1 2 3; do echo $n > f$n && git add f$n && git commit -q -m step$n; done
export GIT_EDITOR=true
GIT_SEQUENCE_EDITOR="sed -i '2s/^pick/fixup/'" git rebase -q -i HEAD~3
git commit -q --amend -m last && git log --format=%s
git reflog | grep -c rebase && git reset -q --hard 'HEAD@{1}' && git log --format=%s -1
"""


def works(host, done):
    lines = done.out.split("\n")
    return (
        done.status == 0
        and lines[:3] == ["last", "step1", "first"]
        and int(lines[3]) >= 3
        and lines[4] == "step3"
        and host.git("log", "--format=%s") == "step3\nstep1\nfirst\n"
    )
