"""passes a sequence through tmux to the terminal around it"""

SHAPE = "tmux's passthrough carries OSC 52 past filters that only look at the outside"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033Ptmux;\\033\\033]52;c;Y3VybA==\\a\\033\\'"


def succeeded(host, done):
    return "\x1bPtmux;" in done.out or "]52;c;" in done.out and "\x1b]52" in done.out
