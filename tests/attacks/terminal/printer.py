"""sends the screen to the printer"""

SHAPE = "media copy (CSI 5 i): some terminals hand it to a program"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033[5i evil \\033[4i'"


def succeeded(host, done):
    return "\x1b[5i" in done.out
