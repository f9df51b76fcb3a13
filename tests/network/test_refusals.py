"""What was not granted is refused at once, and nothing of it leaves the host."""

import pytest

from lab import names

WEB = names.full("www")
AT_ONCE_SECONDS = 0.5
ADDRESSES = [names.WEB, names.WEB6, names.METADATA, names.PRIVATE, "100.64.0.1", "fd00::1", "1.1.1.1"]


@pytest.mark.parametrize("grants", [(), ("--allow", WEB), ("--allow", f"{WEB}:80")])
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_was_not_granted(lab, act, address, grants):
    """An error of connect(), not a reset behind it: programs know what that means."""
    script = f"report([connect('{address}', port) for port in (80, 443, 22)])"
    assert [found["value"] for found in act.bare(script)] == ["connected"] * 3
    lab.forget()
    for found in act.inside(script, *grants):
        # Without any grant there is no way to any address at all.
        assert found["value"] in ("ECONNREFUSED", "ENETUNREACH")[: 1 if grants else 2], found
        assert found["seconds"] < AT_ONCE_SECONDS
    lab.nothing_left()


def test_a_port_that_was_not_granted(lab, act):
    script = f"report([connect('{WEB}', port) for port in (443, 80, 22, 8443)])"
    found = act.inside(script, "--allow", WEB)
    assert [entry["value"] for entry in found] == ["connected"] + ["ECONNREFUSED"] * 3
    assert all(entry["seconds"] < AT_ONCE_SECONDS for entry in found)


def test_a_port_of_another_name(lab, act):
    """Both ports are taken to the wall; each belongs to one name alone."""
    api = names.full("api")
    flags = ["--allow", f"{WEB}:80", "--allow", f"{api}:8080"]
    script = f"""
        tries = [("{WEB}", 80), ("{api}", 8080), ("{WEB}", 8080), ("{api}", 80)]
        report([say(host, port, get(host, last=True))["heard"][:12] for host, port in tries])
        """
    heard = act.inside(script, *flags)
    assert heard[:2] == ["HTTP/1.1 200"] * 2
    assert "HTTP/1.1 200" not in heard[2:]
    assert sorted(lab.hosts()) == sorted([WEB, f"{api}"])


@pytest.mark.parametrize("granted", ["8000-8100", "*"])
def test_ranges_of_ports(lab, act, granted):
    script = f"report([say('{WEB}', 8080, get('{WEB}:8080', last=True))['heard'][:12], connect('{WEB}', 8443)['value']])"
    page, other = act.inside(script, "--allow", f"{WEB}:{granted}")
    assert page == "HTTP/1.1 200"
    assert other == ("connected" if granted == "*" else "ECONNREFUSED")


def test_a_granted_address(lab, act):
    """Private ones too, since somebody named them; what stands beside stays closed."""
    flags = ["--allow", f"{names.PRIVATE}:80", "--allow", f"[{names.WEB6}]:80", "--allow", f"{names.BLOCK}:80"]
    tries = [names.PRIVATE, names.WEB6, names.IN_BLOCK, "10.1.2.4", "93.184.219.77"]
    script = f"report([outcome(say, to, 80, get('x', last=True))['value'] for to in {tries}])"
    found = act.inside(script, *flags)
    assert all("200 OK" in heard["heard"] for heard in found[:3]), found
    assert found[3:] == ["ECONNREFUSED"] * 2
    assert {packet[1] for packet in lab.left()} == {names.PRIVATE, names.WEB6, names.IN_BLOCK}


def test_what_is_denied_is_refused_whatever_allows_it(lab, act):
    flags = ["--allow", f"{names.BLOCK}:80", "--deny", names.IN_BLOCK, "--allow", f"*.{names.ZONE}:80", "--deny", WEB]
    script = f"""
        report([outcome(say, to, 80, get(to, last=True))["value"]
                for to in ("{names.IN_BLOCK}", "{WEB}", "93.184.218.5", "{names.full('api')}")])
        """
    denied, denied_name, address, name = map(str, act.inside(script, *flags))
    assert "200 OK" not in denied and denied_name == "no such name"
    assert "200 OK" in address and "200 OK" in name


@pytest.mark.parametrize("to", ["127.0.0.1", "::1", "127.0.0.2", "198.18.0.1", "10.9.8.7"])
def test_the_walls_own_port(lab, act, to):
    """Whoever comes to it directly has no name: there is nothing to decide by."""
    script = f"""
        ports = []
        for name in ("tcp", "tcp6"):
            rows = [row.split() for row in open(f"/proc/net/{{name}}").readlines()[1:]]
            ports += [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A"]
        report([[port, connect("{to}", port)["value"]] for port in sorted(set(ports))])
        """
    found = dict(act.inside(script, "--allow", WEB, "--reach-host", names.LOOPBACK_PORT))
    wall = [port for port in found if port != 53]
    assert wall and {found[port] for port in wall} == {"ECONNREFUSED"}, found
    lab.nothing_left()


