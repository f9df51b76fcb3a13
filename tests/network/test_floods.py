"""Whoever asks without end: others are still served, and no memory piles up outside."""

import time
from pathlib import Path

import pytest
from sanitized import counts_memory

from lab import names

STREAMS = names.full("streams")
ALLOW = ["--allow", f"{STREAMS}:{names.ECHO}"]
SECONDS = 4
MOST_SECONDS = 3  # of which one second is the kernel's, if the first packet finds no room
MOST_MEMORY = 24 << 10  # KB; a relay that stands idle takes 3 MB

QUESTIONS = f"""
import socket, struct, threading, time
body = struct.pack(">HHHHHH", 1, 0x100, 1, 0, 0, 0) + b"\\2_x\\3com\\0\\0\\1\\0\\1"
chunk = (struct.pack(">H", len(body)) + body) * 2000
address = socket.gethostbyname("{STREAMS}")
end = time.monotonic() + {SECONDS}

def listen(line):
    try:
        while line.recv(1 << 18):
            pass
    except OSError:
        pass

def ask():
    while time.monotonic() < end:
        try:
            with socket.create_connection(("9.9.9.9", 53), timeout=120) as line:
                threading.Thread(target=listen, args=(line,), daemon=True).start()
                while time.monotonic() < end:
                    line.sendall(chunk)
        except OSError:
            pass

for n in range(2):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(0.2)
slowest = 0
while time.monotonic() < end:
    start = time.monotonic()
    with socket.create_connection((address, {names.ECHO}), timeout=120) as line:
        line.sendall(b"word")
        assert line.recv(4) == b"word"
    slowest = max(slowest, time.monotonic() - start)
print(slowest)
"""


def resets(pause):
    """Lines that are cut after so many seconds: at once, or when some were asked for already."""
    return f"""
pause = {pause}
import socket, struct, time
address = socket.gethostbyname("{STREAMS}")
end = time.monotonic() + {SECONDS}
while time.monotonic() < end:
    lines = []
    for n in range(200):
        line = socket.socket()
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.connect_ex((address, {names.ECHO}))
        lines.append(line)
    time.sleep(pause)
    for line in lines:
        line.close()
# Whoever comes behind them is served.
start = time.monotonic()
with socket.create_connection((address, {names.ECHO}), timeout=120) as line:
    line.sendall(b"word")
    assert line.recv(4) == b"word"
    print(time.monotonic() - start)
"""


# Half of a ClientHello as long as one may be, on each of thousands of connections: 180 MB in all.
HALVES = f"""
import socket
address = socket.gethostbyname("{STREAMS}")
half = bytes([22, 3, 1, 0x3f, 0xff, 1, 0, 0x7f, 0xf0, 3, 3]) + bytes(0x3ffa - 6)
half += bytes([22, 3, 1, 0x3f, 0xff]) + bytes(0x3f00)
lines = []
for n in range(6000):
    line = socket.create_connection((address, 443), timeout=120)
    try:
        line.sendall(half)
        lines.append(line)
    except OSError:
        pass
print(len(lines))
"""


# Each has half a minute to say something, and is gone at once.
LEAVERS = f"""
import socket, struct
address = socket.gethostbyname("{STREAMS}")
for n in range(100_000):
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.connect((address, 443))
    line.close()
print(n)
"""


def memory_of_helpers(supervisor):
    """KB of the supervisor and its network relay, as much as either has had."""
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    most = {}
    for pid in [str(supervisor), *children]:
        try:
            name = Path("/proc", pid, "cmdline").read_bytes().split(b"\0")[0].decode()
            status = Path("/proc", pid, "status").read_text()
        except OSError:
            continue
        if "VmRSS:" not in status:
            continue  # it has ended
        if pid == str(supervisor) or name.startswith("ringwall-network"):
            most[name] = int(status.split("VmRSS:")[1].split()[0])
    return most


