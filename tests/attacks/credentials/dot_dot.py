"""walks from the workspace up into the home"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-54794 and CVE-2025-53110: a path that begins like an allowed one leads elsewhere"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "cat src/../../notes.txt"
