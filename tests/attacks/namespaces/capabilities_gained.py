"""has every capability, if only in a namespace of its own"""

from evidence import word_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "SandboxBench capabilities; netfilter and overlayfs holes need them"
PROMISE = "P03"
WALLS = "system-calls,limits"
ACT = "unshare -Ur grep -E '^CapEff:\\s+0*[1-9a-f]' /proc/self/status && echo GOT-IT"
