"""asks the terminal for its answer-back text"""

SHAPE = "ENQ: the terminal types a text that a sequence may have set before"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\005'"


def succeeded(host, done):
    return "\x05" in done.out
