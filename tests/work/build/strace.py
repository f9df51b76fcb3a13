"""traces system calls of a program and its children, counts them, and attaches to a running one"""

NEEDS = {"strace": "strace"}
ACT = """strace -f -o log -e trace=execve sh -c '(/bin/echo hi) & wait' && grep -c 'execve.*echo' log && strace -c true 2>&1 | grep -c execve
strace -qq -e inject=openat:error=ENOENT:when=1 -e trace=openat -o injected cat README.md > /dev/null 2>&1; grep -c INJECTED injected
sleep 1000 & p=$!; strace -o attached -p $p 2> told & s=$!; while ! grep -q attached told 2> /dev/null; do sleep 0.01; done; kill $p; wait $s; grep -c SIGTERM attached
"""


def works(host, done):
    lines = done.out.split()
    return lines[0] == "hi" and int(lines[1]) >= 1 and lines[2] == "1" and int(lines[3]) >= 1 and int(lines[4]) >= 1
