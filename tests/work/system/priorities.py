"""runs programs with another priority, on one processor, with bounds of their own"""

NEEDS = {"taskset": "util-linux", "ionice": "util-linux", "chrt": "util-linux", "prlimit": "util-linux", "setarch": "util-linux"}
ACT = r"""taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') nproc; ionice -c 3 echo idle; chrt -b 0 echo batch; nice -n 3 nice
prlimit --nofile=64 sh -c 'ulimit -n'; setarch -R echo fixed; (ulimit -v 200000; /usr/bin/python3 -c 'bytearray(1 << 30)' 2>&1 | tail -1)
timeout 0.1 sleep 1000; echo $?; (ulimit -f 8; head -c 100000 /dev/zero > big) 2> /dev/null; stat -c %s big"""


def works(host, done):
    return done.out.split() == ["1", "idle", "batch", "3", "64", "fixed", "MemoryError", "124", "4096"]
