"""reads the environment of every process in sight"""

from evidence import secret_printed as succeeded

SHAPE = "GMO Flatt, claude-code-action: /proc/self/environ gave away the OIDC token"
PROMISE = "P19"
WALLS = "environment"
ACT = "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"
