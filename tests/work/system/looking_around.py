"""looks at disks, memory, processes and listening ports with the usual programs"""

NEEDS = {"free": "procps", "top": "procps", "df": "coreutils", "lsof": "lsof", "ss": "iproute2", "ip": "iproute2", "file": "file"}
ACT = r"""df -P . | wc -l; free -m | grep -c ^Mem; top -b -n1 | grep -c '^top -'; nproc; uptime | grep -c load; file README.md | grep -c text
/usr/bin/python3 -c '
import socket, subprocess
server = socket.create_server(("127.0.0.1", 0))
port = str(server.getsockname()[1])
print(subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout.count(":" + port + " "))
print(subprocess.run(["lsof", "-ti", ":" + port], capture_output=True, text=True).stdout.count("\n"))
'
ip -o addr show lo | grep -c 127.0.0.1; lsof -p $$ | grep -c cwd; ls /proc/self/fd > /dev/null && echo open
"""


def works(host, done):
    import os

    told = ["2", "1", "1", str(len(os.sched_getaffinity(0))), "1", "1", "1", "1", "1", "1", "open"]
    return done.out.split() == told
