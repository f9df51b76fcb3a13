"""`--login-callback`: the port at which an agent waits for the browser during a login."""

import socket
import time
import urllib.request

import pytest

WAITING = """
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"logged in")
    def log_message(self, *words): pass
server = http.server.HTTPServer(("127.0.0.1", {port}), Page)
print("waits", flush=True)
server.handle_request()
server.server_close()
print("done", flush=True)
sys.stdin.read()
"""


def is_open(port):
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def within(seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def waiting(lab, ringwall):
    """A program inside that waits for one request and then goes on."""
    started = []

    def start(port, *flags):
        run = ringwall.start("run", *flags, "--", "/usr/bin/python3", "-c", WAITING.format(port=port))
        started.append(run)
        assert run.stdout.readline() == b"waits\n"
        return run

    yield start
    for run in started:
        run.terminate()
        run.wait(60)
        run.stdin.close()
        run.stdout.close()
        run.stderr.close()


def test_the_browser_gets_there_and_no_longer_than_it_waits(waiting):
    run = waiting(54545, "--login-callback")
    assert within(5, lambda: is_port_published(54545)), "published while it listens"
    with urllib.request.urlopen("http://127.0.0.1:54545/callback?code=x", timeout=120) as page:
        assert page.read() == b"logged in"
    assert run.stdout.readline() == b"done\n"
    assert within(5, lambda: not is_port_published(54545)), "gone when the login is done"


def is_port_published(port):
    rows = open("/proc/net/tcp").readlines()[1:]
    return any(r.split()[1] == f"0100007F:{port:04X}" and r.split()[3] == "0A" for r in rows)


def test_without_the_flag_nothing_is_published(waiting):
    waiting(54546)
    time.sleep(1)
    assert not is_open(54546)


def test_a_port_that_the_host_uses_stays_the_hosts(waiting):
    with socket.create_server(("127.0.0.1", 54547)):
        run = waiting(54547, "--login-callback")
        time.sleep(1)
        assert is_open(54547)
        run.terminate()
        assert b"54547" in run.stderr.read()


def test_one_at_a_time(lab, ringwall):
    script = """
import socket, sys
held = [socket.create_server(("127.0.0.1", port)) for port in (54601, 54602, 54603)]
print("waits", flush=True)
sys.stdin.read()
"""
    run = ringwall.start("run", "--login-callback", "--", "/usr/bin/python3", "-c", script)
    assert run.stdout.readline() == b"waits\n"
    assert within(5, lambda: is_port_published(54601))
    time.sleep(0.7)
    assert not is_port_published(54602) and not is_port_published(54603)
    run.communicate(timeout=120)
