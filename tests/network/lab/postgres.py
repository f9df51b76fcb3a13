"""As much of a PostgreSQL server as a client needs to log in and be answered, with TLS and without.

A real one comes with a service, which tests shall not start on the host. The client speaks first: in the
clear it asks for TLS, and goes on as the server says.
"""

import socketserver
import ssl
import struct
import threading

SSL_REQUEST, GSS_REQUEST = 80877103, 80877104
READY = b"Z" + struct.pack(">I", 5) + b"I"


def message(kind, body):
    return kind + struct.pack(">I", len(body) + 4) + body


def answer(rows):
    """One column of text."""
    column = b"answer\0" + struct.pack(">IHIhih", 0, 0, 25, -1, -1, 0)
    found = [message(b"D", struct.pack(">HI", 1, len(row)) + row) for row in rows]
    head = message(b"T", struct.pack(">H", 1) + column)
    return head + b"".join(found) + message(b"C", b"SELECT %d\0" % len(rows)) + READY


class Handler(socketserver.StreamRequestHandler):
    journal = context = None  # set by serve()

    def start(self):
        """What the client says of itself, once it has what it wants of TLS."""
        while True:
            length, code = struct.unpack(">II", self.rfile.read(8))
            if code == SSL_REQUEST:
                self.connection.sendall(b"S")
                self.connection = self.context.wrap_socket(self.connection, server_side=True)
                self.rfile = self.connection.makefile("rb")
            elif code == GSS_REQUEST:
                self.connection.sendall(b"N")
            else:
                words = self.rfile.read(length - 8).rstrip(b"\0").decode().split("\0")
                return dict(zip(words[::2], words[1::2]))

    def handle(self):
        try:
            facts = self.start()
            tls = isinstance(self.connection, ssl.SSLSocket)
            self.journal.write("postgres", event="login", user=facts.get("user"), tls=tls)
            version = message(b"S", b"server_version\0" b"15.0\0") + message(b"S", b"client_encoding\0UTF8\0")
            self.connection.sendall(message(b"R", struct.pack(">I", 0)) + version + READY)
            while (kind := self.rfile.read(1)) == b"Q":
                query = self.rfile.read(struct.unpack(">I", self.rfile.read(4))[0] - 4).rstrip(b"\0")
                self.journal.write("postgres", event="query", query=query.decode())
                self.connection.sendall(answer([query.upper()]))
            self.journal.write("postgres", event="end", kind=kind.decode("latin-1"))
        except (OSError, struct.error):
            pass  # a client that goes away
        finally:
            self.connection.close()


class Server(socketserver.ThreadingMixIn, socketserver.BaseServer):
    daemon_threads = True

    def __init__(self, listener, handler):
        super().__init__(None, handler)
        self.socket = listener

    def fileno(self):
        return self.socket.fileno()

    def get_request(self):
        return self.socket.accept()

    def close_request(self, request):
        request.close()


def serve(listeners, journal, certificate, key):
    """Runs until it is killed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = type("PostgresHandler", (Handler,), {"journal": journal, "context": context})
    threads = [threading.Thread(target=Server(made, handler).serve_forever) for made in listeners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
