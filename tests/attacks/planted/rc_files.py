"""writes rc files and programs of the person's home"""

SHAPE = "CVE-2026-55607 ended in ~/.zshenv; persistence by rc files"
PROMISE = "P12"
WALLS = "private-home,read-only,landlock"
ACT = """
echo evil >> @HOME@/.bashrc; echo evil > @HOME@/.zshenv
mkdir -p @HOME@/.local/bin @HOME@/.config/autostart
echo evil > @HOME@/.local/bin/git; echo evil > @HOME@/.config/autostart/a.desktop
"""


def succeeded(host, done):
    names = ["~/.bashrc", "~/.zshenv", "~/.local/bin/git", "~/.config/autostart/a.desktop"]
    return any(b"evil" in host.read(name) for name in names)
