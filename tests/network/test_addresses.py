"""Where a granted name may lead: to the public internet, unless somebody said otherwise."""

import pytest

from lab import names

# The name, and the address that must never be tried for it.
PRIVATE = {
    "rebind": names.PRIVATE,
    "mixed": names.PRIVATE,
    "mixed-six": "fd00::1",
    "metadata": names.METADATA,
    "shared": "100.64.0.1",
    "home": "192.168.1.1",
    "loopback": "127.0.0.1",
    "loopback-six": "::1",
    "nowhere": "0.0.0.0",
    "nowhere-six": "::",
    "multicast": "224.0.0.251",
    "broadcast": "255.255.255.255",
    "reserved": "240.0.0.1",
    "benchmark": "198.18.0.1",
    "own": names.HOST_PUBLIC,
    "own-six": names.HOST_PUBLIC6,
    "unique-local": "fd00::1",
    "link-local": "fe80::1",
    "mapped": names.PRIVATE,
    "compatible": names.PRIVATE,
    "nat64": "64:ff9b::a01:203",
    "nat64-local": "64:ff9b:1::a01:203",
    "nat64-own": "64:ff9b::5db8:d902",
    "sixtofour": "2002:a01:203::1",
    "teredo": "2001:0:a01:203::1",
    "alias-private": names.PRIVATE,
    "listed-private": names.PRIVATE,
}
REACHED_BARE = ["rebind", "metadata", "shared", "home", "own", "own-six", "unique-local", "nat64", "nat64-own", "listed-private"]


def page(name, port=80):
    whole = names.full(name)
    return f"report(outcome(say, '{whole}', {port}, get('{whole}', last=True), seconds=20))"


@pytest.mark.parametrize("name", PRIVATE)
def test_a_name_that_leads_to_an_address_that_is_not_public(lab, act, name):
    port = names.OWN_ADDRESS_PORT if name.startswith("own") else 80
    script = page(name, port)
    if name in REACHED_BARE:
        assert "200 OK" in str(act.bare(script)["value"])
    lab.forget()
    found = act.inside(script, "--allow", f"{names.full(name)}:{port}")
    assert "200 OK" not in str(found["value"]), found
    assert found["seconds"] < 5
    assert lab.seen("web") == [], "no server heard of it, near or far"
    lab.nothing_left(but=(names.RESOLVER,))
    assert names.full(name) in act.told


@pytest.mark.parametrize("name", ["rebind", "metadata", "shared"])
def test_the_page_says_what_is_wrong(lab, act, name):
    heard = act.inside(page(name), "--allow", f"{names.full(name)}:80")["value"]["heard"]
    assert heard.startswith("HTTP/1.1 403") and PRIVATE[name] in heard, heard


@pytest.mark.parametrize("name", ["corporate", "mixed", "rebind"])
def test_a_name_that_may_be_private(lab, act, name):
    """For a company's own servers: the same name, allowed by name."""
    whole = names.full(name)
    flags = ["--allow", f"{whole}:80"]
    assert "200 OK" not in str(act.inside(page(name), *flags)["value"])
    assert "200 OK" in str(act.inside(page(name), *flags, "--private", whole)["value"])
    assert act.told == ""


def test_private_is_for_that_name_alone(lab, act):
    flags = ["--allow", f"*.{names.ZONE}:80", "--private", names.full("corporate")]
    assert "200 OK" in str(act.inside(page("corporate"), *flags)["value"])
    assert "200 OK" not in str(act.inside(page("rebind"), *flags)["value"])


def test_a_private_name_still_needs_its_grant(lab, act):
    found = act.inside(page("corporate"), "--private", names.full("corporate"), "--allow", names.full("www"))
    assert "200 OK" not in str(found["value"])
    lab.nothing_left()


@pytest.mark.parametrize("name", ["loopback", "own", "metadata"])
def test_private_names_lead_to_no_loopback_of_the_host(lab, act, name):
    """What a company's name may be is another machine; this one has --reach-host."""
    port = {"loopback": names.LOOPBACK_PORT, "own": names.OWN_ADDRESS_PORT, "metadata": 80}[name]
    whole = names.full(name)
    script = page(name, port)
    assert "200 OK" in str(act.bare(script)["value"])
    lab.forget()
    found = act.inside(script, "--allow", f"{whole}:{port}", "--private", whole)
    assert "200 OK" not in str(found["value"])
    assert lab.seen("web") == []


