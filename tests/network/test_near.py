"""Servers near by: loopback inside, the way in from the host, and the way to one port of the host."""

import socket
import subprocess
import time

import pytest

from lab import names

WEB = names.full("www")
SERVE = """
import http.server, socket, socketserver, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        data = b"from inside"
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def log_message(self, *_):
        pass
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    address_family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
server = Server((sys.argv[1], int(sys.argv[2])), Handler)
print("up", flush=True)
server.serve_forever()
"""


@pytest.fixture
def serving(ringwall):
    """serving(ADDRESS, PORT, *FLAGS) runs a web server inside and returns when it is up."""
    going_on = []

    def start(address, port, *flags):
        words = ["run", *flags, "--", "/usr/bin/python3", "-c", SERVE, address, str(port)]
        run = ringwall.start(*words)
        going_on.append(run)
        line = run.stdout.readline()
        assert line == b"up\n", run.communicate()
        return run

    yield start
    for run in going_on:
        run.terminate()
        run.communicate(timeout=120)


def fetch(bare, url):
    return bare("curl", "-sS", "--max-time", "5", url)


# Loopback inside


@pytest.mark.parametrize("flags", [(), ("--allow", WEB), ("--allow", f"{WEB}:*")])
@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "127.3.4.5", "localhost"])
@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
def test_loopback_inside(lab, act, address, kind, flags):
    script = f"""
        import threading
        family, _, _, _, place = socket.getaddrinfo("{address}", 0, type=socket.{kind})[0]
        server = socket.socket(family, socket.{kind})
        server.bind(place)
        def serve():
            if socket.{kind} == socket.SOCK_STREAM:
                line, _ = server.accept()
                line.sendall(line.recv(100)[::-1])
            else:
                data, sender = server.recvfrom(100)
                server.sendto(data[::-1], sender)
        if socket.{kind} == socket.SOCK_STREAM:
            server.listen()
        threading.Thread(target=serve, daemon=True).start()
        line = socket.socket(family, socket.{kind})
        line.settimeout(5)
        line.connect(server.getsockname())
        line.send(b"abc")
        report(line.recv(100).decode())
        """
    assert act.inside(script, *flags) == "cba"
    lab.nothing_left()


def test_unix_sockets_inside(lab, act):
    script = """
        server = socket.socket(socket.AF_UNIX)
        server.bind("/tmp/here")
        server.listen()
        line = socket.socket(socket.AF_UNIX)
        line.connect("/tmp/here")
        line.send(b"x")
        report(server.accept()[0].recv(1).decode())
        """
    assert act.inside(script, "--allow", WEB) == "x"


def test_a_server_inside_on_every_address(lab, act):
    """0.0.0.0 is what most dev servers take."""
    script = """
        found = []
        for family, anywhere, here in ((socket.AF_INET, "0.0.0.0", "127.0.0.1"), (socket.AF_INET6, "::", "::1")):
            server = socket.socket(family)
            server.bind((anywhere, 8000))
            server.listen()
            found.append(connect(here, 8000)["value"])
            server.close()
        report(found)
        """
    assert act.inside(script, "--allow", f"{WEB}:8000") == ["connected"] * 2


def test_a_server_inside_cannot_take_what_is_meant_for_a_granted_address(lab, act):
    """Whoever listens inside on the granted port does not get what goes to the granted name."""
    script = f"""
        server = socket.socket()
        server.bind(("0.0.0.0", 8080))
        server.listen()
        report(say("{WEB}", 8080, get("{WEB}:8080", last=True))["heard"])
        """
    assert "200 OK" in act.inside(script, "--allow", f"{WEB}:8080")


# From the host's loopback to inside


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_a_published_port(lab, bare, serving, address):
    url = "http://127.0.0.1:5173/"
    serving(address, 5173)
    assert fetch(bare, url).status != 0, "without the flag nobody reaches it"


@pytest.mark.parametrize("flag, port", [("5173", 5173), ("15173:5173", 15173)])
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_a_published_port_is_reached(lab, bare, serving, flag, port, address):
    serving(address, 5173, "--publish", flag)
    for _ in range(3):
        assert fetch(bare, f"http://127.0.0.1:{port}/").ok() == "from inside"


def test_a_published_server_on_ipv6_alone(lab, bare, serving):
    serving("::1", 5173, "--publish", "5173")
    assert fetch(bare, "http://127.0.0.1:5173/").ok() == "from inside"


def test_a_published_port_is_on_the_hosts_loopback_alone(lab, bare, serving):
    serving("0.0.0.0", 5173, "--publish", "5173")
    assert fetch(bare, "http://127.0.0.1:5173/").ok() == "from inside"
    for address in (names.HOST, names.HOST_PUBLIC, f"[{names.HOST6}]"):
        assert fetch(bare, f"http://{address}:5173/").status != 0


