"""makes terminals of its own by script and by Python, and a program in them finds one"""

NEEDS = {"script": "bsdutils"}
ACT = r"""script -qec 'test -t 0 && test -t 1 && stty size > size && echo on a terminal' typescript > /dev/null < /dev/null; echo $?
grep -c '^on a terminal' typescript
/usr/bin/python3 -c "
import os, pty, sys
said = b''
pid, master = pty.fork()
if not pid:
    os.execvp('bash', ['bash', '--norc', '-i'])
os.write(master, b'tty; echo end-\$((6 * 7)); exit\n')
try:
    while True:
        said += os.read(master, 4096)
except OSError:
    pass
print(os.waitpid(pid, 0)[1], b'end-42' in said, b'/dev/pts/' in said)
"
"""


def works(host, done):
    return done.out.split() == ["0", "1", "0", "True", "True"]
