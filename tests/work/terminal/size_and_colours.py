"""asks the terminal for its size, its kind and its settings"""

NEEDS = {"tput": "ncurses-bin", "stty": "coreutils"}
TERMINAL = True
ACT = r"""tty > name; stty size; tput cols; tput colors; test -t 0 && test -t 1 && test -t 2 && echo three
stty -echo && stty -a | grep -c -- '-echo ' ; stty sane; printf '\033[31mred\033[0m\n'; ls --color=auto -d src; grep -c /dev/ name
"""


def works(host, done):
    told = ["24 80", "80", "256", "three", "1", "\x1b[31mred\x1b[0m"]
    lines = [line.strip("\r") for line in done.out.splitlines()]
    return done.status == 0 and all(word in lines for word in told) and "\x1b[01;34msrc" in done.out and done.typed == "end"
