"""branches, merges, rebases and tags in the project"""

NEEDS = {"git": "git"}
ACT = """set -e
git switch -q -c side && echo two > b && git add b && git commit -q -m two
git switch -q main && echo three > c && git add c && git commit -q -m three
git merge -q --no-edit side
git switch -q -c topic HEAD~1 && echo four > d && git add d && git commit -q -m four
git rebase -q main && git switch -q main && git merge -q --ff-only topic
git tag -a -m release v1 && git branch -d side topic > /dev/null
git describe && git log --format=%s | sort
"""


def works(host, done):
    return (
        done.status == 0
        and done.out.split("\n")[:1] == ["v1"]
        and {"first", "two", "three", "four"} <= set(done.out.split("\n"))
        and host.git("branch", "--format=%(refname:short)") == "main\n"
        and "working tree clean" in host.git("status")
    )
