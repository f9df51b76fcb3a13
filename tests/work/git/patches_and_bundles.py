"""carries commits elsewhere as patches, as a bundle and as an archive"""

NEEDS = {"git": "git", "tar": "tar"}
ACT = """set -e
for n in 1 2; do echo $n > f$n && git add f$n && git commit -q -m step$n; done
git format-patch -q -o patches HEAD~2 && git bundle create -q all.bundle main && git archive -o main.tar.gz HEAD
git clone -q -b main all.bundle fromb && git -C fromb log --format=%s -1
git clone -q . fresh && cd fresh && git reset -q --hard HEAD~2 && git am -q ../patches/*.patch && git log --format=%s
git diff --stat HEAD~2 | tail -1 && cd .. && tar tzf main.tar.gz | wc -l
git diff HEAD~1 > last.diff && git apply -R last.diff && test ! -e f2 && git apply last.diff && cat f2
"""


def works(host, done):
    lines = done.out.split("\n")
    return (
        done.status == 0
        and lines[:4] == ["step2", "step2", "step1", "first"]
        and "2 files changed" in lines[4]
        and lines[5:7] == ["5", "2"]
    )