DATAGRAM = """
    def send(family, kind, to, data, number=0):
        line = socket.socket(family, kind, number)
        line.settimeout(2)
        line.connect(to)
        line.send(data)
        return line.recv(100).decode("latin-1")
    """


@pytest.mark.parametrize("to", [names.STREAMS, names.WEB6, names.METADATA])
@pytest.mark.parametrize("port", [names.UDP_ECHO, 443, 123])
def test_datagrams(lab, act, to, port):
    family = "AF_INET6" if ":" in to else "AF_INET"
    attempt = f"report(outcome(send, socket.{family}, socket.SOCK_DGRAM, ('{to}', {port}), b'out'))"
    assert act.bare(DATAGRAM + attempt)["value"] == ("out" if port == names.UDP_ECHO else "ECONNREFUSED")
    lab.forget()
    found = act.inside(DATAGRAM + attempt, "--allow", f"{WEB}:*")
    assert found["value"] in ("ECONNREFUSED", "EHOSTUNREACH", "EPERM") and found["seconds"] < AT_ONCE_SECONDS
    lab.nothing_left()


def test_datagrams_to_a_granted_name(lab, act):
    """A grant is for connections."""
    attempt = f"report(outcome(send, socket.AF_INET, socket.SOCK_DGRAM, ('{WEB}', 443), b'out'))"
    assert act.inside(DATAGRAM + attempt, "--allow", WEB)["value"] in ("ECONNREFUSED", "EHOSTUNREACH", "EPERM")
    lab.nothing_left()


@pytest.mark.parametrize(
    "kind, number, denied",
    [("SOCK_RAW", 1, True), ("SOCK_RAW", 255, True), ("SOCK_DGRAM", 1, False), ("SOCK_SEQPACKET", 132, False)],
)
def test_other_protocols(lab, act, kind, number, denied):
    """Echo requests, raw packets, SCTP: the socket cannot be had, or leads nowhere."""
    echo = "b'\\x08' + bytes(7)"
    attempt = f"report(outcome(send, socket.AF_INET, socket.{kind}, ('{names.WEB}', 0), {echo}, {number}))"
    found = act.inside(DATAGRAM + attempt, "--allow", f"{WEB}:*")
    assert found["value"].isupper(), f"an error, not an answer: {found}"
    assert not denied or found["value"] in ("EPERM", "EACCES", "EAFNOSUPPORT", "EPROTONOSUPPORT")
    lab.nothing_left()


def test_nothing_is_granted_by_default(lab, act):
    script = f"report([resolve('{WEB}'), connect('{names.WEB}', 443)['value'], connect('127.0.0.1', 9)['value']])"
    name, address, loopback = act.inside(script)
    assert isinstance(name, str), "no address"
    assert address in ("ECONNREFUSED", "ENETUNREACH") and loopback == "ECONNREFUSED"
    lab.nothing_left()


def test_sixty_five_thousand_connections_asked_for(lab, act):
    """All that a program can open at once, to a server that never answers; a second one still works."""
    script = f"""
        import resource
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        lines, ends = [], []
        for n in range(65535):
            try:
                line = socket.socket()
                line.setblocking(False)
                line.connect_ex(("{names.PRIVATE}", {names.SILENT}))
                lines.append(line)
            except OSError as error:
                ends.append(errno.errorcode[error.errno])
                break
        count = len(lines)
        for line in lines:
            line.close()
        time.sleep(0.5)
        report([count, ends, say("{WEB}", 80, get("{WEB}", last=True), seconds=60)["heard"][:15]])
        """
    flags = ["--allow", f"{names.PRIVATE}:{names.SILENT}", "--allow", f"{WEB}:80"]
    count, _, heard = act.inside(script, *flags, timeout=120)
    assert count > 500 and heard == "HTTP/1.1 200 OK"


def test_no_network_wins_over_every_grant(lab, act):
    script = f"report([resolve('{WEB}'), connect('{names.WEB}', 80)['value'], connect('127.0.0.1', {names.LOOPBACK_PORT})['value']])"
    flags = ["--allow", f"{WEB}:80", "--allow", f"{names.WEB}:80", "--reach-host", names.LOOPBACK_PORT]
    assert "connected" in act.inside(script, *flags)
    lab.forget()
    name, address, loopback = act.inside(script, *flags, "--no-network")
    assert isinstance(name, str) and address in ("ECONNREFUSED", "ENETUNREACH") and loopback == "ECONNREFUSED"
    assert lab.seen("web") == []
    lab.nothing_left()
