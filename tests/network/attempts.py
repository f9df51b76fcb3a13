"""Bytes on a line: what a client says, made by hand, and what it hears.

Tests use it, and so do the programs that they start, bare and inside: it is copied beside them.
"""

import errno
import json
import socket
import ssl
import struct
import time

SERVER_NAME, ENCRYPTED_HELLO, UNKNOWN = 0, 0xFE0D, 0x6969


def report(value):
    print(json.dumps(value))


# Names


def query(name, kind=1, number=0x1234):
    """A DNS query as a program's resolver sends it."""
    labels = b"".join(bytes([len(label)]) + label.encode("latin-1") for label in name.split("."))
    return struct.pack(">HHHHHH", number, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", kind, 1)


def ask(name, kind=1, server="127.0.0.1", by_tcp=False, seconds=10):
    """The code of the resolver's answer, and the addresses in it."""
    asked = query(name, kind)
    if by_tcp:
        with socket.create_connection((server, 53), seconds) as line:
            line.sendall(struct.pack(">H", len(asked)) + asked)
            answer = line.makefile("rb").read(struct.unpack(">H", line.recv(2))[0])
    else:
        family = socket.AF_INET6 if ":" in server else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as line:
            line.settimeout(seconds)
            line.sendto(asked, (server, 53))
            answer = line.recv(4096)
    assert answer[:2] == asked[:2]
    count = struct.unpack_from(">H", answer, 6)[0]
    tail = answer[len(asked) :]
    found = [socket.inet_ntoa(tail[n * 16 + 12 : n * 16 + 16]) for n in range(count)] if kind == 1 else []
    return {"code": answer[3] & 15, "count": count, "addresses": found}


def resolve(name, port=443):
    """The addresses that a program gets for a name, or why it gets none."""
    try:
        found = socket.getaddrinfo(name, port, proto=socket.IPPROTO_TCP)
        return sorted({entry[4][0] for entry in found})
    except socket.gaierror as error:
        return {socket.EAI_NONAME: "no such name", socket.EAI_AGAIN: "try again"}.get(error.errno, str(error))


# Lines


def outcome(work, *arguments, **options):
    """What came of it, or the name of the error, and the time it took."""
    begin = time.monotonic()
    try:
        value = work(*arguments, **options)
    except socket.gaierror as error:
        value = "no such name" if error.errno == socket.EAI_NONAME else str(error)
    except UnicodeError:
        value = "no such name"  # Python's own word on it
    except TimeoutError:
        value = "timeout"
    except OSError as error:
        value = errno.errorcode.get(error.errno, str(error))
    return {"value": value, "seconds": time.monotonic() - begin}


def connect(host, port, seconds=10):
    """Only that: "connected", or what went wrong and when."""

    def attempt():
        socket.create_connection((host, port), seconds).close()
        return "connected"

    return outcome(attempt)


def hear(line):
    """All until the end; (what came, how it ended)."""
    heard = bytearray()
    try:
        while more := line.recv(65536):
            heard += more
        ending = "end"
    except TimeoutError:
        ending = "timeout"
    except OSError as error:
        ending = errno.errorcode[error.errno]
    return bytes(heard), ending


def talk(host, port, data, end=True, seconds=10):
    """Connects, sends, ends its own direction if wanted, and returns all that comes until the end."""
    with socket.create_connection((host, port), seconds) as line:
        line.sendall(data)
        if end:
            line.shutdown(socket.SHUT_WR)
        heard, ending = hear(line)
        if ending == "ECONNRESET":
            raise ConnectionResetError(errno.ECONNRESET, "reset")
        return heard


def say(host, port, *pieces, pause=0.005, seconds=10, end=False):
    """Sends pieces one after another; what was heard, as text, and how it ended."""
    with socket.create_connection((host, port), seconds) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for piece in pieces:
                line.sendall(piece)
                time.sleep(pause if len(pieces) > 1 else 0)
            if end:
                line.shutdown(socket.SHUT_WR)
            told = None
        except OSError as error:
            told = error.errno  # what was heard says why, but the kernel tells of a reset only once
        heard, ending = hear(line)
        if told == errno.ECONNRESET and ending == "end":
            ending = "ECONNRESET"
        return {"heard": heard.decode("latin-1"), "ending": ending}


# HTTP


def get(name, path="/", last=False, **headers):
    """The bytes of a request."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {name}"]
    lines += [f"{key}: {value}" for key, value in headers.items()]
    lines += ["Connection: close"] if last else []
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


# TLS


def hello(name=None):
    """A real ClientHello."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    from_server, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    line = context.wrap_bio(from_server, to_server, server_hostname=name)
    try:
        line.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return to_server.read()


def start_of_extensions(record):
    at = 5 + 4 + 2 + 32  # of the record, the message, the version and the random number
    at += 1 + record[at]
    at += 2 + struct.unpack_from(">H", record, at)[0]
    return at + 1 + record[at]


def extensions(record):
    """(type, data) of each extension of a hello."""
    at = start_of_extensions(record) + 2
    found = []
    while at < len(record):
        kind, length = struct.unpack_from(">HH", record, at)
        found.append((kind, record[at + 4 : at + 4 + length]))
        at += 4 + length
    return found


def with_extensions(record, wanted):
    """The same hello with these extensions instead."""
    packed = b"".join(struct.pack(">HH", kind, len(data)) + data for kind, data in wanted)
    at = start_of_extensions(record)
    body = record[9:at] + struct.pack(">H", len(packed)) + packed
    return in_records(b"\1" + struct.pack(">I", len(body))[1:] + body)


def in_records(message, most=16384):
    """A handshake message in TLS records of at most so many bytes."""
    pieces = [message[at : at + most] for at in range(0, len(message), most)]
    return b"".join(b"\x16\3\1" + struct.pack(">H", len(piece)) + piece for piece in pieces)


def server_names(*listed):
    entries = b"".join(b"\0" + struct.pack(">H", len(name)) + name.encode("latin-1") for name in listed)
    return (SERVER_NAME, struct.pack(">H", len(entries)) + entries)


def encrypted_hello():
    """The extension of an encrypted hello: nobody but the server can say what is in it."""
    return (ENCRYPTED_HELLO, b"\0\0\1\0\1\7" + b"\0\x20" + bytes(32) + b"\0\x40" + bytes(64))


def hello_with(*added, name=None, without=()):
    """A hello for a name, with more extensions, or without some."""
    made = hello(name)
    kept = [entry for entry in extensions(made) if entry[0] not in without]
    return with_extensions(made, [*kept, *added])


def starts_tls(heard):
    """How a server's answer begins: "server hello", "alert NUMBER" or nothing."""
    data = heard["heard"].encode("latin-1")
    if data[:1] == b"\x16":
        return "server hello"
    return f"alert {data[6]}" if data[:1] == b"\x15" and len(data) > 6 else heard["ending"]
