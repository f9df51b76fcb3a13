"""serves over IPv4 and IPv6, by TCP and UDP, on ports that the kernel chooses"""

PYTHON = """
import socket, threading
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    server = socket.create_server((address, 0), family=family)
    line = socket.create_connection(server.getsockname()[:2])
    far, _ = server.accept()
    far.sendall(b"tcp")
    udp, other = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    other.sendto(b"udp", udp.getsockname())
    print(line.recv(9).decode(), udp.recv(9).decode())
both = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
print(bool(socket.create_connection(("127.0.0.1", both.getsockname()[1]))))
print(sorted({entry[4][0] for entry in socket.getaddrinfo("localhost", 80)})[0])
"""


def works(host, done):
    return done.status == 0 and done.out in ("tcp udp\ntcp udp\nTrue\n127.0.0.1\n",)
