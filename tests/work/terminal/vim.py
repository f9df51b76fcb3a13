"""edits a file in vim on a terminal, and one by commands alone"""

NEEDS = {"vim": "vim"}
TERMINAL = True
ACT = r"""vim -u NONE -i NONE -c 'normal Goadded by vim' -c 'wq' README.md
vim -u NONE -i NONE -es -c '%s/hello/goodbye/' -c 'wq' src/main.py < /dev/null; echo status $?
"""


def works(host, done):
    return (
        "status 0" in done.out
        and host.read("README.md") == b"# A project\nadded by vim\n"
        and host.read("src/main.py") == b'print("goodbye")\n'
        and not list(host.work.glob(".*.sw?"))
    )
