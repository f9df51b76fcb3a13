"""switches to a branch that has none of three hundred files, and back"""

NEEDS = {"git": "git"}
# What a person gives where this is ordinary work: see docs/deletions.md.
RINGWALL = ["--deleted-files", "2000", "--deleted-share", "none"]
ACT = """set -e
git switch -q old && ls && git switch -q main && ls many | wc -l && git status --short
"""


def prepare(host):
    host.git("branch", "old")
    for number in range(300):
        host.write(f"many/f{number}.txt", f"{number}\n")
    host.own()
    host.git("add", "-A")
    host.git("commit", "-q", "-m", "many")


def works(host, done):
    return done.status == 0 and done.out == "README.md\nsrc\n300\n"
