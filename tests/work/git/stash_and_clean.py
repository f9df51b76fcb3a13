"""stashes, restores, and cleans what is not tracked"""

NEEDS = {"git": "git"}
ACT = """set -e
echo out/ > .gitignore && git add .gitignore && git commit -q -m ignore
echo changed >> README.md && echo new > untracked && mkdir out && echo o > out/o
git stash push -q -u -m saved && git status --short && git stash list | wc -l
git stash pop -q && cat untracked && git restore README.md && git clean -q -f -d -x
git status --short && ls -A
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["1", "new", ".git", ".gitignore", "README.md", "src"]
