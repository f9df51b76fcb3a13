"""The lab without any wall: clients work there, and so do the attacks that a wall must stop.

These are the bare halves of the other tests: what fails here for another reason shows nothing there.
"""

import os
import socket
import subprocess
import time

import pytest

import attempts
import clients
from lab import names

WEB = names.full("www")


@pytest.mark.parametrize("name", clients.NAMES)
def test_a_client_works_bare(lab, kit, bare, name):
    client = clients.named(name, lab, kit)
    result = bare("sh", "-c", client.script, env={"NODE_EXTRA_CA_CERTS": lab.certificate})
    assert result.status == 0 and client.sign in result.out, result


def test_nothing_but_the_lab_is_near():
    """Two networks, one cable: there is no way out of this machine."""
    links = subprocess.check_output(["ip", "-o", "link"], text=True)
    assert [line.split(": ")[1].split("@")[0] for line in links.splitlines()] == ["lo", "rw0"]


def test_an_ordinary_user_has_no_rights_here():
    held = [line for line in open("/proc/self/status") if line.startswith("CapEff")]
    assert os.getuid() == 0 or int(held[0].split()[1], 16) == 0


# The attacks


def test_another_tenant_is_reached_by_its_name_in_the_hello(lab, bare):
    other = names.full("tenant-b")
    script = f"curl -sS --connect-to {other}:443:{names.full('tenant-a')}:443 https://{other}/"
    assert f'"sni": "{other}"' in bare("sh", "-c", script).out
    assert lab.asked() and other not in lab.asked(), "the resolver never saw that name"


def test_another_tenant_is_reached_by_a_second_request(lab):
    first, second = names.full("tenant-a"), names.full("tenant-b")
    attempts.talk(names.TENANTS, 80, attempts.get(first) + attempts.get(second, last=True))
    assert lab.hosts() == [first, second]


def test_bytes_are_smuggled_behind_an_upgrade(lab):
    head = attempts.get(names.full("tenant-a"), **{"Connection": "Upgrade", "Upgrade": "h2c"})
    attempts.talk(names.TENANTS, 80, head + b"PRI * HTTP/2.0\r\n\r\nsmuggled")
    assert "smuggled" in lab.reader.wait_for("web", event="upgraded")["data"]


@pytest.mark.parametrize("address", [names.METADATA, names.PRIVATE, "100.64.0.1", "192.168.1.1", "fd00::1"])
def test_private_addresses_answer(lab, address):
    assert b'"to": "%s"' % address.encode() in attempts.talk(address, 80, attempts.get("x", last=True))


def test_names_that_lie_lead_to_private_addresses(lab):
    for name in ("rebind", "metadata", "shared", "alias-private", "unique-local"):
        reached = attempts.talk(names.full(name), 80, attempts.get("x", last=True))
        assert b'"to": "' in reached, name
    assert names.PRIVATE in [packet[1] for packet in lab.left()]


def test_a_name_carries_data_to_the_resolver(lab):
    name = f"c2VjcmV0LWtleQ.{names.ZONE}"
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo(name, 443)
    assert name.lower() in lab.asked()


def test_a_resolver_elsewhere_answers(lab):
    query = attempts.query(WEB)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(5)
        line.sendto(query, (names.OTHER_RESOLVER, 53))
        assert socket.inet_aton(names.WEB) in line.recv(512)
    assert (17, names.OTHER_RESOLVER, 53) in lab.left()


def test_datagrams_leave(lab):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(5)
        line.sendto(b"outward", (names.STREAMS, names.UDP_ECHO))
        assert line.recv(100) == b"outward"
    assert lab.seen("datagram", data="outward")


def test_the_host_answers_on_loopback_and_on_its_own_addresses(lab):
    for address, port in [
        ("127.0.0.1", names.LOOPBACK_PORT),
        ("::1", names.OTHER_LOOPBACK_PORT),
        (names.HOST, names.OWN_ADDRESS_PORT),
        (names.HOST_PUBLIC, names.OWN_ADDRESS_PORT),
        (names.HOST_PUBLIC6, names.OWN_ADDRESS_PORT),
    ]:
        assert b'"to"' in attempts.talk(address, port, attempts.get("x", last=True)), address


# The servers that other tests rely on


def test_what_was_done_before_does_not_count(lab):
    """Servers and the tap write down what they saw when they get to it."""
    for n in range(300):
        socket.create_connection((names.WEB, (80, 443, 22)[n % 3]), 10).close()
    lab.forget()
    time.sleep(0.3)
    assert lab.seen() == []


def test_how_names_resolve():
    def addresses(name):
        found = socket.getaddrinfo(names.full(name), 443, proto=socket.IPPROTO_TCP)
        return sorted({entry[4][0] for entry in found})

    assert addresses("www") == [names.WEB6, names.WEB]
    assert addresses("mixed") == [names.PRIVATE, names.WEB]
    assert addresses("alias") == [names.WEB6, names.WEB]
    assert addresses("listed") == [names.WEB]
    assert addresses("anything.at.all.wild") == [names.WEB]
    assert len(addresses("many")) == 100
    assert addresses("nat64") == ["64:ff9b::a01:203"]
    assert {addresses("flip")[0] for _ in range(2)} == {names.WEB, names.PRIVATE}
    for name in ("gone", "broken", "empty"):
        with pytest.raises(socket.gaierror):
            addresses(name)


def test_the_corporate_proxy_wants_its_password(lab, bare):
    address = f"{names.full('proxy')}:{names.PROXY_PORT}"
    password = names.PROXY_PASSWORD.replace(":", "%3A").replace("/", "%2F")
    ask = f"curl -sS https://{WEB}/ -x http://"
    assert "407" in bare("sh", "-c", f"{ask}{address}").err
    assert WEB in bare("sh", "-c", f"{ask}{names.PROXY_USER}:{password}@{address}").out
    assert [e["allowed"] for e in lab.seen("proxy", target=f"{WEB}:443")] == [False, True]


def test_half_closes_and_resets():
    assert attempts.talk(names.STREAMS, names.COUNT, b"12345").startswith(b"5 ")
    assert len(attempts.talk(names.STREAMS, names.PUSH, b"")) == 262144
    with pytest.raises(ConnectionResetError):
        attempts.talk(names.STREAMS, names.RESET, b"x", end=False)
