"""loads a library that the caller's LD_PRELOAD names"""

from evidence import word_printed as succeeded

SHAPE = "the class of LD_PRELOAD and LD_AUDIT: code in every program that starts"
PROMISE = "P19"
WALLS = "environment"
ENVIRONMENT = {"LD_AUDIT": "@WORK@/no-such-library.so"}
ACT = "/bin/true 2>&1 | grep -q no-such-library && echo GOT-IT"
