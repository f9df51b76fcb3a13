"""redefines keys and asks for settings by device control strings"""

SHAPE = "DECUDK and DECRQSS: CVE-2008-2383"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033P0;0|17/746f756368\\033\\'; printf '\\033P$qevil\\033\\'"


def succeeded(host, done):
    return "\x1bP0;0|" in done.out or "\x1bP$q" in done.out
