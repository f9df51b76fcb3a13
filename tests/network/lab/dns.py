"""A DNS server that answers from the table of names, and writes down every query it gets.

It stands on every address of the far side, as a resolver that a program asks directly would.
"""

import asyncio
import ipaddress
import struct

from lab import names
from lab.datagrams import serve_datagrams

A, CNAME, TXT, AAAA, ANY = 1, 5, 16, 28, 255
PLAIN_UDP_BYTES = 512
TTL = 60


def encode_name(name):
    labels = [label.encode("latin-1") for label in name.split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def question_of(query):
    """(name, type, end of the question) of a query; ValueError if it is none."""
    labels, at = [], 12
    while (length := query[at]) != 0:
        if length > 63:
            raise ValueError("a compressed question")
        labels.append(query[at + 1 : at + 1 + length].decode("latin-1"))
        at += 1 + length
    kind = struct.unpack_from(">H", query, at + 1)[0]
    return ".".join(labels), kind, at + 5


def largest_answer(query, end):
    """What the asker takes in one datagram: it says so in an OPT record, or it is 512."""
    if struct.unpack_from(">H", query, 10)[0] and query[end : end + 3] == b"\0\0\x29":
        return max(PLAIN_UDP_BYTES, struct.unpack_from(">H", query, end + 3)[0])
    return PLAIN_UDP_BYTES


def record(owner, kind, data):
    return owner + struct.pack(">HHIH", kind, 1, TTL, len(data)) + data


def packed(addresses):
    return [ipaddress.ip_address(address).packed for address in addresses]


class Answers:
    """Everything the server says, whichever way it was asked."""

    def __init__(self, journal):
        self.journal = journal
        self.flips = {}

    def a_of(self, name, entry):
        if not entry.flips:
            return entry.a
        turn = self.flips.get(name, 0)
        self.flips[name] = turn + 1
        return (entry.flips[turn % len(entry.flips)],)

    def records(self, name, kind, entry):
        owner = b"\xc0\x0c"  # the name in the question
        found = []
        for _ in range(8):
            if not entry.cname:
                break
            target = encode_name(entry.cname)
            found.append(record(owner, CNAME, target))
            owner, name = target, entry.cname
            entry = names.entry_of(name) or names.Entry()
        if kind in (A, ANY):
            found += [record(owner, A, data) for data in packed(self.a_of(name, entry))]
        if kind in (AAAA, ANY):
            found += [record(owner, AAAA, data) for data in packed(entry.aaaa)]
        if kind in (TXT, ANY):
            found.append(record(owner, TXT, b"\x07command"))
        return found

    def message(self, query, name, kind, end, most):
        entry = names.entry_of(name)
        code = 3 if entry is None else entry.code
        found = [] if code else self.records(name, kind, entry)
        question = query[12:end]
        lie = entry.lie if entry else ""
        number = query[:2]
        if lie == "id":
            number = bytes(byte ^ 0xFF for byte in number)
        elif lie == "question":
            question = encode_name(names.full("www")) + question[-4:]
        elif lie == "length":
            found = [piece[:10] + b"\xff\xff" + piece[12:] for piece in found]
        elif lie == "pointer":
            found = [b"\xc0\xff" + piece[2:] for piece in found]

        def whole(pieces, flags):
            head = struct.pack(">HHHHH", flags | code, 1, len(pieces), 0, 0)
            return number + head + question + b"".join(pieces)

        answer = whole(found, 0x8580)
        return answer if len(answer) <= most else whole([], 0x8780)

    async def answer(self, query, way, server, sender):
        """The bytes to send back, or None."""
        try:
            name, kind, end = question_of(query)
        except (ValueError, IndexError, struct.error):
            self.journal.write("dns", name=None, way=way, to=server, bytes=query.hex())
            return None
        self.journal.write("dns", name=name, type=kind, way=way, to=server, sender=sender)
        entry = names.entry_of(name)
        if entry and entry.silent:
            return None
        if entry and entry.delay:
            await asyncio.sleep(entry.delay)
        most = 65535 if way == "tcp" else largest_answer(query, end)
        return self.message(query, name, kind, end, most)


async def serve_tcp(answers, reader, writer):
    server, sender = writer.get_extra_info("sockname")[0], writer.get_extra_info("peername")[0]
    try:
        while True:
            length = struct.unpack(">H", await reader.readexactly(2))[0]
            query = await reader.readexactly(length)
            answer = await answers.answer(query, "tcp", server, sender)
            if answer is not None:
                writer.write(struct.pack(">H", len(answer)) + answer)
                await writer.drain()
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


def serve(datagrams, listeners, journal):
    """Runs until it is killed, on sockets that were bound before."""

    async def run():
        answers = Answers(journal)

        async def answer(query, asked, sender):
            return await answers.answer(query, "udp", asked, sender)

        for made in datagrams:
            serve_datagrams(asyncio.get_running_loop(), made, answer)
        for listener in listeners:
            await asyncio.start_server(lambda r, w: serve_tcp(answers, r, w), sock=listener)
        await asyncio.Event().wait()

    asyncio.run(run())
