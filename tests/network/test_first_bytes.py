"""The name that a client shows in the clear is the granted one: in TLS and in every request."""

import pytest

from lab import names

A, B = names.full("tenant-a"), names.full("tenant-b")
ACCESS_DENIED = "alert 49"


def begins(hello, port=443, name=A):
    return f"report(starts_tls(say('{name}', {port}, {hello}, end=True)))"


# Each way to say it, and the name that the server would take for it.
HELLOS_OF_ANOTHER = {
    "other name": f"hello('{B}')",
    "other case": f"hello('{B.upper()}')",
    "no name": "hello(None)",
    "two names": f"hello_with(server_names('{A}', '{B}'), without=[SERVER_NAME], name='{A}')",
    "twice": f"hello_with(server_names('{B}'), name='{A}')",
    "encrypted, other outer name": f"hello_with(encrypted_hello(), name='{B}')",
    "encrypted, no outer name": "hello_with(encrypted_hello())",
    "trailing dot": f"hello_with(server_names('{A}.'))",
    "name with a NUL": f"hello_with(server_names('{A}\\0.{B}'))",
    "a name below": f"hello_with(server_names('x.{A}'))",
    "empty name": "hello_with(server_names(''))",
}
REACHES_BARE = ["other name", "other case", "no name", "encrypted, other outer name", "encrypted, no outer name"]


@pytest.mark.parametrize("hello", HELLOS_OF_ANOTHER)
def test_a_hello_that_shows_another_name(lab, act, hello):
    script = begins(HELLOS_OF_ANOTHER[hello])
    if hello in REACHES_BARE:
        assert act.bare(script) == "server hello"
    lab.forget()
    assert act.inside(script, "--allow", A) == ACCESS_DENIED
    lab.nothing_left()
    assert A in act.told


HELLOS_OF_ITS_OWN = {
    "plain": f"hello('{A}')",
    "upper case": f"hello('{A.upper()}')",
    "with noise of an encrypted one": f"hello_with(encrypted_hello(), name='{A}')",
    "in records of one byte": f"in_records(hello('{A}')[5:], 1)",
    "in two records": f"in_records(hello('{A}')[5:], 200)",
    "byte by byte": f"*[bytes([x]) for x in hello('{A}')], pause=0.001",
    "with much that is unknown": f"hello_with((UNKNOWN, bytes(12000)), name='{A}')",
}


@pytest.mark.parametrize("hello", HELLOS_OF_ITS_OWN)
def test_a_hello_that_shows_the_granted_name(lab, act, hello):
    script = begins(HELLOS_OF_ITS_OWN[hello])
    assert act.bare(script) == "server hello"
    lab.forget()
    assert act.inside(script, "--allow", A) == "server hello"
    assert lab.seen("tls")[0]["sni"].lower() == A


def test_a_wrong_hello_on_a_port_of_another_kind(lab, act):
    """TLS is known by its bytes, wherever it is spoken."""
    flags = ["--allow", f"{A}:{names.ECHO}"]
    good, bad = (begins(f"hello('{name}')", names.ECHO) for name in (A, B))
    assert act.inside(good, *flags) != ACCESS_DENIED
    lab.forget()
    heard = act.inside(bad, *flags)
    assert heard in (ACCESS_DENIED, "ECONNRESET"), heard
    assert [e for e in lab.seen("stream", event="end") if e.get("received")] == []


@pytest.mark.parametrize("bytes_", [f"get('{A}', last=True)", "b'\\0' * 100", "b'GET'"])
def test_what_is_no_tls_on_its_port(lab, act, bytes_):
    script = f"report(say('{A}', 443, {bytes_}, end=True))"
    heard = act.inside(script, "--allow", A)
    assert "200" not in heard["heard"] and heard["ending"] != "timeout", heard
    lab.nothing_left()


def test_ssh_on_the_port_of_tls(lab, act):
    """Where only 443 is open, forges take ssh there. It shows no name; it goes where the grant leads."""
    script = f"report(say('{A}', 443, b'SSH-2.0-x\\r\\n', end=True))"
    assert act.inside(script, "--allow", A)["ending"] != "timeout"
    assert [e["to"] for e in lab.seen("web", event="open")] == [names.TENANTS]


