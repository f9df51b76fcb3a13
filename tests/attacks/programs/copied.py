"""copies a denied program and starts the copy under another name"""

from evidence import factors_printed as succeeded

SHAPE = "deny lists by name: Ona"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
ACT = "cp /usr/bin/factor harmless; ./harmless 91; ln -s /usr/bin/factor other; ./other 91"
