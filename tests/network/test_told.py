"""What is said outside: one line for each thing that was refused, with the flag that would allow it."""

import re

import pytest

from lab import names

WEB, API = names.full("www"), names.full("api")


def lines(told, word):
    return [line for line in told.splitlines() if word in line]


def test_a_refused_name(lab, ringwall):
    """What was tried, by which program, and the flag; once, however often it was tried."""
    result = ringwall.sh(f"for n in 1 2 3; do curl -s https://{API}/; done; true", "--allow", WEB)
    told = lines(result.err, API)
    assert len([line for line in told if "curl" in line]) == 1, result
    assert f"--allow {API}" in result.err


def test_the_flag_that_is_named_works(lab, ringwall):
    script = f"curl -sS http://{API}/ || true"
    told = ringwall.sh(script, "--allow", WEB).err
    flag = re.search(r"--allow (\S+)", told)
    assert flag, told
    # A name that nobody may resolve tells nothing of the port; the default is 443.
    result = ringwall.sh(f"curl -sS https://{API}/", "--allow", flag.group(1))
    assert API in result.out, result


def test_the_port_of_a_name(lab, ringwall):
    """A question for a name says nothing of the port; the one who asks may, and else the line does not guess."""
    forge = names.full("git")
    told = ringwall.sh(f"ssh -o BatchMode=yes {forge} true; curl -s http://{API}/; true", "--allow", WEB).err
    assert f"--allow {forge}:22 …" in told, told
    assert f"--allow {API} … (port 443; add :PORT for another)" in told, told


def test_a_refused_private_address_names_its_flag(lab, ringwall):
    name = names.full("rebind")
    result = ringwall.sh(f"curl -s http://{name}/ >/dev/null; true", "--allow", f"{name}:80")
    assert name in result.err and names.PRIVATE in result.err, result
    assert f"--private {name}" in result.err


@pytest.mark.parametrize("name, port", [("metadata", 80), ("own", names.OWN_ADDRESS_PORT), ("loopback", names.LOOPBACK_PORT)])
def test_no_flag_is_named_that_would_not_help(lab, act, name, port):
    """--private is for other machines; and nobody is told how to open a metadata service."""
    whole = names.full(name)
    act.inside(f"report(outcome(say, '{whole}', {port}, get('{whole}', last=True))['value'])", "--allow", f"{whole}:{port}")
    assert f"refused {whole}:{port}" in act.told, act.told
    assert "--private" not in act.told and "--allow" not in act.told, act.told
    assert (f"--reach-host {port}" in act.told) == (name == "loopback"), act.told


NOT_ADVISED = {"169.254.169.254": "", "198.18.77.5": "name the host"}


@pytest.mark.parametrize("address", NOT_ADVISED)
def test_an_address_that_is_not_to_be_granted(lab, act, address):
    act.inside(f"report(connect('{address}', 80))", "--allow", f"{WEB}:443")
    assert f"refused {address}:80" in act.told, act.told
    assert "--allow" not in act.told and NOT_ADVISED[address] in act.told, act.told


def test_what_was_granted_and_not_reached(lab, act):
    """A port where nobody listens, a name that nobody knows: asked for it was."""
    gone = f"gone.{names.ZONE}"
    script = f"report([outcome(say, '{WEB}', 7, b'x')['value'], outcome(say, '{gone}', 80, get('{gone}'))['value']])"
    act.inside(script, "-v", "--allow", f"{WEB}:7", "--allow", f"{gone}:80")
    assert re.search(rf"{re.escape(WEB)}:7 +1x +not reached: ", act.told), act.told
    assert re.search(rf"{re.escape(gone)}:80 +\d+x +not reached: its name cannot be resolved", act.told), act.told
    assert "refused" not in act.told.lower().replace("connection refused", ""), act.told


def test_more_refusals_than_are_told(lab, ringwall):
    """The person hears that there are more, once, and where they are."""
    result = ringwall.sh(f"for n in $(seq 25); do curl -s https://n$n.{API}/; done; true", "--name", "many", "--allow", WEB)
    assert len(lines(result.err, "ringwall: refused")) == 20
    assert len(lines(result.err, "not told one by one")) == 1 and "ringwall log many --network" in result.err, result
    result = ringwall.sh(f"for n in $(seq 20) 1 2; do curl -s https://n$n.{API}/; done; true", "--allow", WEB)
    assert "one by one" not in result.err


