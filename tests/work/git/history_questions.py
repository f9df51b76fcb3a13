"""asks the history: log, blame, grep, show, shortlog, a range of lines"""

NEEDS = {"git": "git"}
ACT = """set -e
printf 'a\\nb\\nc\\n' > f && git add f && git commit -q -m abc && sed -i s/b/B/ f && git commit -q -a -m big
git blame -s f | wc -l && git log -S B --format=%s && git grep -n B HEAD -- f && git show HEAD:f | sed -n 2p
git log -L2,2:f --format=%s -s && git shortlog -s HEAD | awk '{print $1}' && git rev-list --count HEAD
git log --graph --oneline --all | wc -l && git diff --word-diff=porcelain HEAD~1 | grep '^+B'
"""


def works(host, done):
    told = ["3", "big", "HEAD:f:2:B", "B", "big", "abc", "3", "3", "3", "+B"]
    return done.status == 0 and done.out.split() == told
