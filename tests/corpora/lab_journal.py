"""The lab of tests/network around us, if there is one: what its servers and the tap on its cable wrote down."""

import itertools
import json
import os
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "network"))

from lab import names  # noqa: E402
from lab.journal import Reader  # noqa: E402

VARIABLE = "RINGWALL_LAB"
_numbers = itertools.count(1)


class Lab:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.certificate = self.folder / "ca.pem"
        self.reader = Reader(self.folder / "journal")

    def settle(self):
        """Returns when all that left until now stands in the journal: what is in order behind it does."""
        mark = f"settle-{os.getpid()}-{next(_numbers)}"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(mark.encode(), (names.STREAMS, names.UDP_ECHO))
            self.reader.wait_for("tap", data=mark)
            self.reader.wait_for("datagram", data=mark)
            labels = [f"{len(x):c}{x}" for x in (mark, *names.ZONE.split("."))]
            query = bytes(5) + b"\1" + bytes(6) + "".join(labels).encode() + b"\0\0\1\0\1"
            sender.sendto(query, (names.RESOLVER, 53))
            self.reader.wait_for("dns", name=f"{mark}.{names.ZONE}")
            sender.settimeout(60)
            for _ in range(2):  # both answer
                sender.recv(4096)

    def entries(self):
        self.settle()
        return self.reader.entries()

    def arrived(self, text):
        """Whether TEXT stands in anything that left the host or came to one of its servers."""
        return any(text.lower() in json.dumps(entry).lower() for entry in self.entries())


def here():
    """The lab that this process runs in, or None."""
    folder = os.environ.get(VARIABLE)
    return Lab(folder) if folder else None
