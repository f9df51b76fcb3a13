"""picks single commits and takes others back"""

NEEDS = {"git": "git"}
ACT = """set -e
git switch -q -c side && for n in 1 2 3; do echo $n > f$n && git add f$n && git commit -q -m step$n; done
git switch -q main && git cherry-pick side~2 side > /dev/null && git revert --no-edit HEAD > /dev/null
ls && git log --format=%s | head -3 && git cherry main side | grep -c +
"""


def works(host, done):
    return (
        done.status == 0
        and done.out == 'README.md\nf1\nsrc\nRevert "step3"\nstep3\nstep1\n1\n'
        and host.git("log", "--format=%s", "-1") == 'Revert "step3"\n'
    )
