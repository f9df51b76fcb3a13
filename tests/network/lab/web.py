"""The web servers of the lab: pages of several tenants, git, an npm registry, over HTTP and TLS.

Every name is answered on every address, as by the edge of a big provider: the name in the request, and
not the address, decides whose page it is. That is what makes a wrong name an attack worth trying.
"""

import base64
import hashlib
import http.server
import io
import json
import os
import socketserver
import ssl
import subprocess
import tarfile
import threading
import urllib.parse

BLOCK = hashlib.sha256(b"block").digest() * 2048  # 64 KB
PACKAGE = "small-thing"


def package_tarball():
    """What `npm pack` would make of a small package."""
    files = {
        "package.json": json.dumps({"name": PACKAGE, "version": "1.0.0", "main": "main.js"}),
        "main.js": "console.log('small thing runs')\n",
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return packed.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    site = None  # set by serve()

    def setup(self):
        super().setup()
        to, port = self.request.getsockname()[:2]
        self.facts = {"to": to, "port": port, "sni": getattr(self.request, "asked_name", None)}

    def log_message(self, *_):
        pass

    def send_error(self, code, *rest):
        line = getattr(self, "raw_requestline", b"").decode("latin-1")
        self.site.journal.write("web", event="bad", code=code, line=line, **self.facts)
        super().send_error(code, *rest)

    def body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, data, kind="application/json", code=200, **headers):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def note(self, body):
        self.site.journal.write(
            "web",
            event="request",
            method=self.command,
            path=self.path,
            hosts=self.headers.get_all("Host") or [],
            received=len(body),
            version=self.request_version,
            **self.facts,
        )

    def answer(self):
        if self.path.startswith("/cut/"):
            return self.cut(urllib.parse.unquote(self.path.removeprefix("/cut/")))
        wanted = self.headers.get("Upgrade", "").lower()
        if wanted in ("h2c", "websocket") and self.path != "/no-upgrade":
            return self.upgrade(wanted)
        body = self.body()
        self.note(body)
        path = urllib.parse.urlsplit(self.path).path
        if path.startswith("/git/"):
            return self.git(path.removeprefix("/git"), body)
        if path.startswith("/bytes/"):
            return self.stream(int(path.rsplit("/", 1)[1]))
        if path.lstrip("/").startswith(PACKAGE):
            return self.registry(path)
        seen = {"host": self.headers.get("Host"), "path": self.path, "received": len(body)}
        seen["digest"] = hashlib.sha256(body).hexdigest()
        return self.reply(json.dumps({**self.facts, **seen}).encode() + b"\n")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = answer

    def upgrade(self, wanted):
        """Another protocol from here on: whatever comes is written down and sent back."""
        self.note(b"")
        self.send_response_only(101)
        self.send_header("Connection", "Upgrade")
        self.send_header("Upgrade", wanted)
        self.end_headers()
        self.connection.settimeout(5)
        heard = b""
        try:
            while data := self.rfile.read1(65536):
                heard += data
                self.wfile.write(data)
        except OSError:
            pass
        self.site.journal.write("web", event="upgraded", data=heard.decode("latin-1"), **self.facts)
        self.close_connection = True

    def cut(self, words):
        """Says these, and ends the line."""
        self.wfile.write(words.encode())
        self.close_connection = True

    def stream(self, count):
        self.send_response(200)
        self.send_header("Content-Length", str(count))
        self.end_headers()
        while count > 0:
            count -= self.wfile.write(BLOCK[: min(count, len(BLOCK))])

    def registry(self, path):
        data = self.site.tarball
        if path.endswith(".tgz"):
            return self.reply(data, "application/octet-stream")
        scheme = "https" if self.facts["sni"] else "http"
        dist = {
            "tarball": f"{scheme}://{self.headers['Host']}/{PACKAGE}/-/{PACKAGE}-1.0.0.tgz",
            "integrity": "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode(),
            "shasum": hashlib.sha1(data).hexdigest(),
        }
        version = {"name": PACKAGE, "version": "1.0.0", "main": "main.js", "dist": dist}
        page = {"name": PACKAGE, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
        # An old release: package managers may be told to wait with new ones.
        page["time"] = {"1.0.0": "2020-01-01T00:00:00.000Z"}
        return self.reply(json.dumps(page).encode())

    def git(self, path, body):
        env = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": self.site.repositories,
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "REQUEST_METHOD": self.command,
            "QUERY_STRING": urllib.parse.urlsplit(self.path).query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "HTTP_GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "anybody",
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=env, stdout=subprocess.PIPE, check=False
        )
        head, _, data = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        code = int(headers.pop("Status", "200").split()[0])
        kind = headers.pop("Content-Type", "text/plain")
        return self.reply(data, kind, code, **headers)


class Server(socketserver.ThreadingMixIn, socketserver.BaseServer):
    """One listening socket; TLS is spoken in the connection's own thread, so nobody waits for it."""

    daemon_threads = True

    def __init__(self, listener, handler, journal, context=None):
        super().__init__(listener.getsockname(), handler)
        self.socket, self.journal, self.context = listener, journal, context

    def fileno(self):
        return self.socket.fileno()

    def get_request(self):
        connection, sender = self.socket.accept()
        to, port = connection.getsockname()[:2]
        self.journal.write("web", event="open", to=to, port=port)
        return connection, sender

    def finish_request(self, request, client_address):
        if self.context:
            request = self.context.wrap_socket(request, server_side=True)
        self.RequestHandlerClass(request, client_address, self)

    def handle_error(self, *_):
        pass  # a client that goes away, or whose TLS is none: the journal has what came before

    def shutdown_request(self, request):
        request.close()


class Site:
    def __init__(self, journal, repositories):
        self.journal = journal
        self.repositories = str(repositories)
        self.tarball = package_tarball()


def tls_context(journal, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def named(line, name, _context):
        line.asked_name = name
        to, port = line.getsockname()[:2]
        journal.write("tls", sni=name, to=to, port=port)

    context.sni_callback = named
    return context


def serve(listeners, tls_listeners, journal, repositories=None, certificate=None, key=None):
    """Runs until it is killed, on sockets that listen already."""
    handler = type("SiteHandler", (Handler,), {"site": Site(journal, repositories)})
    context = tls_context(journal, certificate, key) if tls_listeners else None
    servers = [Server(listener, handler, journal) for listener in listeners]
    servers += [Server(listener, handler, journal, context) for listener in tls_listeners]
    threads = [threading.Thread(target=server.serve_forever) for server in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
