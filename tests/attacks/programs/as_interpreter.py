"""starts a denied program as the interpreter of a script"""

from evidence import factors_printed as succeeded

SHAPE = "deny lists by the first word of a command"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
ACT = "printf '#!/usr/bin/env -S /usr/bin/factor 91\\n' > script; chmod +x script; ./script; xargs -a /dev/stdin factor << X\\n91\\nX"
