"""A run that is restricted by its risk starts nothing that it has not started before."""

import json

import pytest

# Hosts that nobody granted: enough of them for that level.
KNOCK = """python3 -c '
import socket
for i in range(60):
    try: socket.getaddrinfo(f"host{i}.example.net", 443)
    except OSError: pass
'; sleep 0.5"""
SCRIPT = f"ls > list; sleep 0; echo before; {KNOCK}; ls > list && echo known; uniq list > /dev/null && echo new; true"
FLAGS = ("--allow", "granted.example.com", "--risk-isolated", "none", "--name", "risky")


@pytest.mark.parametrize("mode", [["--deny-program", "sha256:" + 64 * "0", "--deny-later"], ["--exec", "allow"]], ids=["deny", "allow"])
def test_nothing_new_is_started(ringwall, knows_programs, mode):
    if "allow" in mode:
        mode = [*mode, "--exec-tree", "."]
    result = ringwall.sh(SCRIPT, *FLAGS, *mode, timeout=120)
    assert result.out.split() == ["before", "known"], result
    events = [json.loads(line) for line in ringwall("log", "risky", "--json").out.splitlines()]
    refused = [event for event in events if event["event"] == "refused_program"]
    assert refused and all(event["by_risk"] for event in refused) and refused[0]["path"].endswith("uniq")
    (level,) = [event for event in events if event["event"] == "risk_level" and event["level"] == "restricted"]
    assert "refuse-new-programs" in level["does"]


def test_without_the_level_it_is(ringwall, knows_programs):
    flags = ("--risk-restricted", "none", "--deny-program", "sha256:" + 64 * "0", "--deny-later")
    assert ringwall.sh(SCRIPT, *FLAGS, *flags, timeout=120).out.split() == ["before", "known", "new"]


def test_where_programs_are_not_judged_nobody_says_so(ringwall):
    assert ringwall.sh(SCRIPT, *FLAGS).out.split() == ["before", "known", "new"]
    events = [json.loads(line) for line in ringwall("log", "risky", "--json").out.splitlines()]
    (level,) = [event for event in events if event["event"] == "risk_level" and event["level"] == "restricted"]
    assert "refuse-new-destinations" in level["does"] and "refuse-new-programs" not in level["does"]
