"""Much of everything: the wall refuses what it has no room for, and goes on."""

import os

import pytest

from lab import names

WEB, STREAMS = names.full("www"), names.full("streams")
WILD = f"{names.WILDCARD}.{names.ZONE}"
PAGE = f"say('{WEB}', 80, get('{WEB}', last=True), seconds=30)['heard'][:15]"
OK = "HTTP/1.1 200 OK"


def test_more_names_than_there_are_addresses_for(lab, act):
    """Each has its own for as long as the run goes on; when all are given, the rest gets none. Those that are
    granted as they are have theirs set apart: nobody can use them up with names below a wildcard."""
    script = f"""
        first = ask("{WEB}")["addresses"]
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.connect(("127.0.0.1", 53))
        line.settimeout(10)
        seen, codes = set(), set()
        for n in range(131100):
            line.send(query(f"n{{n}}.{WILD}", number=n & 0xffff))
            answer = line.recv(512)
            assert struct.unpack(">H", answer[:2])[0] == n & 0xffff
            codes.add(answer[3] & 15)
            if answer[3] & 15 == 0:
                assert answer[-4:] not in seen, "given to two names"
                seen.add(answer[-4:])
        later = ask("{STREAMS}")["addresses"]
        report([len(seen), sorted(codes), first == ask("{WEB}")["addresses"], later, {PAGE}])
        """
    flags = ["--allow", f"*.{WILD}", "--allow", f"{WEB}:80", "--allow", STREAMS]
    count, codes, same, later, page = act.inside(script, *flags, timeout=240)
    assert 120_000 < count < 131_072 and codes == [0, 2]
    assert same and page == OK and len(later) == 1
    assert set(lab.asked()) == {WEB}, "none of them left"


@pytest.mark.parametrize("most", [128, 300])
def test_few_descriptors(lab, place, ringwall, act, most):
    """The host gives so many and no more: connections wait or end, and later ones work."""
    script = f"""
        lines = []
        for n in range({most}):
            try:
                lines.append(socket.create_connection(("{STREAMS}", {names.ECHO}), 5))
            except OSError:
                break
        for line in lines:
            line.close()
        time.sleep(0.3)
        report({PAGE})
        """
    flags = ["--allow", f"{STREAMS}:{names.ECHO}", "--allow", f"{WEB}:80"]
    limit = ["prlimit", f"--nofile={most}:{most}", "--"]
    result = act.inside(script, *flags, prefix=limit, timeout=120)
    assert result == OK


def test_a_line_of_many_requests(lab, act):
    """Each of them is judged; ten thousand on one connection."""
    script = f"""
        line = socket.create_connection(("{WEB}", 80), 30)
        reader = line.makefile("rb")
        count = 0
        for n in range(100):
            line.sendall(get("{WEB}") * 100)
            for m in range(100):
                length = 0
                while (head := reader.readline()) not in (b"\\r\\n", b""):
                    if head.lower().startswith(b"content-length"):
                        length = int(head.split(b":")[1])
                count += len(reader.read(length)) == length > 0
        report(count)
        """
    assert act.inside(script, "--allow", f"{WEB}:80", timeout=120) == 10_000
    assert len(lab.hosts()) == 10_000


def test_connections_that_nobody_closes(lab, act):
    """A thousand that are dropped in every way: the wall holds none of them afterwards."""
    script = f"""
        import struct
        for n in range(1000):
            line = socket.create_connection(("{STREAMS}", {names.ECHO}), 10)
            if n % 3 == 0:
                line.sendall(b"x" * 1000)
            if n % 3 == 1:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()
        time.sleep(1)
        report({PAGE})
        """
    assert act.inside(script, "--allow", f"{STREAMS}:{names.ECHO}", "--allow", f"{WEB}:80", timeout=120) == OK
    opened, ended = (len(lab.seen("stream", event=event)) for event in ("open", "end"))
    assert opened == ended


def test_a_command_that_is_run_later(lab, ringwall):
    """`ringwall exec` is behind the same wall, with the same grants."""
    run = ringwall.start("run", "--name", "later", "--allow", WEB, "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    good = ringwall("exec", "later", "--", "curl", "-sS", f"https://{WEB}/")
    bad = ringwall("exec", "later", "--", "curl", "-sS", f"https://{names.full('api')}/")
    run.communicate(b"\n", 60)
    assert WEB in good.out and bad.status == 6
    assert set(lab.asked()) == {WEB}


def test_the_end_of_a_helper_opens_nothing(lab, place, ringwall):
    """Killed from outside: the run does not go on without its wall."""
    script = f"echo up; read line; curl -sS --max-time 5 https://{WEB}/; echo RAN"
    run = ringwall.start("run", "--allow", WEB, "--", "sh", "-c", script)
    assert run.stdout.readline() == b"up\n"
    helpers = [pid for pid in children(run.pid) if title(pid).startswith("ringwall-network")]
    for pid in helpers:
        os.kill(pid, 9)
    out, err = run.communicate(b"\n", 60)
    assert helpers
    assert f'"host": "{WEB}"' not in out.decode() and run.returncode != 0, (out, err)
    assert err.startswith(b"ringwall: ")
    assert names.WEB not in [packet[1] for packet in lab.left()]


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def title(pid):
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        return file.read()