def test_a_hello_cut_at_every_byte(lab, act):
    """Nobody is dialled for what is not whole, and the wall goes on."""
    script = f"""
        whole = hello("{A}")
        ends = set()
        for n in range(0, len(whole)):
            heard = say("{A}", 443, whole[:n], end=True, seconds=5)
            ends.add(starts_tls(heard) if heard["heard"] else heard["ending"])
        report([sorted(ends), starts_tls(say("{A}", 443, whole, end=True))])
        """
    ends, whole = act.inside(script, "--allow", A, timeout=120)
    assert "server hello" not in ends and "timeout" not in ends and whole == "server hello"
    assert len(lab.seen("web", event="open")) == 1


@pytest.mark.parametrize(
    "bytes_",
    [
        "b'\\x16\\3\\1\\xff\\xff' + bytes(70000)",
        "b'\\x16\\3\\1\\x40\\x00\\1\\xff\\xff\\xff' + bytes(200000)",
        "in_records(b'\\1\\xff\\xff\\xff' + bytes(300000), 1000)",
        "hello('x')[:43] + b'\\xff' * 400",
        "b'\\x16\\3\\1\\0\\0' * 5000",
    ],
)
def test_hellos_that_are_too_big_or_nonsense(lab, act, bytes_):
    script = f"report([say('{A}', 443, {bytes_}, end=True), starts_tls(say('{A}', 443, hello('{A}'), end=True))])"
    heard, after = act.inside(script, "--allow", A)
    assert heard["ending"] != "timeout" and after == "server hello"
    assert len(lab.seen("web", event="open")) == 1


# HTTP


def exchange(*pieces, port=80):
    return f"report(say('{A}', {port}, {', '.join(pieces)}, end=True, seconds=5))"


OTHER_HOSTS = {
    "another": f"get('{B}')",
    "another port's": f"get('{B}:80')",
    "none": "b'GET / HTTP/1.1\\r\\n\\r\\n'",
    "none in 1.0": "b'GET / HTTP/1.0\\r\\n\\r\\n'",
    "two": f"get('{A}', **{{'host': '{B}'}})",
    "two the other way": f"get('{B}', **{{'host': '{A}'}})",
    "folded": f"b'GET / HTTP/1.1\\r\\nHost: {A}\\r\\n Host: {B}\\r\\n\\r\\n'",
    "folded value": f"b'GET / HTTP/1.1\\r\\nHost:\\r\\n {B}\\r\\n\\r\\n'",
    "absolute form": f"get('{A}', 'http://{B}/')",
    "absolute form with a name and a password": f"get('{A}', 'http://{A}@{B}/')",
    "with a space before the colon": f"b'GET / HTTP/1.1\\r\\nHost : {B}\\r\\nHost: {A}\\r\\n\\r\\n'",
    "behind a bare line feed": f"b'GET / HTTP/1.1\\nHost: {B}\\n\\n'",
    "behind a bare carriage return": f"b'GET / HTTP/1.1\\r\\nX: y\\rHost: {B}\\r\\nHost: {A}\\r\\n\\r\\n'",
    "with a NUL": f"get('{A}\\0{B}')",
    "connect": f"b'CONNECT {B}:443 HTTP/1.1\\r\\nHost: {B}:443\\r\\n\\r\\n'",
    "list": f"get('{A}, {B}')",
    "after an empty line": f"b'\\r\\n' + get('{B}')",
}


@pytest.mark.parametrize("request_", OTHER_HOSTS)
def test_a_first_request_for_another_host(lab, act, request_):
    heard = act.inside(exchange(OTHER_HOSTS[request_]), "--allow", f"{A}:80")
    assert heard["heard"].startswith("HTTP/1.1 403"), heard
    lab.nothing_left()


def test_the_page_of_a_refusal_says_why(lab, act):
    script = exchange(f"get('{B}')")
    assert "200 OK" in act.bare(script)["heard"]
    heard = act.inside(script, "--allow", f"{A}:80")["heard"]
    head, _, page = heard.partition("\r\n\r\n")
    assert "403" in head.splitlines()[0] and "text/plain" in head
    assert "ringwall" in page and A in page and B in page


OWN_REQUESTS = {
    "plain": f"get('{A}', last=True)",
    "upper case": f"get('{A.upper()}', last=True)",
    "with its port": f"get('{A}:80', last=True)",
    "absolute form": f"get('{A}', 'http://{A}/x', last=True)",
    "byte by byte": f"*[bytes([x]) for x in get('{A}', last=True)], ",
    "with a body": f"b'POST / HTTP/1.1\\r\\nHost: {A}\\r\\nContent-Length: 5\\r\\nConnection: close\\r\\n\\r\\n12345'",
    "with chunks": f"b'POST / HTTP/1.1\\r\\nHost: {A}\\r\\nTransfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n3\\r\\nabc\\r\\n0\\r\\n\\r\\n'",
}


