"""reads a page of the manual"""

# A page of its own, for small systems come without any.
NEEDS = {"man": "man-db", "groff": "groff-base"}
ACT = r"""mkdir -p man/man1 && printf '.TH MINE 1\n.SH NAME\nmine \\- a page\n.SH DESCRIPTION\nSomething \\fBbold\\fP.\n' > man/man1/mine.1
man -P cat man/man1/mine.1 > page; echo $?; grep -c 'mine - a page' page; MANPATH=$PWD/man man -P cat 1 mine | grep -c Something; man -w man/man1/mine.1 | wc -l"""


def works(host, done):
    return done.out.split() == ["0", "1", "1", "1"]
