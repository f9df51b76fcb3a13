"""Bytes pass as they are, in both directions, to the end; ends and resets pass too."""

import hashlib
import time

import pytest

from lab import names
from lab.streams import BURSTS, PUSHED

STREAMS = names.full("streams")
ALLOW = ["--allow", f"{STREAMS}:9000-9010"]


def test_the_client_ends_its_direction_first(lab, act):
    """What was sent is whole, and the answer that comes after the end arrives."""
    script = f"""
        data = bytes(range(256)) * 20000
        heard = talk("{STREAMS}", {names.COUNT}, data, seconds=30)
        import hashlib
        report([heard.decode(), hashlib.sha256(data).hexdigest()])
        """
    heard, digest = act.inside(script, *ALLOW, timeout=120)
    assert heard == f"5120000 {digest}\n"


def test_the_server_ends_its_direction_first(lab, act):
    """It speaks first and ends; what the client says afterwards still arrives there."""
    script = f"""
        line = socket.create_connection(("{STREAMS}", {names.PUSH}), 30)
        heard, ending = hear(line)
        line.sendall(b"afterwards" * 1000)
        line.close()
        import hashlib
        report([len(heard), ending, hashlib.sha256(heard).hexdigest()])
        """
    assert act.inside(script, *ALLOW) == [len(PUSHED), "end", hashlib.sha256(PUSHED).hexdigest()]
    assert lab.reader.wait_for("stream", event="end", kind="push")["received"] == 10000


