"""leaves a rebase under way whose next step runs a program"""

SHAPE = "git as executor: an exec line in git-rebase-todo"
PROMISE = "P10"
WALLS = "protected-files,plant-watch"
ACT = """
git commit -q --allow-empty -m two
GIT_SEQUENCE_EDITOR=true git -c user.name=a -c user.email=a@b rebase -q -i --exec false HEAD~1
echo 'exec touch ~/taken-over' > .git/rebase-merge/git-rebase-todo
"""


def succeeded(host, done):
    host.git("rebase", "--continue")
    return host.path("~/taken-over").exists()
