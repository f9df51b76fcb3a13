"""uses the usual devices: null, zero, full, random, standard streams by name"""

ACT = r"""echo gone > /dev/null; head -c 4 /dev/zero | od -An -tx1 | tr -d ' '; echo x 2> /dev/null > /dev/full || echo full
test $(head -c 16 /dev/urandom | wc -c) = 16 && head -c 1 /dev/random | wc -c
echo by name | cat /dev/stdin; (echo err > /dev/stderr) 2>&1 | cat; (echo out > /dev/stdout) | cat; test -d /dev/shm && test -w /dev/shm && echo shm
echo fd | cat /dev/fd/0 && test -c /dev/tty && test -c /dev/ptmx && test -d /dev/pts && echo terminals
cat /proc/sys/kernel/random/uuid | wc -c; getconf _NPROCESSORS_ONLN | grep -c .
"""


def works(host, done):
    told = "00000000 full 1 by name err out shm fd terminals 37 1"
    return done.status == 0 and " ".join(done.out.split()) == told