def test_a_published_port_before_anybody_listens(lab, bare, ringwall):
    """The line ends at once, and later it works."""
    script = f"echo up; read line; exec /usr/bin/python3 -c '{SERVE}' 127.0.0.1 5173".replace("\n", "\n")
    run = ringwall.start("run", "--publish", "5173", "--", "sh", "-c", script)
    assert run.stdout.readline() == b"up\n"
    assert fetch(bare, "http://127.0.0.1:5173/").status in (7, 52, 56)
    run.stdin.write(b"\n")
    run.stdin.flush()
    assert run.stdout.readline() == b"up\n"
    assert fetch(bare, "http://127.0.0.1:5173/").ok() == "from inside"
    run.terminate()
    run.communicate(timeout=120)
    assert fetch(bare, "http://127.0.0.1:5173/").status == 7, "the port goes with the run"


def test_a_published_port_that_is_taken(lab, ringwall):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 15173))
        taken.listen()
        ringwall.sh("echo RAN", "--publish", "15173:5173").refused("15173")


def test_bytes_through_a_published_port(lab, bare, ringwall):
    """Both ways, whole, with half-closes."""
    script = """
import hashlib, socket
server = socket.socket()
server.bind(("127.0.0.1", 6000))
server.listen()
print("up", flush=True)
line, _ = server.accept()
digest = hashlib.sha256()
while data := line.recv(65536):
    digest.update(data)
line.sendall(digest.hexdigest().encode())
line.close()
"""
    run = ringwall.start("run", "--publish", "6000", "--", "/usr/bin/python3", "-c", script)
    assert run.stdout.readline() == b"up\n"
    import hashlib

    data = bytes(range(256)) * 40000
    with socket.create_connection(("127.0.0.1", 6000), 20) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        assert line.recv(100).decode() == hashlib.sha256(data).hexdigest()
    run.communicate(timeout=120)


# From inside to one port of the host's loopback


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost"])
def test_one_port_of_the_host(lab, act, address):
    ports = [names.LOOPBACK_PORT, names.OTHER_LOOPBACK_PORT]
    script = f"report([outcome(say, '{address}', port, get('x', last=True))['value'] for port in {ports}])"
    assert all("200 OK" in str(found) for found in act.bare(script))
    lab.forget()
    assert act.inside(script) == ["ECONNREFUSED"] * 2, "without the flag there is nothing"
    assert lab.seen("web") == []
    granted, other = act.inside(script, "--reach-host", names.LOOPBACK_PORT)
    assert "200 OK" in str(granted) and other == "ECONNREFUSED"
    assert {e["port"] for e in lab.seen("web")} == {names.LOOPBACK_PORT}


def test_one_port_of_the_host_is_no_other_address(lab, act):
    """The host's loopback, and not its own or any other address at that port."""
    tries = [names.HOST, names.HOST_PUBLIC, names.PRIVATE, names.WEB]
    script = f"report([connect(to, {names.OWN_ADDRESS_PORT})['value'] for to in {tries}])"
    assert act.inside(script, "--reach-host", names.OWN_ADDRESS_PORT) == ["ECONNREFUSED"] * 4
    assert lab.seen("web") == []


def test_a_port_of_the_host_where_nobody_listens(lab, act):
    found = act.inside("report(outcome(say, '127.0.0.1', 7999, b'x'))", "--reach-host", "7999")
    assert found["seconds"] < 2 and "timeout" not in str(found["value"])


def test_both_ways_at_once(lab, act, bare, serving):
    serving("127.0.0.1", 5173, "--publish", "5173", "--reach-host", names.LOOPBACK_PORT, "--allow", WEB)
    assert fetch(bare, "http://127.0.0.1:5173/").ok() == "from inside"


def test_published_and_reached_port_of_the_same_number(lab, ringwall):
    """Inside it cannot be both the host's and its own."""
    port = names.LOOPBACK_PORT
    result = ringwall.sh("echo RAN", "--publish", f"18000:{port}", "--reach-host", port)
    result.refused(str(port))


def test_the_end_of_a_run_frees_its_port(lab, bare, serving, ringwall):
    run = serving("127.0.0.1", 5173, "--publish", "5173")
    assert fetch(bare, "http://127.0.0.1:5173/").ok() == "from inside"
    run.kill()
    run.wait(60)
    end = time.monotonic() + 20
    while fetch(bare, "http://127.0.0.1:5173/").status == 0 and time.monotonic() < end:
        time.sleep(0.02)
    assert subprocess.run(["ss", "-Hltn", "sport = :5173"], capture_output=True).stdout == b""
    assert ringwall("run", "true").ok() == "", "the next run takes away what the killed one left"
