"""What the resolver inside says, and what never leaves."""

import pytest

from lab import names

# A flood of refusals is a risk; here only the flood is looked at.
NO_LEVELS = ("--risk-restricted", "none", "--risk-isolated", "none", "--risk-killed", "none")

WEB = names.full("www")
TYPES = {"A": 1, "NS": 2, "CNAME": 5, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "HTTPS": 65, "ANY": 255}
NO_SUCH_NAME = 3


def test_a_granted_name_has_an_address_that_stands_for_it(lab, act):
    script = f"report([resolve('{WEB}'), resolve('{WEB.upper()}'), resolve('{names.full('api')}')])"
    first, again, other = act.inside(script, "--allow", WEB, "--allow", names.full("api"))
    assert first == again and first != other and len(first) == len(other) == 1
    assert first[0].startswith(("198.18.", "198.19."))
    assert lab.asked() == [], "it is resolved when somebody connects, and not before"


@pytest.mark.parametrize("kind", TYPES)
def test_no_question_leaves(lab, act, kind):
    """Data in the labels of a name, whatever is asked for: bare it arrives."""
    name = f"c2VjcmV0LWtleQ.{names.ZONE}"
    script = f"report(ask('{name}', {TYPES[kind]}, '{names.RESOLVER}'))"
    assert act.bare(script)["code"] == NO_SUCH_NAME
    assert name.lower() in lab.asked()
    lab.forget()
    assert act.inside(script, "--allow", WEB)["code"] == NO_SUCH_NAME
    lab.nothing_left()


@pytest.mark.parametrize("by_tcp", [False, True])
@pytest.mark.parametrize("server", ["127.0.0.1", names.OTHER_RESOLVER, "2606:4700::1"])
def test_every_resolver_is_the_same_one(lab, act, server, by_tcp):
    """A query to an address elsewhere is answered as well, and does not get there."""
    script = f"report([ask(name, 1, '{server}', {by_tcp}) for name in ('{WEB}', '{names.full('api')}')])"
    granted, other = act.inside(script, "--allow", WEB)
    assert granted["code"] == 0 and granted["addresses"][0].startswith(("198.18.", "198.19."))
    assert other == {"code": NO_SUCH_NAME, "count": 0, "addresses": []}
    lab.nothing_left()


def test_only_addresses_of_a_granted_name_are_told(lab, act):
    """It has no other records: they could carry what somebody outside chose."""
    script = f"report([ask('{WEB}', kind)['count'] for kind in {list(TYPES.values())}])"
    counts = dict(zip(TYPES, act.inside(script, "--allow", WEB)))
    assert counts.pop("ANY") <= 1
    assert counts == {kind: int(kind == "A") for kind in counts}


@pytest.mark.parametrize(
    "name",
    [
        f"{WEB}.",
        f"{WEB}..",
        f".{WEB}",
        f"{WEB}%00.evil.{names.ZONE}",
        f"{WEB}\\x00.evil.{names.ZONE}",
        f"{WEB}\\n.evil.{names.ZONE}",
        f"x_{WEB}",
        f"{'a' * 64}.{WEB}",
        f"{'a.' * 130}{names.ZONE}",
        f"evil{WEB}",
        f"{WEB}.evil.net",
        "0x7f000001",
        "2130706433",
        "127.1",
        "017700000001",
        "10.1.2.3.",
    ],
)
def test_names_that_are_not_the_granted_one(lab, act, name):
    """Whatever libc and the resolver make of it, nothing is reached but the granted name."""
    script = f"""
        found = outcome(say, "{name}", 80, get("x", last=True), seconds=3)
        report(found["value"])
        """
    heard = act.inside(script, "--allow", f"{WEB}:80")
    assert "200 OK" not in str(heard), heard
    assert set(lab.asked()) <= {WEB}
    lab.nothing_left(but=(names.RESOLVER, names.WEB, names.WEB6))


def test_a_query_that_is_none_gets_an_error_and_harms_nobody(lab, act):
    script = f"""
        good = query("{WEB}")
        lines = []
        for n in range(len(good)):
            for bad in (good[:n], good[:n] + b"\\xff" * 5):
                line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                line.connect(("127.0.0.1", 53))
                line.send(bad)
                lines.append(line)
        report(ask("{WEB}")["code"])
        """
    assert act.inside(script, "--allow", WEB) == 0
    lab.nothing_left()


def test_names_below_a_wildcard(lab, act):
    wild = f"{names.WILDCARD}.{names.ZONE}"
    script = f"""
        asked = ["a.{wild}", "b.c.{wild}", "{wild}", "x{wild}", "{names.full('api')}"]
        found = [ask(name)["code"] for name in asked]
        before = [outcome(ask, f"n{{n}}.{wild}")["value"]["code"] for n in range(20)]
        report([found, before, say("a.{wild}", 80, get("a.{wild}", last=True))["heard"]])
        """
    codes, more, heard = act.inside(script, "--allow", f"*.{wild}:80")
    assert codes == [0, 0, NO_SUCH_NAME, NO_SUCH_NAME, NO_SUCH_NAME] and set(more) == {0}
    assert f'"host": "a.{wild}"' in heard
    assert set(lab.asked()) == {f"a.{wild}"}, "a name leaves with a connection alone"


@pytest.mark.parametrize("flags, most", [((), 256), (("--wildcard-names", "5"), 5)])
def test_names_below_a_wildcard_are_limited(lab, act, flags, most):
    """They could carry data, so there is an end to them; a name that was used goes on working."""
    wild = f"{names.WILDCARD}.{names.ZONE}"
    script = f"""
        worked = 0
        for n in range({most} + 3):
            name = f"data-{{n}}.{wild}"
            worked += "200 OK" in str(outcome(say, name, 80, get(name, last=True))["value"])
        again = say("data-0.{wild}", 80, get("data-0.{wild}", last=True))
        report([worked, "200 OK" in str(again)])
        """
    assert act.inside(script, "--allow", f"*.{wild}:80", *flags, timeout=120) == [most, True]
    assert len(set(lab.asked())) == most
    assert "--wildcard-names" in act.told


def test_a_denied_name_below_a_granted_wildcard(lab, act):
    flags = ["--allow", f"*.{names.ZONE}:80", "--deny", names.full("api")]
    script = f"report([ask(name)['code'] for name in ('{WEB}', '{names.full('api')}')])"
    assert act.inside(script, *flags) == [0, NO_SUCH_NAME]


def test_localhost_needs_no_grant(lab, act):
    script = "report([resolve('localhost'), ask('localhost')['addresses']])"
    by_libc, by_question = act.inside(script, "--allow", WEB)
    assert "127.0.0.1" in by_libc and by_question == ["127.0.0.1"]
    lab.nothing_left()


def test_many_names_do_not_stop_a_granted_one(lab, act):
    script = f"""
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.connect(("127.0.0.1", 53))
        for n in range(20000):
            line.send(query(f"n{{n}}.{names.ZONE}"))
        report(say("{WEB}", 80, get("{WEB}", last=True))["heard"][:15])
        """
    assert act.inside(script, "--allow", f"{WEB}:80", *NO_LEVELS) == "HTTP/1.1 200 OK"
    assert set(lab.asked()) == {WEB}
    assert len(act.told.splitlines()) < 200, "what is told outside has an end"
