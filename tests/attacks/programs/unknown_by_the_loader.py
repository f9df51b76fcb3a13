"""has the loader map an unknown program, where only known ones may run"""

from evidence import factors_printed as succeeded

SHAPE = "Ona: ld-linux.so maps what may not be executed"
PROMISE = "P31"
WALLS = "noexec-writable"
RINGWALL = ["--exec", "allow"]
ACT = "cp /usr/bin/factor f; echo >> f; for l in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do $l ./f 91; done"
