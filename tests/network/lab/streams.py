"""Servers of raw bytes: echo, server-first greetings, half-closes in both directions, resets, silence."""

import asyncio
import hashlib
import socket
import struct

from lab import names
from lab.datagrams import serve_datagrams

BURSTS = [(16 << 20) + odd for odd in (1, 1000, 70_000, 300_000)] * 5
PUSHED = hashlib.sha256(b"pushed").digest() * 8192  # 256 KB


class Streams:
    def __init__(self, journal):
        self.journal = journal

    async def echo(self, reader, writer):
        """Everything back, until the other side ends."""
        count = 0
        while data := await reader.read(65536):
            count += len(data)
            writer.write(data)
            await writer.drain()
        return {"received": count}

    async def count(self, reader, writer):
        """Reads to the end that the other side gives, and only then answers."""
        count, digest = 0, hashlib.sha256()
        while data := await reader.read(65536):
            count += len(data)
            digest.update(data)
        writer.write(f"{count} {digest.hexdigest()}\n".encode())
        await writer.drain()
        return {"received": count, "digest": digest.hexdigest()}

    async def push(self, reader, writer):
        """Speaks first, ends its own direction, and listens on."""
        writer.write(PUSHED)
        await writer.drain()
        writer.write_eof()
        count = 0
        while data := await reader.read(65536):
            count += len(data)
        return {"received": count}

    async def reset(self, reader, writer):
        """Waits for a byte, says something, and cuts the line."""
        await reader.read(1)
        writer.write(b"half a sen")
        await writer.drain()
        await asyncio.sleep(0.1)
        line = writer.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return {}

    async def silent(self, reader, _writer):
        count = 0
        while data := await reader.read(65536):
            count += len(data)
        return {"received": count}

    async def late(self, reader, _writer):
        """Reads nothing for a while; then everything, and what it was."""
        await asyncio.sleep(0.15)
        count, digest = 0, hashlib.sha256()
        while data := await reader.read(65536):
            count += len(data)
            digest.update(data)
        return {"received": count, "digest": digest.hexdigest()}

    async def bursts(self, reader, writer):
        """A fast stream that pauses at some place, until the other side has said that it is there."""
        count = 0
        for size in BURSTS:
            writer.write(bytes(size))
            await writer.drain()
            count += len(await reader.readexactly(1))
        return {"received": count}

    async def mail(self, reader, writer):
        """Enough of SMTP for a client to deliver."""
        said = []
        writer.write(f"220 {names.full('mail')} ESMTP\r\n".encode())
        in_data = False
        while line := (await reader.readline()).decode("latin-1").rstrip("\r\n"):
            said.append(line)
            if in_data:
                in_data = line != "."
                answer = "" if in_data else "250 taken\r\n"
            elif line.upper() == "DATA":
                in_data, answer = True, "354 go on\r\n"
            elif line.upper() == "QUIT":
                writer.write(b"221 bye\r\n")
                break
            else:
                answer = "250 yes\r\n"
            writer.write(answer.encode())
            await writer.drain()
        return {"said": said}

    def handler(self, work):
        async def handle(reader, writer):
            to, port = writer.get_extra_info("sockname")[:2]
            self.journal.write("stream", event="open", kind=work.__name__, to=to, port=port)
            end = {}
            try:
                end = await work(reader, writer)
            except OSError as error:
                end = {"error": type(error).__name__}
            finally:
                self.journal.write("stream", event="end", kind=work.__name__, to=to, port=port, **end)
                writer.close()

        return handle


PORTS = {
    names.ECHO: "echo",
    names.COUNT: "count",
    names.PUSH: "push",
    names.RESET: "reset",
    names.SILENT: "silent",
    names.LATE: "late",
    names.BURSTS: "bursts",
    names.MAIL_PORT: "mail",
}


def serve(listeners, datagrams, journal):
    """LISTENERS are (port, socket) pairs; runs until it is killed."""

    async def echo(data, asked, _sender):
        journal.write("datagram", data=data.decode("latin-1"), to=asked)
        return data

    async def run():
        streams = Streams(journal)
        for port, listener in listeners:
            handle = streams.handler(getattr(streams, PORTS[port]))
            await asyncio.start_server(handle, sock=listener)
        for made in datagrams:
            serve_datagrams(asyncio.get_running_loop(), made, echo)
        await asyncio.Event().wait()

    asyncio.run(run())
