"""clones by https, commits, pushes a branch and fetches it again"""

NEEDS = {"git": "git"}
LAB = True
OPTIONS = {"hosts": ["git.rwlab.net"]}
ACT = """set -e
git clone -q https://git.rwlab.net/git/thing.git copy && cd copy && cat README.md && git switch -q -c by-https && head -c 1000000 /dev/urandom > big && git add big
git commit -q -m big && git push -q -f -u origin by-https && git ls-remote -h origin by-https | wc -l && git fetch -q && git status -sb | head -1
git push -q origin :by-https
"""


def works(host, done):
    return done.status == 0 and done.out == "hello\n1\n## by-https...origin/by-https\n"
