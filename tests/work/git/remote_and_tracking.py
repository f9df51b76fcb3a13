"""clones, pushes and pulls between repositories with branches that track others"""

NEEDS = {"git": "git"}
ACT = """set -e
git init -q --bare -b main hub.git && git push -q ./hub.git main
git clone -q hub.git one && git clone -q hub.git two
cd one && git switch -q -c feature && echo f > f && git add f && git commit -q -m feature
git push -q -u origin feature && git branch -vv --format='%(refname:short) %(upstream:short)'
cd ../two && git remote add other ../one && git fetch -q --all && git switch -q -c feature origin/feature && git pull -q --rebase
git log --format=%s -1 && git push -q origin :feature && git remote prune origin && git branch -r
"""


def works(host, done):
    return (
        done.status == 0
        and done.out.startswith("feature origin/feature\nmain origin/main\nfeature\n")
        and "origin/feature" not in done.out.partition("main\nfeature\n")[2]
        and host.git("-C", "hub.git", "branch", "--format=%(refname:short)") == "main\n"
    )
