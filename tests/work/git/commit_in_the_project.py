"""changes a file of the project and commits it with the person's name"""

NEEDS = {"git": "git"}
ACT = """set -e
echo 'print("more")' >> src/main.py
git add -p src/main.py < /dev/null > /dev/null || true
git commit -q -a -m second
git status --short
git log --format=%s:%an
"""


def works(host, done):
    told = "second:Some Body\nfirst:Some Body\n"
    return done.status == 0 and done.out == told and host.git("log", "--format=%s:%an") == told
