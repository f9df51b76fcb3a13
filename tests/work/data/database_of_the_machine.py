"""uses a database that the person has running on the machine"""

import socket
import subprocess

import work_tools

NEEDS = {"redis-cli": "redis-tools", "/usr/bin/redis-check-rdb": "redis-tools"}
OPTIONS = {"reach_host": ["@PORT@"]}
ACT = "redis-cli -h 127.0.0.1 -p @PORT@ set from inside && redis-cli -p @PORT@ get before"


def prepare(host):
    port = host.facts["PORT"] = work_tools.free_port()
    words = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    host.start(*words, executable="/usr/bin/redis-check-rdb", stdout=subprocess.DEVNULL)

    def answers():
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", port)) == 0

    assert host.wait_for(answers)
    subprocess.run(["redis-cli", "-p", str(port), "set", "before", "hand"], check=True, capture_output=True)


def works(host, done):
    seen = subprocess.run(["redis-cli", "-p", str(host.facts["PORT"]), "get", "from"], capture_output=True, text=True)
    return done.out == "OK\nhand\n" and seen.stdout == "inside\n"