def flooded(process):
    """The most memory that each of the two had, and what the flood has printed."""
    most = {}
    while process.poll() is None:
        try:
            found = memory_of_helpers(process.pid)
        except OSError:
            break
        for name, size in found.items():
            most[name] = max(most.get(name, 0), size)
        time.sleep(0.05)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert len(most) >= 2
    return most, float(out)


@counts_memory
@pytest.mark.parametrize("flood", [QUESTIONS, resets(0), resets(0.002)], ids=["questions", "resets", "late-resets"])
def test_a_flood(lab, ringwall, flood):
    memory, slowest = flooded(ringwall.start("run", *ALLOW, "--", "/usr/bin/python3", "-c", flood))
    assert max(memory.values()) < MOST_MEMORY
    assert slowest < MOST_SECONDS, "others get their turn"


@counts_memory
def test_what_waits_to_be_judged_is_bounded(lab, ringwall):
    memory, sent = flooded(ringwall.start("run", "--allow", STREAMS, "--", "/usr/bin/python3", "-c", HALVES))
    assert max(memory.values()) < 110 << 10 and sent > 1000, (memory, sent)


@counts_memory
def test_who_is_gone_is_forgotten(lab, ringwall):
    memory, _ = flooded(ringwall.start("run", "--allow", STREAMS, "--", "/usr/bin/python3", "-c", LEAVERS))
    relay = max(size for name, size in memory.items() if name.startswith("ringwall-network"))
    assert relay < 7 << 10


def test_few_descriptors(lab, ringwall, place):
    """Connections are refused while there is room for all else: no helper turns in circles."""
    script = f"""
import socket, time
address = socket.gethostbyname("{STREAMS}")
lines = []
for place in [(address, {names.ECHO})] * 478 + [("9.9.9.9", 53)] * 80 + [(address, {names.ECHO})] * 5:
    line = socket.socket()
    line.settimeout(5)
    try:
        line.connect(place)
        lines.append(line)
    except OSError:
        pass
print("full", flush=True)
input()
"""
    limited = ["prlimit", "--nofile=1024:1024"]
    process = ringwall.start("run", *ALLOW, "--", "/usr/bin/python3", "-c", script, prefix=limited)
    assert process.stdout.readline() == b"full\n"
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    relay = next(pid for pid in children if b"ringwall-network" in Path("/proc", pid, "cmdline").read_bytes())

    def ticks():
        return sum(map(int, Path("/proc", relay, "stat").read_text().rsplit(")", 1)[1].split()[11:13]))

    time.sleep(0.5)
    before = ticks()
    time.sleep(2)
    spent = ticks() - before
    _, err = process.communicate(b"\n", timeout=120)
    assert process.returncode == 0 and spent < 10, (spent, err)


@pytest.mark.parametrize("asks_last", [False, True])
def test_many_descriptors_hold_up_nobody(lab, ringwall, asks_last):
    """Which program asks is looked for in all of them, and not for long."""
    script = f"""
import os, socket, time
for _ in range(80):
    if os.fork() == 0:
        for _ in range(900):
            os.dup(0)
        time.sleep(60)
time.sleep(2)
asker = os.fork() if {asks_last} else 0
if asker == 0:
    slowest = 0
    for n in range(10):
        begin = time.monotonic()
        try:
            socket.getaddrinfo(f"n{{n}}.{names.ZONE}", 80)
        except OSError:
            pass
        slowest = max(slowest, time.monotonic() - begin)
    print(slowest, flush=True)
time.sleep(60)
"""
    process = ringwall.start("run", "--name", "wide", *ALLOW, "--", "/usr/bin/python3", "-c", script)
    slowest = float(process.stdout.readline())
    begin = time.monotonic()
    ringwall("inspect", "wide").ok()
    seen = time.monotonic() - begin
    ringwall("kill", "wide").ok()
    _, err = process.communicate(timeout=120)
    print(f"slowest {slowest:.3f} s, inspect {seen:.3f} s")
    assert slowest < 0.3 and seen < 0.5 and err.count(b"refused n") == 10, (slowest, seen, err)
