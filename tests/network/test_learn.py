"""ringwall learn and the network: what was refused is proposed, and works with it; nothing leaves before."""

import json

import pytest

from lab import names

WEB, API = names.full("www"), names.full("api")


@pytest.fixture
def learn(lab, ringwall):
    def run(script, *flags):
        result = ringwall("learn", "--json", *flags, "--", "sh", "-c", script)
        found = [json.loads(line) for line in result.err.splitlines() if '"learned"' in line]
        assert len(found) == 1, result
        return found[0]

    return run


def hosts(found):
    return {entry["value"] for entry in found["proposed"] if entry["key"] == "network.allow"}


def test_a_refused_host_is_proposed_and_works_with_the_policy(lab, ringwall, place):
    policy = place.root / "learned.toml"
    command = ("curl", "-sS", f"https://{WEB}/")
    result = ringwall("learn", "--write", policy, "--", *command)
    assert result.status != 0 and WEB in result.err
    lab.nothing_left()
    assert f'"{WEB}",  # ' in policy.read_text() and "by curl" in policy.read_text()
    assert WEB in ringwall("run", "--policy", policy, "--", *command).out


def test_a_port_of_a_granted_name(lab, learn):
    found = learn(f"curl -sS http://{WEB}:8080/", "--allow", WEB)
    assert hosts(found) == {f"{WEB}:8080"}, found
    lab.nothing_left()


@pytest.mark.parametrize("port", [80, 8080, 9418])
def test_the_port_of_a_name_that_is_not_granted(lab, learn, port):
    """The name is answered, so that whoever asked says which port it wants."""
    found = learn(f"curl -sS --max-time 5 http://{WEB}:{port}/; curl -sS https://{API}/")
    assert hosts(found) == {f"{WEB}:{port}", API}, found
    assert all(entry["programs"] == ["curl"] for entry in found["proposed"] if entry["key"] == "network.allow"), found
    lab.nothing_left()


def test_what_is_granted_works_while_learning(lab, ringwall):
    result = ringwall("learn", "--allow", WEB, "--", "sh", "-c", f"curl -sS https://{WEB}/; curl -s https://{API}/")
    assert WEB in result.out and f"--allow {API}" in result.err, result


def test_private_ones_are_marked(lab, learn):
    found = learn(f"curl -s http://{names.PRIVATE}/; curl -s http://{names.METADATA}/; curl -s http://db.internal/")
    assert hosts(found) == set(), found
    assert {entry["what"] for entry in found["left_out"]} == {f"{names.PRIVATE}:80", f"{names.METADATA}:80", "db.internal:80"}
    lab.nothing_left()


def test_a_name_that_leads_to_a_private_address(lab, learn):
    name = names.full("rebind")
    found = learn(f"curl -s http://{name}/", "--allow", f"{name}:80")
    assert hosts(found) == set()
    assert [entry["why"] for entry in found["left_out"] if name in entry["what"]][0].startswith("it leads to")


def test_without_a_network_nothing_is_asked(lab, learn):
    assert hosts(learn(f"curl -s https://{WEB}/", "--no-network")) == set()


def test_no_flood_of_names_reaches_the_list(lab, learn):
    """What finds no room is not lost without a word, and the file stays one that can be read."""
    found = learn("for n in $(seq 1 300); do getent hosts host$n.example.com; done")
    assert len(hosts(found)) <= 100
    assert sum(entry["times"] for entry in found["left_out"]) >= 200
