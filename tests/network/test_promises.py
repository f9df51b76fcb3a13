"""P23 to P27 where names really resolve and servers really answer.

`ringwall verify` asks no machine but its own. Here each attack works in the lab once the wall that stops it
is taken away, so each of these tests can fail.
"""

import json

import pytest

from conftest import Act
from lab import names

WEB, API = names.full("www"), names.full("api")


@pytest.fixture
def without(place, bare, mutant):
    """without("network-names") is act with that wall taken away."""
    return lambda walls: Act(place, bare, mutant(walls))


def page(name, port=80, host=None):
    return f"report(outcome(say, '{name}', {port}, get('{host or name}', last=True), seconds=20)['value'])"


def arrived(found):
    return "200 OK" in str(found)


@pytest.mark.parametrize("walls", ["network-namespace", "network-namespace,network-redirect"])
def test_P23_an_address_that_nobody_granted(lab, act, without, walls):
    script = page(names.WEB, host=WEB)
    flags = ["--allow", f"{WEB}:80"]
    assert not arrived(act.inside(script, *flags))
    lab.nothing_left()
    assert arrived(without(walls).inside(script, *flags)), "the test can fail"


def test_P23_without_the_redirect_nothing_leaves_either(lab, without):
    assert not arrived(without("network-redirect").inside(page(names.WEB), "--allow", f"{WEB}:80"))
    lab.nothing_left()


def test_P23_a_name_that_nobody_granted(lab, act, without):
    flags = ["--allow", f"{WEB}:80"]
    assert not arrived(act.inside(page(API), *flags))
    lab.nothing_left()
    assert arrived(without("network-names").inside(page(API), *flags)), "the test can fail"
    assert API in lab.asked()


@pytest.mark.parametrize("kind", [1, 16, 28])
def test_P24_a_secret_in_a_question(lab, act, without, kind):
    name = f"c2VjcmV0.{names.ZONE}"
    script = f"report(ask('{name}', {kind}, '{names.RESOLVER}'))"
    act.inside(script, "--allow", WEB)
    lab.nothing_left()
    without("network-namespace").inside(script, "--allow", WEB)
    assert name.lower() in lab.asked(), "the test can fail"


def test_P24_a_secret_in_the_name_of_a_connection(lab, act, without):
    """Who answers for every name sends it out with the connection that follows."""
    name = f"c2vjcmv0.{names.ZONE}"
    assert act.inside(page(name), "--allow", f"{WEB}:80") == "no such name"
    lab.nothing_left()
    without("network-names").inside(page(name), "--allow", f"{WEB}:80")
    assert name in lab.asked(), "the test can fail"


def test_P24_names_below_a_wildcard_leave_with_a_connection_alone_and_are_limited(lab, act):
    asked = [f"n{number}.{names.ZONE}" for number in range(6)]
    flags = ["--allow", f"*.{names.ZONE}:80", "--wildcard-names", "4"]
    act.inside(f"report([resolve(name) for name in {asked}])", *flags)
    lab.nothing_left()
    act.inside(f"report([outcome(say, name, 80, get(name))['value'] for name in {asked}])", *flags)
    assert {name for name in lab.asked() if name in asked} == set(asked[:4])


@pytest.mark.parametrize("name", ["rebind", "mixed", "metadata", "shared", "home", "nat64", "unique-local"])
def test_P25_a_granted_name_that_leads_to_a_private_address(lab, act, without, name):
    flags = ["--allow", f"{names.full(name)}:80"]
    assert not arrived(act.inside(page(names.full(name)), *flags))
    assert lab.seen("web") == []
    lab.nothing_left(but=(names.RESOLVER,))
    found = without("network-addresses").inside(page(names.full(name)), *flags)
    assert arrived(found), "the test can fail"


def test_P25_this_machine_by_a_granted_name(lab, act, without):
    for name, port in (("loopback", names.LOOPBACK_PORT), ("own", names.OWN_ADDRESS_PORT)):
        whole = names.full(name)
        flags = ["--allow", f"{whole}:{port}"]
        assert not arrived(act.inside(page(whole, port), *flags))
        assert arrived(without("network-addresses").inside(page(whole, port), *flags)), "the test can fail"


