"""finds the commit that broke a test by bisecting"""

NEEDS = {"git": "git"}
ACT = """set -e
for n in 1 2 3 4 5 6 7 8; do echo $n > f && git add f && git commit -q -m step$n; done
git bisect start HEAD HEAD~7 > /dev/null
git bisect run sh -c 'test "$(cat f)" -lt 5' | grep 'is the first bad commit' | wc -l
git bisect log | grep -c '^# bad' && git show -s --format=%s refs/bisect/bad && git bisect reset 2> /dev/null
git log --format=%s -1
"""


def works(host, done):
    lines = done.out.split()
    return done.status == 0 and lines[0] == "1" and lines[-2:] == ["step5", "step8"]
