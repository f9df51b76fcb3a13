"""A corporate proxy: CONNECT with a password, and plain requests in absolute form.

It resolves the names itself, as such proxies do.
"""

import asyncio
import base64
import urllib.parse

from lab import names

WANTED = base64.b64encode(f"{names.PROXY_USER}:{names.PROXY_PASSWORD}".encode()).decode()


async def carry(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


def header_of(lines, name):
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip().lower() == name:
            return value.strip()
    return ""


def handler(journal):
    async def handle(reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            method, target, _ = first.split(" ", 2)
            allowed = header_of(lines, "proxy-authorization") == f"Basic {WANTED}"
            journal.write("proxy", method=method, target=target, allowed=allowed)
            if not allowed:
                writer.write(
                    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
                    b'Proxy-Authenticate: Basic realm="corp"\r\nContent-Length: 0\r\n\r\n'
                )
                return
            if method == "CONNECT":
                host, _, port = target.rpartition(":")
                greeting = b""
            else:
                parts = urllib.parse.urlsplit(target)
                host, port = parts.hostname, parts.port or 80
                path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
                kept = [line for line in lines if not line.lower().startswith("proxy-")]
                greeting = "\r\n".join([f"{method} {path} HTTP/1.1", *kept]).encode("latin-1")
            try:
                far_reader, far_writer = await asyncio.open_connection(host.strip("[]"), int(port))
            except OSError:
                writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                return
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\nVia: 1.1 corp\r\n\r\n")
            far_writer.write(greeting)
            await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))
            far_writer.close()
        except (ValueError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    return handle


def serve(listeners, journal):
    async def run():
        for listener in listeners:
            await asyncio.start_server(handler(journal), sock=listener)
        await asyncio.Event().wait()

    asyncio.run(run())