def test_a_fast_stream_that_pauses(lab, act):
    """Its last bytes do not wait for more: nothing says that they are the last."""
    script = f"""
        line = socket.create_connection(("{STREAMS}", {names.BURSTS}), 10)
        import sys
        waited = []
        for size in {BURSTS}:
            begin = time.monotonic()
            while size > 0:
                size -= len(line.recv(min(size, 1 << 20))) or sys.exit("it ended")
            waited.append(time.monotonic() - begin)
            line.sendall(b"x")
        report(sorted(waited))
        """
    waited = act.inside(script, *ALLOW, timeout=120)
    assert len(waited) == len(BURSTS) and waited[len(waited) // 2] < 1
    assert lab.reader.wait_for("stream", event="end", kind="bursts")["received"] == len(BURSTS)


def test_the_server_resets(lab, act):
    script = f"report(say('{STREAMS}', {names.RESET}, b'x'))"
    assert act.bare(script)["ending"] == "ECONNRESET"
    found = act.inside(script, *ALLOW)
    assert found["ending"] == "ECONNRESET" and "half a sen".startswith(found["heard"])


def test_the_client_resets(lab, act):
    script = f"""
        import struct
        line = socket.create_connection(("{STREAMS}", {names.ECHO}), 10)
        line.sendall(b"x")
        heard = line.recv(1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
        time.sleep(0.3)
        report(len(heard))
        """
    for run in (lambda: act.bare(script), lambda: act.inside(script, *ALLOW)):
        lab.forget()
        assert run() == 1
        assert lab.reader.wait_for("stream", event="end")["error"] == "ConnectionResetError"


@pytest.mark.alone
def test_a_server_that_speaks_first_is_dialled_at_once(lab, act):
    script = f"""
        line = socket.create_connection(("{names.full('mail')}", {names.MAIL_PORT}), 10)
        begin = time.monotonic()
        greeting = line.recv(100).decode()
        report([greeting, time.monotonic() - begin])
        """
    greeting, seconds = act.inside(script, "--allow", f"{names.full('mail')}:{names.MAIL_PORT}")
    assert greeting.startswith("220 ") and seconds < 1


@pytest.mark.waiting
def test_a_client_that_sends_nothing(lab, act):
    """On a port where it has to speak first the wait has an end; nothing is dialled meanwhile."""
    script = f"""
        line = socket.create_connection(("{STREAMS}", 443), 150)
        begin = time.monotonic()
        _, ending = hear(line)
        report([ending, time.monotonic() - begin])
        """
    ending, seconds = act.inside(script, "--allow", STREAMS, timeout=180)
    assert ending != "timeout" and seconds < 140
    lab.nothing_left()


def test_a_client_that_sends_nothing_where_the_server_waits_too(lab, act):
    """Idle lines are nobody's fault: a connection that says nothing stays."""
    script = f"""
        line = socket.create_connection(("{STREAMS}", {names.ECHO}), 10)
        time.sleep(3)
        line.sendall(b"still here")
        report(line.recv(100).decode())
        """
    assert act.inside(script, *ALLOW) == "still here"


@pytest.mark.parametrize("count", [1, 65536, 5_000_000])
def test_both_directions_at_once(lab, act, count):
    script = f"""
        import hashlib, threading
        line = socket.create_connection(("{STREAMS}", {names.ECHO}), 60)
        data = (b"0123456789abcdef" * ({count} // 16 + 1))[:{count}]
        def send():
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
        sender = threading.Thread(target=send)
        sender.start()
        heard, ending = hear(line)
        report([heard == data, ending])
        """
    assert act.inside(script, *ALLOW, timeout=120) == [True, "end"]


def test_a_slow_reader_holds_up_nobody_but_itself(lab, act):
    """The server is held back, memory is not filled, and others go on."""
    web = names.full("www")
    script = f"""
        slow = socket.create_connection(("{web}", 80), 60)
        slow.sendall(get("{web}", "/bytes/30000000", last=True))
        time.sleep(0.5)
        quick = outcome(say, "{web}", 80, get("{web}", last=True))
        heard, ending = hear(slow)
        report([quick["seconds"], len(heard) > 30000000, ending])
        """
    seconds, whole, ending = act.inside(script, "--allow", f"{web}:80", timeout=120)
    assert seconds < 1 and whole and ending == "end"


def test_two_hundred_lines_at_once(lab, act):
    script = f"""
        lines = [socket.create_connection(("{STREAMS}", {names.ECHO}), 30) for n in range(200)]
        for n, line in enumerate(lines):
            line.sendall(b"%06d" % n * 100)
        wrong = 0
        for n, line in enumerate(lines):
            heard = line.makefile("rb").read(600)
            wrong += heard != b"%06d" % n * 100
        report(wrong)
        """
    assert act.inside(script, *ALLOW, timeout=120) == 0


def test_a_run_with_open_lines_ends_with_its_command(lab, ringwall):
    """The far end sees the end of the line."""
    script = f"""
import socket, time
line = socket.create_connection(("{STREAMS}", {names.SILENT}))
line.sendall(b"12345")
print("left open")
"""
    result = ringwall.python(script, *ALLOW, timeout=120)
    assert result.out == "left open\n", result
    assert lab.reader.wait_for("stream", event="end", kind="silent", seconds=5)["received"] == 5


@pytest.mark.parametrize("count", [1, 100_000, 4_000_000])
def test_what_was_sent_last_arrives(lab, act, count):
    """Whoever sends and ends leaves the rest to the kernel; here the run ends with it."""
    script = f"""
        line = socket.create_connection(("{STREAMS}", {names.LATE}), 30)
        line.sendall(b"0123456789abcdef" * ({count} // 16) + b"." * ({count} % 16))
        report(1)
        """
    wanted = hashlib.sha256(b"0123456789abcdef" * (count // 16) + b"." * (count % 16)).hexdigest()
    for run in (lambda: act.bare(script), lambda: act.inside(script, *ALLOW)):
        lab.forget()
        assert run() == 1
        assert lab.reader.wait_for("stream", event="end")["digest"] == wanted


def test_a_request_that_was_sent_last_arrives(lab, act):
    """It is judged, the name resolved and the connection made, while nobody waits for it any more."""
    web = names.full("www")
    script = f"""
        line = socket.create_connection(("{web}", 80), 10)
        line.sendall(get("{web}", "/last"))
        report(1)
        """
    act.inside(script, "--allow", f"{web}:80")
    assert lab.reader.wait_for("web", event="request")["path"] == "/last"


def test_an_end_waits_for_nothing_that_does_not_come(lab, ringwall):
    """Neither where all has arrived, nor for long where a name is never answered."""

    def seconds(name):
        script = f"""
import socket, time
line = socket.create_connection(("{name}", {names.SILENT}), 10)
line.sendall(b"12345")
print(time.time(), flush=True)
"""
        ended = float(ringwall.python(script, "--allow", f"{name}:{names.SILENT}").ok())
        return time.time() - ended

    def is_ever_below(limit, name):
        """A busy host may take its time; who waits for what does not come takes it each time."""
        return any(seconds(name) < limit for _ in range(20))

    assert is_ever_below(0.25, STREAMS)
    assert is_ever_below(1, names.full("never"))


def test_two_runs_do_not_share_a_wall(lab, act, ringwall, place):
    """What one was granted is nothing to the other."""
    web = names.full("www")
    first = ringwall.start("run", "--allow", f"{web}:80", "--name", "first", "--", "sh", "-c", "echo up; read line")
    assert first.stdout.readline() == b"up\n"
    script = f"report(outcome(say, '{web}', 80, get('{web}', last=True))['value'])"
    assert act.inside(script, "--allow", names.full("api")) == "no such name"
    first.communicate(b"\n", 60)
