"""shows a log by a pager, as git does on a terminal"""

NEEDS = {"git": "git", "less": "less"}
TERMINAL = True
ACT = "LESS=FRX git log -p --color=always; seq 5 | less -FX; git --no-pager diff --stat; echo status $?"


def works(host, done):
    return "first" in done.out and "\x1b[33mcommit" in done.out and "5\r\n" in done.out and "status 0" in done.out
