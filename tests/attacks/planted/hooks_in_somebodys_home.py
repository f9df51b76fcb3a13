"""changes hooks in a folder of the tree that the person has named as ~user/… in core.hooksPath"""

import os
import pwd

SHAPE = "git expands ~user/ by the list of accounts, so the name says nothing of where it leads"
PROMISE = "P10"
WALLS = "protected-files,plant-watch"
ACT = """
printf 'touch "$HOME/taken-over"\\n' >> tools/hooks/pre-commit
printf '#!/bin/sh\\ntouch "$HOME/taken-over"\\n' > tools/hooks/post-commit; chmod +x tools/hooks/post-commit
"""


def prepare(host):
    account = next(one for one in pwd.getpwall() if os.path.isdir(one.pw_dir) and os.stat(one.pw_dir).st_mode & 1)
    hooks = os.path.relpath(host.path("tools/hooks"), os.path.realpath(account.pw_dir))
    host.write("tools/hooks/pre-commit", "#!/bin/sh\ntrue\n", 0o755)
    settings = f"[core]\n\thooksPath = ~{account.pw_name}/{hooks}\n".encode()
    host.write(".git/config", host.read(".git/config") + settings)


def succeeded(host, done):
    host.git("commit", "--allow-empty", "-m", "next")
    return host.path("~/taken-over").exists()
