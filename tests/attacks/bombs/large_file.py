"""writes a file larger than it may"""

from evidence import word_printed as succeeded

SHAPE = "filling disks"
PROMISE = "P33"
WALLS = "limits"
RINGWALL = ["--file-size", "1M"]
ACT = "head -c 4000000 /dev/zero > filled && echo GOT-IT; rm -f filled"
