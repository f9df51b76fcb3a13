"""publishes two ports, and the person reaches both"""

import socket

import work_tools

OPTIONS = {"publish": ["@FIRST@", "@SECOND@"]}
PYTHON = """
import socket
servers = [socket.create_server(("127.0.0.1", port)) for port in (@FIRST@, @SECOND@)]
for number, server in enumerate(servers):
    server.settimeout(120)
    line, _ = server.accept()
    line.sendall(b"server %d heard " % number + line.recv(99))
    line.close()
print("both")
"""


def prepare(host):
    host.facts["FIRST"], host.facts["SECOND"] = work_tools.free_port(), work_tools.free_port()
    host.seen = []


def _ask(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 60) as line:
            line.sendall(b"hello")
            return line.recv(99)
    except OSError:
        return b""


def meanwhile(host, process):
    for name in ("FIRST", "SECOND"):
        host.seen.append(host.wait_for(lambda: _ask(host.facts[name])))


def works(host, done):
    return done.out == "both\n" and host.wait_for(lambda: host.seen == [b"server 0 heard hello", b"server 1 heard hello"], 5)
