"""Sockets that appear in the workspace while a run goes on: the host's are masked, the run's own are not."""

import os
import socket
import threading
import time

import pytest

# Says when it is there, and what it meets when told to go on: another line after each.
CONNECT = """
import os, socket, sys
def try_at(path, kind):
    s = socket.socket(socket.AF_UNIX, kind)
    try: s.connect(path)
    except OSError as error: return type(error).__name__
    s.send(b"order"); return "CONNECTED"
print("ready", flush=True)
for line in sys.stdin:
    path, kind = line.split()
    print(try_at(path, getattr(socket, kind)), flush=True)
"""
# Who looks all the time gets hold of it in the moment before it is masked, or never.
GREEDY = """
import os, socket, time
print("ready", flush=True)
end = time.monotonic() + 20
while time.monotonic() < end:
    s = socket.socket(socket.AF_UNIX)
    try: s.connect("late.sock")
    except OSError: continue
    s.send(b"order")
    try: print("ANSWER", s.recv(9), flush=True)
    except OSError: pass
    time.sleep(20)
"""


class Service:
    """A program of the host's at a socket; keeps what it is told."""

    def __init__(self, path, kind=socket.SOCK_STREAM):
        self.told = []
        self.socket = socket.socket(socket.AF_UNIX, kind)
        here = os.open(os.path.dirname(path), os.O_PATH)  # a socket's path may not be long
        try:
            self.socket.bind(f"/proc/self/fd/{here}/{os.path.basename(path)}")
        finally:
            os.close(here)
        if kind != socket.SOCK_DGRAM:
            self.socket.listen()
            threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
                self.told.append(client.recv(9))
            except OSError:
                return


@pytest.fixture
def run(place):
    """Starts a run, or a program, that waits for lines."""
    started = []

    def start(runner, script, *options):
        process = runner.start("run", *options, "--", "/usr/bin/python3", "-c", script)
        started.append(process)
        assert process.stdout.readline() == b"ready\n", process.stderr.read()
        return process

    yield start
    for process in started:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()
        process.stderr.close()


def ask(process, path, kind="SOCK_STREAM"):
    process.stdin.write(f"{path} {kind}\n".encode())
    process.stdin.flush()
    return process.stdout.readline().decode().strip()


def ask_until_masked(process, path, kind="SOCK_STREAM", seconds=5):
    """What the last try met; none of the first is held against it."""
    end = time.monotonic() + seconds
    while (met := ask(process, path, kind)) == "CONNECTED" and time.monotonic() < end:
        time.sleep(0.05)
    return met


KINDS = ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_SEQPACKET"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("git", [True, False])
def test_a_socket_that_the_host_makes_later_is_masked(ringwall, place, run, bare, kind, git):
    """In a workspace with something to protect, where there is a hand, and in one without."""
    if git:
        bare("git", "init", "-q").ok()
    (place.work / "sub").mkdir()
    process = run(ringwall, CONNECT)
    service = Service(str(place.work / "sub/late.sock"), getattr(socket, kind))
    time.sleep(0.3)
    assert ask(process, "sub/late.sock", kind) in ("ConnectionRefusedError", "PermissionError")
    assert not service.told
    process.stdin.close()
    assert process.wait(60) == 0
    assert b"a socket that a program outside has made is masked" in process.stderr.read()


LOOK = """
import os, stat, time
print("ready", flush=True)
while not os.path.lexists("late.sock"): time.sleep(0.001)
seen = time.monotonic()
while stat.S_ISSOCK(os.lstat("late.sock").st_mode) and time.monotonic() - seen < 5: time.sleep(0.001)
print(time.monotonic() - seen, flush=True)
"""


@pytest.mark.alone
def test_it_is_masked_within_100_ms(ringwall, place, run):
    """As P13 promises on an ordinary machine: the best of three, since others may hold this one up."""
    seconds = []
    for _ in range(3):
        process = run(ringwall, LOOK)
        service = Service(str(place.work / "late.sock"))
        seconds.append(float(process.stdout.readline()))
        process.wait(60)
        service.socket.close()
        (place.work / "late.sock").unlink()
    assert min(seconds) < 0.1, seconds


def test_without_the_watch_or_the_masks_it_is_reached(mutant, place, run):
    for walls in ("plant-watch", "socket-masks"):
        process = run(mutant(walls), CONNECT)
        service = Service(str(place.work / f"{walls}.sock"))
        time.sleep(0.3)
        assert ask(process, f"{walls}.sock") == "CONNECTED", walls


def test_it_is_masked_wherever_it_comes_from(ringwall, place, run):
    """Moved into the tree alone or in a folder, made in a folder that was made a moment before, bound anew at a
    name that was masked, and there since before the start but moved."""
    (place.home / "else").mkdir()
    first = Service(str(place.home / "else/moved.sock"))
    old = Service(str(place.work / "old.sock"))
    process = run(ringwall, CONNECT)
    os.rename(place.home / "else/moved.sock", place.work / "moved.sock")
    os.rename(place.work / "old.sock", place.work / "other.sock")
    (place.work / "a/b").mkdir(parents=True)
    deep = Service(str(place.work / "a/b/deep.sock"))
    folder = Service(str(place.home / "else/in_folder.sock"))
    os.rename(place.home / "else", place.work / "folder")
    again = Service(str(place.work / "again.sock"))
    time.sleep(0.3)
    os.unlink(place.work / "again.sock")
    anew = Service(str(place.work / "again.sock"))
    time.sleep(0.3)
    for path in ("moved.sock", "other.sock", "a/b/deep.sock", "folder/in_folder.sock", "again.sock"):
        assert ask(process, path) in ("ConnectionRefusedError", "PermissionError"), path
    assert not any(one.told for one in (first, old, deep, folder, again, anew))


