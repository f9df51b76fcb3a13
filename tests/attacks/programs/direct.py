"""starts a program that the policy denies"""

from evidence import factors_printed as succeeded

SHAPE = "deny lists of commands: CVE-2025-66032 and twenty others passed them by other words"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
ACT = "factor 91; /usr/bin/factor 91; /bin/factor 91; env factor 91"
