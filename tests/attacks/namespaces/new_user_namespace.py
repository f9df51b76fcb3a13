"""becomes root in a user namespace of its own"""

from evidence import word_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "user namespaces open the kernel's unsafest parts: CVE-2022-0185, CVE-2023-32233"
PROMISE = "P05"
WALLS = "system-calls,limits"
ACT = "unshare -U sh -c 'echo GOT-IT'"
