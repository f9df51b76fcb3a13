"""Waits until the lab's journal holds all that has left the host until now."""

import itertools
import os
import socket

from lab import names

PATIENCE_SECONDS = 60
_numbers = itertools.count(1)


def settle(reader):
    """Returns when all that left until now stands in the journal: what is in order behind it does."""
    mark = f"settle-{os.getpid()}-{next(_numbers)}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(mark.encode(), (names.STREAMS, names.UDP_ECHO))
        reader.wait_for("tap", data=mark)
        reader.wait_for("datagram", data=mark)
        labels = [f"{len(x):c}{x}" for x in (mark, *names.ZONE.split("."))]
        query = bytes(5) + b"\1" + bytes(6) + "".join(labels).encode() + b"\0\0\1\0\1"
        sender.sendto(query, (names.RESOLVER, 53))
        reader.wait_for("dns", name=f"{mark}.{names.ZONE}")
        # Both answer: what comes after the end of a socket is refused by ICMP, which would leave.
        sender.settimeout(PATIENCE_SECONDS)
        for _ in range(2):
            sender.recv(4096)
