"""runs into a conflict, resolves it and goes on, in a merge and in a rebase"""

NEEDS = {"git": "git"}
ACT = """set -e
git switch -q -c side && echo side > README.md && git commit -q -a -m side
git switch -q main && echo main > README.md && git commit -q -a -m main
git merge side > /dev/null && exit 9 || git diff --name-only --diff-filter=U
echo both > README.md && git add README.md && git commit -q -m merged
git switch -q -c again side~1 && echo again > README.md && git commit -q -a -m again
git rebase main > /dev/null 2>&1 && exit 9 || true
echo all > README.md && git add README.md && GIT_EDITOR=true git rebase --continue > /dev/null 2>&1
git log --format=%s -1 && cat README.md
"""


def works(host, done):
    return (
        done.status == 0
        and done.out == "README.md\nagain\nall\n"
        and host.git("log", "--format=%s", "main", "-1") == "merged\n"
    )
