"""How many bytes may leave: per name and in all, counted and enforced."""

import pytest

from lab import names

WEB, API = names.full("www"), names.full("api")
STREAMS = names.full("streams")


def upload(name, count, port=80):
    head = f"b'PUT / HTTP/1.1\\r\\nHost: {name}\\r\\nConnection: close\\r\\nContent-Length: {count}\\r\\n\\r\\n'"
    return f"outcome(say, '{name}', {port}, {head} + bytes({count}), seconds=20)['value']"


def test_less_than_the_limit(lab, act):
    assert "200 OK" in str(act.inside(f"report({upload(WEB, 90_000)})", "--allow", f"{WEB}:80", "--upload-limit", "100 KB"))
    assert act.told == ""


@pytest.mark.parametrize("count", [200_000, 5_000_000])
def test_more_than_the_limit(lab, act, count):
    script = f"report({upload(WEB, count)})"
    assert "200 OK" in str(act.bare(script))
    lab.forget()
    found = act.inside(script, "--allow", f"{WEB}:80", "--upload-limit", "100 KB")
    assert "200 OK" not in str(found), found
    assert "timeout" not in str(found)
    assert "than upload_limit allows" in act.told and "--upload-limit SIZE" in act.told and WEB in act.told
    received = sum(e["received"] for e in lab.seen("web", event="request"))
    assert received <= 100_000


def test_the_limit_counts_over_connections(lab, act):
    script = f"report([{upload(WEB, 40_000)} for n in range(5)])"
    found = act.inside(script, "--allow", f"{WEB}:80", "--upload-limit", "100 KB")
    worked = ["200 OK" in str(entry) for entry in found]
    assert worked == [True, True, False, False, False], found


def test_the_limit_holds_for_raw_streams(lab, act):
    script = f"report(outcome(say, '{STREAMS}', {names.COUNT}, bytes(3_000_000), end=True, seconds=20)['value'])"
    found = act.inside(script, "--allow", f"{STREAMS}:{names.COUNT}", "--upload-limit", "1 MB")
    assert "ECONNRESET" in str(found) or "EPIPE" in str(found), found
    end = lab.reader.wait_for("stream", event="end", kind="count")
    assert end.get("received", 0) <= 1_000_000


def test_what_comes_down_is_not_counted(lab, act):
    script = f"report(len(say('{WEB}', 80, get('{WEB}', '/bytes/3000000', last=True))['heard']))"
    assert act.inside(script, "--allow", f"{WEB}:80", "--upload-limit", "10 KB") > 3_000_000


def test_each_name_has_its_own_limit(lab, act):
    script = f"report([{upload(WEB, 90_000)}, {upload(API, 90_000)}])"
    flags = ["--allow", f"{WEB}:80", "--allow", f"{API}:80"]
    each = act.inside(script, *flags, "--upload-limit", "100 KB")
    assert ["200 OK" in str(entry) for entry in each] == [True, True]


def test_all_names_together_have_a_limit(lab, act):
    script = f"report([{upload(WEB, 90_000)}, {upload(API, 90_000)}])"
    flags = ["--allow", f"{WEB}:80", "--allow", f"{API}:80"]
    both = act.inside(script, *flags, "--upload-total", "100 KB")
    assert ["200 OK" in str(entry) for entry in both] == [True, False]
    assert "than upload_total allows" in act.told and "--upload-total SIZE" in act.told
    assert "limit" not in act.told


@pytest.mark.parametrize("size", ["x", "-1", "10 PBX", ""])
def test_a_limit_that_is_none(lab, ringwall, size):
    result = ringwall.sh("echo RAN", "--allow", WEB, "--upload-limit", size)
    assert result.status != 0 and "RAN" not in result.out


def test_an_address_has_its_limit_too(lab, act):
    script = f"report([outcome(say, '{names.STREAMS}', {names.COUNT}, bytes(40_000), end=True, seconds=10)['value'] for n in range(5)])"
    found = act.inside(script, "--allow", f"{names.STREAMS}:{names.COUNT}", "--upload-limit", "100 KB")
    assert ["40000" in str(entry) for entry in found] == [True, True, False, False, False], found
    assert "upload_limit" in act.told, act.told
