"""fills its home"""

from evidence import word_printed as succeeded

SHAPE = "filling disks: logs and databases of the host stop"
PROMISE = "P33"
WALLS = "limits"
RINGWALL = ["--tmp-size", "16M"]
ACT = "head -c 40000000 /dev/zero > ~/filled && echo GOT-IT; rm -f ~/filled"