def test_a_second_name_made_inside_does_not_help(ringwall, place, run):
    """Whoever links or moves it in the moment before it is masked finds that masked too."""
    script = """
import os, socket, time
print("ready", flush=True)
names = []
end = time.monotonic() + 3
while time.monotonic() < end and len(names) < 40:
    try: os.link("late.sock", f"second{len(names)}"); names.append(f"second{len(names)}")
    except OSError: pass
time.sleep(0.5)
for name in names:
    s = socket.socket(socket.AF_UNIX)
    try: s.connect(name); print("CONNECTED", name)
    except OSError: pass
print("end", flush=True)
"""
    process = run(ringwall, script)
    service = Service(str(place.work / "late.sock"))
    assert process.stdout.read() == b"end\n"
    assert not service.told


def test_who_was_quicker_is_ended(ringwall, place, run):
    """A connection that was made before the mask stood would outlive it."""
    process = run(ringwall, GREEDY)
    for _ in range(200):  # until somebody was
        service = Service(str(place.work / "late.sock"))
        time.sleep(0.05)
        if service.told or process.poll() is not None:
            break
        os.unlink(place.work / "late.sock")
    else:
        pytest.skip("nobody was quick enough")
    before = time.monotonic()
    out = process.stdout.read()
    assert time.monotonic() - before < 10
    assert process.wait(60) != 0 and b"ANSWER" not in out
    assert b"had connected to" in process.stderr.read()


SERVER = """
import os, socket, threading, time
def serve(path, kind):
    s = socket.socket(socket.AF_UNIX, kind); s.bind(path)
    if kind != socket.SOCK_DGRAM: s.listen()
    return s
def check(path, kind):
    c = socket.socket(socket.AF_UNIX, kind); c.connect(path); c.send(b"x"); c.close()
os.makedirs("run/deep", exist_ok=True)
kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET)
held = []
for n in range(ROUNDS):
    for kind in kinds:
        path = f"run/deep/{kind}-{n % 5}"
        if os.path.exists(path): os.unlink(path)  # as servers do
        held.append(serve(path, kind)); check(path, kind)
    if n % 7 == 0: held = held[-3:]
    time.sleep(PAUSE)
for n in range(3):
    time.sleep(0.5)
    for s in held[-3:]: check(s.getsockname(), s.type)
for s in held: s.close()
time.sleep(0.2)
for name in os.listdir("run/deep"): os.unlink(f"run/deep/{name}")
os.rmdir("run/deep")
print("done")
"""


@pytest.mark.parametrize("rounds, pause", [(5, 0.05), (60, 0.002), (400, 0)])
def test_the_runs_own_sockets_go_on_working(ringwall, rounds, pause):
    """Also bound anew at the same name, closed at once, and by the thousand."""
    script = SERVER.replace("ROUNDS", str(rounds)).replace("PAUSE", str(pause))
    result = ringwall.python(script, timeout=300)
    assert result.status == 0 and result.out == "done\n" and "masked" not in result.err, result


def test_the_hosts_is_found_among_many_of_the_runs(ringwall, place, run):
    script = """
import os, socket, sys, time
print("ready", flush=True)
os.mkdir("aaa")
end = time.monotonic() + 2
n = 0
while time.monotonic() < end:
    s = socket.socket(socket.AF_UNIX); s.bind(f"aaa/{n}"); n += 1
    if n == 300: open("many", "w")
time.sleep(1)
s = socket.socket(socket.AF_UNIX)
try: s.connect("late.sock"); print("CONNECTED")
except OSError: print("refused")
"""
    process = run(ringwall, script)
    while not (place.work / "many").exists() and process.poll() is None:
        time.sleep(0.005)
    service = Service(str(place.work / "late.sock"))
    assert process.stdout.read() == b"refused\n", process.stderr.read()
    assert not service.told


def test_two_runs_do_not_share_sockets(ringwall, place, run):
    """What one run makes is not the other's: in both directions it is as the host's."""
    script = "import socket, sys, time\ns = socket.socket(socket.AF_UNIX); s.bind('first.sock'); s.listen()\n" + CONNECT
    second = run(ringwall, CONNECT)
    first = run(ringwall, script)
    time.sleep(0.3)
    assert ask(second, "first.sock") in ("ConnectionRefusedError", "PermissionError")
    assert ask(first, "first.sock") == "CONNECTED"


def test_a_client_that_has_a_name_too_goes_on(ringwall):
    """A socket that was bound and is connected itself looks like the far end of a connection."""
    script = """
import os, socket, time
s = socket.socket(socket.AF_UNIX); s.bind("server"); s.listen()
c = socket.socket(socket.AF_UNIX); c.bind("client"); c.connect("server")
a, name = s.accept()
for n in range(8):
    c.send(b"x"); assert a.recv(1) == b"x"
    time.sleep(0.2)
print(name)
"""
    result = ringwall.python(script)
    assert result.status == 0 and result.out == "client\n", result
