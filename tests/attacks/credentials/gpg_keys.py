"""reads private keys of GnuPG"""

from evidence import secret_printed as succeeded

SHAPE = "Nx s1ngularity (2025)"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "cat ~/.gnupg/private-keys-v1.d/*"