@pytest.mark.parametrize("script", ["getent hosts www.example.com", "curl -s http://93.184.216.34/"])
def test_a_run_without_any_network_says_so(lab, ringwall, script):
    """Nobody is there who could hear what was asked for; that something was is known all the same."""
    result = ringwall.sh(f"{script}; true")
    assert len(lines(result.err, "this run had no network")) == 1 and "--allow HOST" in result.err, result
    assert ringwall.sh("true").err == ""
    assert "this run had no network" in ringwall.sh("true", "-v").err
    # Who wants it so is not told.
    assert ringwall.sh(f"{script}; true", "--no-network").err == ""
    assert "--allow" not in ringwall.sh(f"{script}; true", "--no-network", "-v").err


def test_loopback_is_no_network(ringwall):
    """A program that talks to itself has looked for nothing."""
    script = """
import socket
server = socket.create_server(("127.0.0.1", 0))
line = socket.create_connection(server.getsockname())
datagrams = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for n in range(2)]
datagrams[0].bind(("127.0.0.1", 0))
datagrams[1].sendto(b"x", datagrams[0].getsockname())
try:
    socket.create_connection(("127.0.0.1", 9))
except ConnectionRefusedError:
    print("DONE")
"""
    result = ringwall.python(script)
    assert "DONE" in result.out and result.err == "", result


REFUSED_BY_KERNEL = [
    (names.PRIVATE, 22, f"{names.PRIVATE}:22"),
    (names.WEB6, 80, f"'[{names.WEB6}]:80'"),
    (WEB, 22, f"{WEB}:22"),
    (names.WEB, 443, names.WEB),
]


@pytest.mark.parametrize("host, port, flag", REFUSED_BY_KERNEL)
def test_what_the_kernel_refuses_is_told_in_the_end(lab, act, host, port, flag):
    """At once for the program, and as any other refusal for the person; the flag works."""
    script = f"report([connect('{host}', {port}) for n in range(3)])"
    found = act.inside(script, "-v", "--allow", WEB)
    assert [entry["value"] for entry in found] == ["ECONNREFUSED"] * 3
    shown = f"[{host}]" if ":" in host else host
    assert len(lines(act.told, "ringwall: refused")) == 1 and f"--allow {flag} …" in act.told, act.told
    assert re.search(rf"{re.escape(shown)}:{port} +3x +refused", act.told), act.told
    found = act.inside(script, "--allow", WEB, "--allow", flag.strip("'"))
    assert [entry["value"] for entry in found] == ["connected"] * 3 and act.told == ""


def test_more_than_the_kernel_keeps(lab, act):
    """They are refused all the same, and nobody reads a thousand lines."""
    script = "report({connect(f'10.7.{n // 250}.{n % 250 + 1}', 22)['value'] for n in range(300)} == {'ECONNREFUSED'})"
    assert act.inside(script, "--allow", WEB, "--risk-isolated", "none", "--risk-killed", "none") is True
    assert 0 < len(lines(act.told, "ringwall: refused")) <= 20
    lab.nothing_left()


def test_hostile_names_are_quoted(lab, act):
    """A name comes from inside: no control character of it reaches the terminal."""
    script = """
        for name in ("esc\\x1b[31m.net", "bell\\x07.net", "new\\nline.net", "\\x9b.net", "ringwall: all good"):
            outcome(ask, name, seconds=2)
        report(1)
        """
    act.inside(script, "--allow", WEB)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\x9b]", act.told), repr(act.told)
    assert not any(line.startswith("ringwall: all good") for line in act.told.splitlines())


def test_silence_when_all_is_granted(lab, ringwall):
    ringwall.sh(f"curl -sS https://{WEB}/ >/dev/null", "--allow", WEB).ok()


def test_a_table_at_the_end(lab, ringwall):
    """What was asked for, how often, and what came of it; only for who wants it."""
    script = f"curl -sS https://{WEB}/ >/dev/null; curl -s https://{API}/; true"
    plain, table = (ringwall.sh(script, *flags, "--allow", WEB).err for flags in ((), ("-v",)))
    assert not lines(plain, WEB)
    assert re.search(rf"{re.escape(WEB)}:443 +1x +reached", table), table
    assert re.search(rf"{re.escape(API)} +\d+x +refused", table), table


@pytest.mark.parametrize("command", [["explain", "connect", f"{WEB}:443"], ["explain", "connect", f"{API}:443"]])
def test_explain_agrees(lab, ringwall, place, command):
    (place.work / ".ringwall.toml").unlink(missing_ok=True)
    policy = place.home / "mine.toml"
    policy.write_text(f'[network]\nallow = ["{WEB}"]\n')
    said = ringwall(*command, "--policy", policy).out
    works = ringwall.sh(f"curl -sS https://{command[2]}/", "--policy", policy).status == 0
    assert said.startswith("yes") == works, said
    policy.unlink()
