"""gives the terminal orders of its own kind: kitty's remote control, iTerm's files"""

SHAPE = "CVE-2022-41322 (kitty), CVE-2019-9535 (iTerm2)"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\033P@kitty-cmd{\"cmd\":\"launch\"}\\033\\'; printf '\\033]1337;File=name=eA==;inline=0:eA==\\a'"


def succeeded(host, done):
    return "\x1bP@kitty" in done.out or "\x1b]1337;" in done.out