@pytest.mark.parametrize("request_", OWN_REQUESTS)
def test_a_request_for_the_granted_host(lab, act, request_):
    script = exchange(OWN_REQUESTS[request_].rstrip(", "))
    assert "200 OK" in act.bare(script)["heard"]
    assert "200 OK" in act.inside(script, "--allow", f"{A}:80")["heard"]


FIRSTS = {
    "one after another": [f"get('{A}')", "{second}"],
    "at once": [f"get('{A}') + {{second}}"],
    "behind a body": [
        f"b'POST / HTTP/1.1\\r\\nHost: {A}\\r\\nContent-Length: 5\\r\\n\\r\\n12345' + {{second}}"
    ],
    "behind chunks": [
        f"b'POST / HTTP/1.1\\r\\nHost: {A}\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\n12345\\r\\n0\\r\\n\\r\\n' + {{second}}"
    ],
    "after a hundred": [f"get('{A}') * 100", "{second}"],
}


@pytest.mark.parametrize("first", FIRSTS)
def test_a_later_request_on_the_same_line(lab, act, first):
    own, other = (
        exchange(*(piece.replace("{second}", f"get('{name}', last=True)") for piece in FIRSTS[first]))
        for name in (A, B)
    )
    act.bare(other)
    assert lab.hosts()[-1] == B, "bare, the other tenant is reached"
    lab.forget()
    act.inside(own, "--allow", f"{A}:80")
    assert set(lab.hosts()) == {A} and len(lab.hosts()) >= 2
    lab.forget()
    act.inside(other, "--allow", f"{A}:80")
    assert set(lab.hosts()) <= {A}
    assert B in act.told


AMBIGUOUS = [
    "Content-Length: 5\\r\\nContent-Length: 6",
    "Content-Length: 5\\r\\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding : chunked",
    "Content-Length: +5",
    "Content-Length: 0x5",
    "Content-Length: 99999999999999999999999",
    "Content-Length: -1",
]


@pytest.mark.parametrize("header", AMBIGUOUS)
def test_bodies_whose_end_is_not_sure(lab, act, header):
    """Where a server may see another request than the wall does, there is no request at all."""
    hidden = f"0\\r\\n\\r\\nGET / HTTP/1.1\\r\\nHost: {B}\\r\\n\\r\\n"
    script = exchange(f"b'POST / HTTP/1.1\\r\\nHost: {A}\\r\\n{header}\\r\\n\\r\\n{hidden}'")
    heard = act.inside(script, "--allow", f"{A}:80")
    assert "200 OK" not in heard["heard"], heard
    assert lab.hosts() == []


def test_http2_in_the_clear(lab, act):
    preface = "b'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' + bytes(9)"
    act.bare(exchange(preface))
    assert lab.seen("web", event="bad"), "bare it arrives"
    lab.forget()
    heard = act.inside(exchange(preface), "--allow", f"{A}:80")
    assert "HTTP/2" in act.told or heard["heard"].startswith("HTTP/1.1 403"), (heard, act.told)
    lab.nothing_left()


HTTP2 = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": ""}


def test_an_upgrade_to_http2(lab, act):
    """The server never hears of it, so nothing is taken for anything but a request of HTTP/1."""
    script = exchange(f"get('{A}', **{HTTP2}) + b'PRI * HTTP/2.0\\r\\n\\r\\nsmuggled'")
    assert "101" in act.bare(script)["heard"]
    assert "smuggled" in lab.seen("web", event="upgraded")[0]["data"]
    lab.forget()
    heard = act.inside(script, "--allow", f"{A}:80")
    assert "101" not in heard["heard"], heard
    assert "HTTP/2" in act.told
    assert lab.seen("web", event="upgraded") == []


def test_an_offer_of_http2_in_passing(lab, act):
    """Java's client makes it with every request, and goes on in HTTP/1 if nothing comes of it."""
    script = exchange(f"get('{A}', **{HTTP2}) + get('{A}', '/second', last=True, **{HTTP2})")
    heard = act.inside(script, "--allow", f"{A}:80")
    assert heard["heard"].count("HTTP/1.1 200 OK") == 2 and act.told == ""
    assert lab.hosts() == [A, A]