def test_P26_a_granted_name_at_any_port(lab, act, without):
    script = f"""
        import os
        named = [name for name in os.environ if name.lower().endswith("_proxy")]
        echoed = outcome(talk, "{names.full('streams')}", {names.ECHO}, b"any bytes")["value"]
        report([named, str(outcome(say, "{WEB}", 80, get("{WEB}", last=True))["value"]), str(echoed)])
        """
    flags = ["--allow", f"{WEB}:80", "--allow", f"{names.full('streams')}:{names.ECHO}"]
    proxies, heard, echoed = act.inside(script, *flags)
    assert proxies == [] and arrived(heard) and "any bytes" in echoed
    proxies, heard, echoed = without("network-redirect").inside(script, *flags)
    assert not arrived(heard) and "any bytes" not in echoed, "the test can fail"


def test_P27_another_tenant_of_the_same_address(lab, act, without):
    """In the clear by Host, and on the second request of a connection."""
    granted, other = names.full("tenant-a"), names.full("tenant-b")
    script = f"""
        first = say("{granted}", 80, get("{other}", last=True))["heard"]
        both = say("{granted}", 80, get("{granted}") + get("{other}", last=True))["heard"]
        report([first, both])
        """
    flags = ["--allow", f"{granted}:80"]
    first, both = act.inside(script, *flags)
    assert first.startswith("HTTP/1.1 403") and other not in both
    assert other not in lab.hosts()
    lab.forget()
    without("network-names").inside(script, *flags)
    assert lab.hosts().count(other) == 2, "the test can fail"


def test_P27_another_tenant_in_TLS(lab, act, without):
    granted, other = names.full("tenant-a"), names.full("tenant-b")
    script = f"report([starts_tls(say('{granted}', 443, hello(name), end=True)) for name in ('{granted}', '{other}')])"
    assert act.inside(script, "--allow", granted) == ["server hello", "alert 49"]
    assert without("network-names").inside(script, "--allow", granted)[1] != "alert 49", "the test can fail"


def test_P29_the_login_of_the_proxy_is_in_no_memory_inside(lab, act, place):
    """Every process in sight, as far as it can be read, while connections go through the proxy."""
    login = place.home / "proxy-login"
    login.write_text(f"{names.PROXY_USER}:{names.PROXY_PASSWORD}\n")
    script = f"""
        import base64, glob, os
        arrives = "200 OK" in str(say("{WEB}", 80, get("{WEB}", last=True)))
        parts = ["{names.PROXY_PASSWORD[:7]}" + "{names.PROXY_PASSWORD[7:]}"]
        found, opened = [], 0
        for folder in glob.glob("/proc/[0-9]*"):
            if folder == f"/proc/{{os.getpid()}}":
                continue
            for name in ("environ", "cmdline", "mem"):
                try:
                    file = open(f"{{folder}}/{{name}}", "rb", 0)
                    data = file.read() if name != "mem" else b""
                    for line in open(f"{{folder}}/maps") if name == "mem" else ():
                        start, end = (int(x, 16) for x in line.split()[0].split("-"))
                        if line.split()[1][0] != "r" or end > 1 << 47:
                            continue
                        file.seek(start)
                        data += file.read(end - start)
                    opened += 1
                    found += [f"{{folder}}/{{name}}" for part in parts if part.encode() in data]
                except OSError:
                    pass
        report([arrives, found])
        """
    proxy = f"http://{names.full('proxy')}:{names.PROXY_PORT}"
    flags = ["--allow", f"{WEB}:80", "--upstream", proxy, "--upstream-login", login]
    assert act.inside(script, *flags) == [True, []]


@pytest.mark.parametrize("grants", [[WEB, f"{WEB}:80"], [f"*.{names.ZONE}"]], ids=["name", "wildcard"])
def test_P27_in_a_run_that_is_going_on(lab, ringwall, mutant, knows_programs, grants):
    """`ringwall verify RUN` tries it by a name that the run is granted, and nothing leaves by that."""

    def tried(runner):
        flags = [word for grant in grants for word in ("--allow", grant)]
        run = runner.start("run", "--name", "live", *flags, "--", "sleep", "600")
        try:
            runner.wait_for_run("live")
            rows = json.loads(runner("verify", "live", "--json", timeout=300).out)["rows"]
            return {row["number"]: row["result"] for row in rows}
        finally:
            run.terminate()
            run.communicate(timeout=120)

    found = tried(ringwall)
    assert found["P27"] == "pass" and found["P26"] == "skip"
    lab.nothing_left()
    assert tried(mutant("network-names"))["P27"] == "fail", "the test can fail"
