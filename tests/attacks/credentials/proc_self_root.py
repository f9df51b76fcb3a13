"""reads a key by /proc/self/root, which no list of paths names"""

from evidence import secret_printed as succeeded

SHAPE = "Ona: /proc/self/root/usr/bin/npx passed a deny list of paths"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "cat /proc/self/root@HOME@/.ssh/id_ed25519 /proc/thread-self/root@HOME@/.ssh/id_ed25519"
