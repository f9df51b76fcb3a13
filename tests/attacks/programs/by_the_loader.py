"""has the dynamic loader load a denied program, which is then never executed"""

from evidence import factors_printed as succeeded

SHAPE = "Ona: ld-linux.so loads what a rule on exec forbids"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
ACT = "for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do $loader /usr/bin/factor 91; done"
