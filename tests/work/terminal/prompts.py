"""answers the questions of a program by pexpect, a password among them"""

NEEDS = {"/usr/lib/python3/dist-packages/pexpect": "python3-pexpect"}
PYTHON = """
import pexpect
child = pexpect.spawn("bash", ["--norc", "-c", 'read -p "name? " n; read -s -p "password? " p; echo; echo hello $n ${#p}'], timeout=60)
child.expect("name[?] ")
child.sendline("ann")
child.expect("password[?] ")
child.sendline("1234567")
child.expect("hello (.*)\\r\\n")
print(child.match[1].decode())
child.expect(pexpect.EOF)
shell = pexpect.spawn("/usr/bin/python3", ["-q"], timeout=60)
shell.expect(">>> ")
shell.sendline("6 * 7")
shell.expect("42")
shell.sendeof()
shell.expect(pexpect.EOF)
print("python answered")
"""


def works(host, done):
    return done.status == 0 and done.out == "ann 7\npython answered\n"
