"""What several cases of tests/work need: packages, and servers on the person's own loopback that hand them out."""

import base64
import hashlib
import http.server
import io
import json
import os
import pwd
import shutil
import socket
import tarfile
import threading
import zipfile
from pathlib import Path


class _Quiet(http.server.BaseHTTPRequestHandler):
    """Answers from `pages`, a table of paths."""

    protocol_version = "HTTP/1.1"
    pages = {}

    def do_GET(self):
        kind, data = self.pages.get(self.path.partition("?")[0], ("text/plain", None))
        self.send_response(404 if data is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, *_):
        pass


def serve(host, pages_of):
    """A web server of the host; PAGES_OF(port) is its table {path: (kind, bytes)}. The port is @PORT@."""
    handler = type("Handler", (_Quiet,), {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    handler.pages = pages_of(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host.closing.append(lambda: (server.shutdown(), server.server_close()))
    host.facts["PORT"] = server.server_port
    return server.server_port


def wheel(name, version, text, requires=()):
    """{file name: bytes} of a Python package with one module."""
    packed = io.BytesIO()
    facts = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(f"Requires-Dist: {r}\n" for r in requires)
    files = {
        f"{name}.py": text,
        f"{facts}/METADATA": metadata,
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{facts}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{facts}/RECORD"))
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return {f"{name}-{version}-py3-none-any.whl": packed.getvalue()}


def python_index(host, wheels):
    """An index as pip reads it, at http://127.0.0.1:@PORT@/simple/."""

    def pages(_port):
        table = {}
        for file, data in wheels.items():
            project = file.partition("-")[0]
            page = f'<!DOCTYPE html><html><body><a href="/files/{file}">{file}</a></body></html>'
            table[f"/simple/{project}/"] = ("text/html", page.encode())
            table[f"/files/{file}"] = ("application/octet-stream", data)
        return table

    return serve(host, pages)


def tarball(files):
    """The bytes of what `npm pack` makes of FILES."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(text.encode()), 0o755 if text.startswith("#!") else 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    return packed.getvalue()


def integrity(data):
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def npm_registry(host, packages):
    """A registry as npm, yarn and pnpm read it, at http://127.0.0.1:@PORT@/: {name: {version: {file: text}}}."""

    def pages(port):
        table = {}
        for name, versions in packages.items():
            told = {}
            for version, files in versions.items():
                data = tarball(files)
                path = f"/{name}/-/{name}-{version}.tgz"
                table[path] = ("application/octet-stream", data)
                dist = {"tarball": f"http://127.0.0.1:{port}{path}", "integrity": integrity(data)}
                told[version] = json.loads(files["package.json"]) | {"dist": dist | {"shasum": hashlib.sha1(data).hexdigest()}}
            # Old releases: package managers may be told to wait with new ones.
            page = {"name": name, "dist-tags": {"latest": max(told)}, "versions": told}
            page["time"] = {version: "2020-01-01T00:00:00.000Z" for version in told}
            table[f"/{name}"] = ("application/json", json.dumps(page).encode())
        return table

    return serve(host, pages)


def node_package(name, version, text, requires=None, program=False):
    """The files of a package for Node with one module, which is also its program if that is wanted."""
    facts = {"name": name, "version": version, "main": "main.js", "dependencies": requires or {}}
    if program:
        facts["bin"] = {name: "main.js"}
    return {"package.json": json.dumps(facts), "main.js": ("#!/usr/bin/env node\n" if program else "") + text}


def tools():
    """Where tools/fetch_work_tools.sh has put what Debian does not have."""
    return Path(os.environ.get("RINGWALL_WORK_TOOLS") or Path(__file__).resolve().parents[2] / "build/work-tools")


def lacks(package):
    """Why a case that needs a package of the npm registry cannot be run, or None."""
    found = tools() / "node_modules" / package / "package.json"
    try:
        there = found.exists()
    except PermissionError:
        there = False
    return None if there else f"{package} is missing (tools/fetch_work_tools.sh)"


def free_port():
    """A port of loopback that nobody uses just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def lab_key(host):
    """In the workspace: the key that the lab's ssh server knows, and whom it is; @LOGIN@ and @MARK@, which is nobody else's."""
    for name in ("client_key", "client_key.pub"):
        shutil.copy(host.lab.folder / name, host.work / name.replace("client_key", "id_lab"))
    (host.work / "id_lab").chmod(0o600)
    shutil.copy(host.lab.folder / "known_hosts", host.work)
    host.facts["LOGIN"] = pwd.getpwuid(os.getuid()).pw_name
    host.facts["MARK"] = host.secret[-8:]
    host.facts["REPOSITORIES"] = host.lab.folder / "repositories"
