"""starts a denied program by /proc/self/root"""

from evidence import factors_printed as succeeded

SHAPE = "Ona: /proc/self/root/usr/bin/npx"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
ACT = "/proc/self/root/usr/bin/factor 91; /usr/bin/../bin/factor 91; cd /usr/bin && ./factor 91"