def test_a_name_that_changes_its_mind(lab, act):
    """Public when it is looked at, private when it is dialled: the address that was looked at is dialled."""
    whole = names.full("flip")
    script = f"report([outcome(say, '{whole}', 80, get('{whole}', last=True))['value'] for n in range(20)])"
    bare = act.bare(script)
    assert any(names.PRIVATE in heard["heard"] for heard in bare)
    lab.forget()
    for heard in map(str, act.inside(script, "--allow", f"{whole}:80")):
        assert names.PRIVATE not in heard or "403" in heard
    assert names.PRIVATE not in [packet[1] for packet in lab.left()]
    assert names.PRIVATE not in [e["to"] for e in lab.seen("web")]


@pytest.mark.parametrize("name", ["listed", "alias", "many", "six"])
def test_public_names_of_other_kinds_work(lab, act, name):
    found = act.inside(page(name), "--allow", f"{names.full(name)}:80")
    assert "200 OK" in str(found["value"]), (found, act.told)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", names.HOST, names.HOST_PUBLIC])
def test_the_hosts_own_servers(lab, act, address):
    """Inside, loopback is the sandbox's own; the host's other addresses are nobody's."""
    ports = [names.LOOPBACK_PORT, names.OTHER_LOOPBACK_PORT, names.OWN_ADDRESS_PORT]
    script = f"report([connect('{address}', port)['value'] for port in {ports}])"
    assert "connected" in act.bare(script)
    lab.forget()
    assert act.inside(script, "--allow", names.full("www")) == ["ECONNREFUSED"] * 3
    assert lab.seen("web") == []


NOT_OF_A_BLOCK = {"169.254.169.254": 80, names.HOST: names.OWN_ADDRESS_PORT, names.HOST_PUBLIC: names.OWN_ADDRESS_PORT}


@pytest.mark.parametrize("address", NOT_OF_A_BLOCK)
def test_a_block_opens_neither_metadata_services_nor_this_machine(lab, act, address):
    """Who means these names them."""
    port = NOT_OF_A_BLOCK[address]
    script = f"report(str(outcome(say, '{address}', {port}, get('x', last=True))['value']))"
    assert "200 OK" in act.bare(script)
    lab.forget()
    assert "200 OK" not in act.inside(script, "--allow", "0.0.0.0/0:*")
    assert lab.seen("web") == [] and "does not include" in act.told and "--allow 169" not in act.told
    assert "200 OK" in act.inside(script, "--allow", f"{address}:{port}")
    other = f"report(str(outcome(say, '{names.WEB}', 80, get('x', last=True))['value']))"
    assert "200 OK" in act.inside(other, "--allow", "0.0.0.0/0:*")


@pytest.mark.parametrize("denied", [names.WEB, "93.184.216.0/24"])
def test_a_name_that_leads_to_a_denied_address(lab, act, denied):
    """What is denied wins, whichever way leads to it."""
    flags = ["--allow", f"{names.full('www')}:80"]
    assert "200 OK" in str(act.inside(page("www"), *flags)["value"])
    lab.forget()
    found = act.inside(page("www"), *flags, "--deny", denied)
    assert "200 OK" not in str(found["value"]), found
    assert lab.seen("web") == []
    assert names.WEB in act.told and "denied by" in act.told


@pytest.mark.parametrize("name", ["nat64-public", "sixtofour-public"])
@pytest.mark.parametrize("denied", [names.WEB, "93.184.216.0/24:80"])
def test_a_denied_address_by_a_translator_or_a_tunnel(lab, act, name, denied):
    """It carries the address that it leads to."""
    script, flags = page(name), ["--allow", f"{names.full(name)}:80"]
    assert "200 OK" in str(act.bare(script)["value"])
    assert "200 OK" in str(act.inside(script, *flags)["value"])
    lab.forget()
    found = act.inside(script, *flags, "--deny", denied)
    assert "200 OK" not in str(found["value"]), found
    assert "denied by" in act.told
    lab.nothing_left(but=(names.RESOLVER,))


def test_an_address_that_is_denied_at_another_port(lab, act):
    flags = ["--allow", f"{names.full('www')}:80", "--deny", f"{names.WEB}:8080"]
    assert "200 OK" in str(act.inside(page("www"), *flags)["value"])
