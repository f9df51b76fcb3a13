"""switches between branches that differ in tracked settings of an editor, and commits on one"""

NEEDS = {"git": "git"}
# Without it the files stay as they are at the start, or are taken away, and git shows them as changed or deleted.
RINGWALL = ["--unprotect", ".vscode/"]
ACT = """set -e
git switch -q changed && cat .vscode/settings.json && git status --short && git switch -q without && ls -A && git switch -q main
echo more > more && git add -A && git commit -q -m more && git merge -q -m merged changed && cat .vscode/settings.json && git show --format= --name-only HEAD~1
"""


def prepare(host):
    host.write(".vscode/settings.json", '{"a": 1}\n')
    host.own()
    for words in (["add", "-A"], ["commit", "-q", "-m", "settings"], ["switch", "-q", "-c", "changed"]):
        host.git(*words)
    host.write(".vscode/settings.json", '{"a": 2}\n')
    host.own()
    for words in (["commit", "-q", "-a", "-m", "changed"], ["switch", "-q", "-c", "without", "main"]):
        host.git(*words)
    host.git("rm", "-q", "-r", ".vscode")
    host.git("commit", "-q", "-m", "without")
    host.git("switch", "-q", "main")


def works(host, done):
    return done.status == 0 and done.out.split("\n") == ['{"a": 2}', ".git", "README.md", "src", '{"a": 2}', "more", ""]