@pytest.mark.parametrize("words", ["HTTP/1.1 10", "HTTP/1.1 1", "H", ""])
def test_a_server_that_ends_in_the_midst_of_its_status(lab, act, words):
    """Of a request to switch: the client hears what there is, and the end."""
    path = f"/cut/{words}".replace(" ", "%20")
    upgrade = f"get('{A}', '{path}', **{{'Connection': 'Upgrade', 'Upgrade': 'websocket'}})"
    script = f"report(say('{A}', 80, {upgrade}, seconds=5))"
    for heard in (act.bare(script), act.inside(script, "--allow", f"{A}:80")):
        assert heard == {"heard": words, "ending": "end"}


def test_a_websocket(lab, act):
    """The upgrade that people use: what the server agrees to goes on unread."""
    upgrade = f"get('{A}', **{{'Connection': 'Upgrade', 'Upgrade': 'websocket'}})"
    script = f"report(say('{A}', 80, {upgrade}, b'frame one', b'frame two', pause=0.2, end=True))"
    for heard in (act.bare(script), act.inside(script, "--allow", f"{A}:80")):
        assert heard["heard"].startswith("HTTP/1.1 101") and heard["heard"].endswith("frame oneframe two")


def test_bytes_behind_an_upgrade_that_the_server_did_not_make(lab, act):
    """Only its own word makes it another protocol; until then they are requests."""
    upgrade = f"get('{A}', '/no-upgrade', **{{'Connection': 'Upgrade', 'Upgrade': 'websocket'}})"
    script = exchange(f"{upgrade} + get('{B}', last=True)")
    act.inside(script, "--allow", f"{A}:80")
    assert B not in lab.hosts()


def test_tls_on_the_port_of_http(lab, act):
    script = f"report(say('{A}', 80, hello('{B}'), end=True))"
    heard = act.inside(script, "--allow", f"{A}:80")
    assert heard["ending"] != "timeout"
    lab.nothing_left()


def with_line(line, host):
    return f"b'{line}\\r\\nHost: {host}\\r\\nContent-Length: 0\\r\\n\\r\\n'"


# Servers look for the name before they look at the method, and some are not strict.
LINES_OF_REQUESTS = {
    "of a known method": "GET / HTTP/1.1",
    "of an unknown method": "FOO / HTTP/1.1",
    "in small letters": "get / HTTP/1.1",
    "with a tab": "GET\\t/ HTTP/1.1",
    "of a long method": "A" * 40 + " / HTTP/1.1",
    "behind the header of a proxy": "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\\r\\nGET / HTTP/1.1",
    "that looks like ssh": "SSH-2 / HTTP/1.1",
    "with a long target": "FOO /" + "a" * 9000 + " HTTP/1.1",
}


@pytest.mark.parametrize("line", LINES_OF_REQUESTS)
def test_http_on_a_port_of_another_kind(lab, act, line):
    """It is known by its bytes there too."""
    script = f"report(say('{A}', {names.COUNT}, {with_line(LINES_OF_REQUESTS[line], B)}, end=True))"
    assert act.bare(script)["heard"] != ""
    lab.forget()
    assert act.inside(script, "--allow", f"{A}:{names.COUNT}")["heard"] == ""
    assert [e for e in lab.seen("stream", event="end") if e.get("received")] == []


def test_a_request_in_pieces_on_a_port_of_another_kind(lab, act):
    """What came before it was known may have gone on: never the host that it is for."""
    pieces = f"b'FOO', b' / HT', b'TP/1.1\\r\\nHo', b'st: {B}\\r\\n\\r\\n', pause=0.1"
    script = f"report(say('{A}', {names.COUNT}, {pieces}, end=True))"
    assert act.bare(script)["heard"] != ""
    lab.forget()
    assert act.inside(script, "--allow", f"{A}:{names.COUNT}")["heard"] == ""
    most = len("FOO / HTTP/1.1")
    assert all(e.get("received", 0) <= most for e in lab.seen("stream", event="end"))
    own = script.replace(B, A)
    assert act.inside(own, "--allow", f"{A}:{names.COUNT}")["heard"] != ""


@pytest.mark.parametrize("said", ["b'hello'", "b'GET'", "b'EHLO me\\r\\n'", "b'003egit-upload-pack /x\\0host=a\\0'"])
def test_half_a_line_is_not_held_back_where_anything_is_spoken(lab, act, said):
    script = f"line = socket.create_connection(('{A}', {names.ECHO}), 60)\n"
    script += f"line.sendall({said})\nreport(line.recv(100).decode('latin-1'))"
    assert act.bare(script) != ""
    assert act.inside(script, "--allow", f"{A}:{names.ECHO}") == act.bare(script)
