"""sets the title and has the terminal type it as an answer"""

SHAPE = "title reports (CSI 21 t): CVE-2003-0063 and its many returns"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033]2;touch taken\\a\\033[21t'"


def succeeded(host, done):
    return "\x1b[21t" in done.out
