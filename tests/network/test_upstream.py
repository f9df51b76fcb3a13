"""A corporate proxy on the way out: what passes through it, and what does not any more."""

import pytest

from lab import names

WEB = names.full("www")
PROXY = f"http://{names.full('proxy')}:{names.PROXY_PORT}"


@pytest.fixture
def login(place):
    """A file outside the workspace with the password of the proxy."""
    file = place.home / "proxy-login"
    file.write_text(f"{names.PROXY_USER}:{names.PROXY_PASSWORD}\n")
    file.chmod(0o600)
    return file


@pytest.fixture
def through(login):
    """The flags that take connections through the proxy."""
    return ["--upstream", PROXY, "--upstream-login", login]


def page(name=WEB, port=80):
    return f"report(outcome(say, '{name}', {port}, get('{name}', last=True))['value'])"


@pytest.mark.parametrize("scheme, port", [("https", 443), ("http", 80)])
def test_connections_go_through_it(lab, ringwall, through, scheme, port):
    flags = ["--allow", f"{WEB}:{port}", *through]
    assert f'"host": "{WEB}"' in ringwall.sh(f"curl -sS {scheme}://{WEB}/", *flags).out
    said = [(e["method"], e["target"], e["allowed"]) for e in lab.seen("proxy")]
    assert said == [("CONNECT", f"{WEB}:{port}", True)]
    dialled = {to for _, to, to_port in lab.left() if to_port != 53}
    assert dialled == {names.PROXY}, "nothing else"
    asked = {e["name"] for e in lab.seen("dns") if e["sender"] == names.HOST}
    assert asked == {names.full("proxy")}, "the proxy resolves"


def test_its_password_never_comes_inside(lab, ringwall, through, login):
    """Not by environment, arguments or files."""
    script = f"""
        env; cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr '\\0' '\\n'
        cat {login} 2>&1; grep -rs 'pass[/]word' /tmp /etc ~ . ; true"""
    out = ringwall.sh(script, "--allow", WEB, *through).out
    assert "pass/word" not in out and names.PROXY_USER not in out


def test_a_password_in_its_address_is_refused(lab, ringwall):
    """It would stand in the list of processes, and in policies that are shared."""
    url = f"http://{names.PROXY_USER}:secretword@{names.full('proxy')}:{names.PROXY_PORT}"
    result = ringwall.sh("echo RAN", "--allow", WEB, "--upstream", url)
    assert result.status != 0 and "RAN" not in result.out, result
    assert "secretword" not in result.err


@pytest.mark.parametrize("content", ["wrong:password", "", "no colon", "two:lines\nare:two"])
def test_a_login_that_does_not_do(lab, ringwall, through, login, content):
    login.write_text(content)
    script = f"curl -sS --fail --max-time 5 http://{WEB}/"
    result = ringwall.sh(script, "--allow", f"{WEB}:80", *through)
    assert WEB not in result.out and result.status != 0
    assert names.WEB not in [packet[1] for packet in lab.left()]
    if content == "wrong:password":
        assert "proxy" in result.err and "password" in result.err and WEB in result.err, result
        assert "it was given the login in the file of --upstream-login, and refused it" in result.err
        assert content not in result.err
    else:
        result.refused("proxy-login")


def test_a_login_that_was_not_given(lab, ringwall):
    result = ringwall.sh(f"curl -sS --max-time 5 http://{WEB}/", "--allow", f"{WEB}:80", "--upstream", PROXY)
    assert "give it one: ringwall run --upstream-login FILE" in result.err, result


def test_the_name_is_judged_before_the_proxy_hears_of_it(lab, act, through):
    api = names.full("api")
    script = f"""
        other = outcome(say, "{api}", 80, b"x")["value"]
        report([other, say("{WEB}", 80, get("{api}"))["heard"]])
        """
    name, heard = act.inside(script, "--allow", f"{WEB}:80", *through)
    assert name == "no such name" and heard.startswith("HTTP/1.1 403")
    assert lab.seen("proxy") == []


def test_literal_addresses_do_not_go_through_it(lab, act, through):
    """The proxy would be asked for them, and nobody could check: they are refused."""
    script = f"report(outcome(say, '{names.WEB}', 80, get('x', last=True))['value'])"
    flags = ["--allow", f"{names.WEB}:80"]
    assert "200 OK" in str(act.inside(script, *flags))
    lab.forget()
    assert "200 OK" not in str(act.inside(script, *flags, *through))
    assert lab.seen("proxy") == []
    lab.nothing_left(but=(names.RESOLVER, names.PROXY))


def test_a_proxy_that_is_not_there(lab, act):
    gone = f"http://{names.full('proxy')}:3129"
    found = act.inside(page(), "--allow", f"{WEB}:80", "--upstream", gone)
    assert "200 OK" not in str(found)
    assert names.WEB not in [packet[1] for packet in lab.left()], "no way around it"
    assert "the upstream proxy cannot be reached" in act.told and "network.upstream" in act.told


def test_a_proxy_on_a_private_address(lab, act, login):
    """A company's proxy is where it is: somebody named it."""
    flags = ["--upstream", f"http://{names.CORPORATE}:{names.PROXY_PORT}", "--upstream-login", login]
    assert "200 OK" in str(act.inside(page(), "--allow", f"{WEB}:80", *flags))


@pytest.mark.parametrize("url", ["socks5://x:1080", "http://", "proxy.corp:3128/path", "http://a b:1/", "http://x:99999"])
def test_an_address_of_a_proxy_that_is_none(lab, ringwall, url):
    result = ringwall.sh("echo RAN", "--allow", WEB, "--upstream", url)
    assert result.status != 0 and "RAN" not in result.out and "upstream" in result.err, result


@pytest.mark.parametrize("is_link", [False, True])
def test_a_login_that_would_be_seen_inside(lab, ringwall, place, login, is_link):
    """It is said to stay outside, so it must not lie in the workspace, nor be led to from there."""
    shown = place.work / "proxy-login"
    shown.symlink_to(login) if is_link else shown.write_text(login.read_text())
    result = ringwall.sh("cat proxy-login", "--allow", WEB, "--upstream", PROXY, "--upstream-login", shown)
    result.refused("proxy-login", "may read")
    assert "pass" not in result.out
