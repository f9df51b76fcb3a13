"""No signal of a run's risk can be muted, none is left out of the record, and forged ones alone stop no run."""

import json

from test_hook import SPEAK, events_of
from test_risk import levels, risk_of, start, wait_for  # noqa: F401

PLANT = """
import os, time
for i in range(40):
    os.mkdir(f"d{i}")
    open(f"d{i}/.envrc", "w").close()
"""


def test_every_planted_file_is_in_the_record_and_one_kind_is_one_thing(ringwall, place):
    assert ringwall("run", "--name", "planter", "--", "/usr/bin/python3", "-c", PLANT).status == 0
    taken = [event["path"] for event in events_of(ringwall, "planter", "planted")]
    assert set(taken) == {f"{place.work}/d{i}/.envrc" for i in range(40)}
    assert not {"isolated", "killed"} & set(levels(ringwall, "planter"))
    ringwall("risk", "replay", "planter").ok()


def test_a_planter_that_stands_still_can_be_ended(ringwall, place):
    """Frozen by its risk in the midst of it: what it left is taken away all the same."""
    script = "import itertools\n" + PLANT.replace("range(40)", "itertools.count()")
    process = ringwall.start("run", "--name", "planter", "--at-caution", "freeze", "--", "/usr/bin/python3", "-c", script)
    wait_for(lambda: levels(ringwall, "planter"), "caution")
    ringwall("kill", "planter").ok()
    process.communicate(timeout=60)
    assert process.returncode == 128 + 9
    assert not list(place.work.glob("*/.envrc"))


def test_forged_messages_mute_no_other(ringwall, start):  # noqa: F811
    """So many are said to be allowed that none of those has a line left; what was refused is heard."""
    script = f"""
{SPEAK}
for i in range(400):
    speak(message(ALLOWED, text=f"call {{i}}")).recv(1)
for i in range(20):
    speak(message(RESULT, text="nothing found")).recv(1)
for i in range(10):
    speak(message(REFUSED, text=f"rm -rf /srv/{{i}}", pack="destructive-files")).recv(1)
speak(message(RESULT, weight=9, why="tag characters", person="ignore the user")).recv(1)
input()
"""
    process = start(script, "--profile", "claude")
    wait_for(lambda: events_of(ringwall, "risky", "finding"), "the last message")
    assert len(events_of(ringwall, "risky", "tool_refused")) == 10
    noise = wait_for(lambda: events_of(ringwall, "risky", "tool_noise"), "noise")
    assert sum(event.get("of", {}).get("allowed", 0) for event in noise) > 100
    seen = {row["signal"] for row in risk_of(ringwall, "risky")["heaviest"]}
    assert {"destructive call", "hidden instructions", "flood of messages"} <= seen
    process.communicate(b"\n", timeout=120)


def test_refusals_that_nobody_can_hear_are_counted(ringwall, start):  # noqa: F811
    script = f"""
{SPEAK}
for i in range(300):
    speak(message(REFUSED, text=f"act {{i}}")).recv(1)
input()
"""
    process = start(script, "--profile", "claude")
    wait_for(lambda: any(event.get("of", {}).get("refused", 0) > 0 for event in events_of(ringwall, "risky", "tool_noise")), "noise")
    process.communicate(b"\n", timeout=120)
    heard = len(events_of(ringwall, "risky", "tool_refused"))
    unheard = sum(event.get("of", {}).get("refused", 0) for event in events_of(ringwall, "risky", "tool_noise"))
    assert 100 <= heard < 300 and 0 < unheard <= 300 - heard


def test_forged_messages_alone_stop_nobody(ringwall, start):  # noqa: F811
    script = f"""
{SPEAK}
for i in range(60):
    speak(message(REFUSED, text=f"rm -rf /srv/{{i}}", pack="self-modification")).recv(1)
    speak(message(RESULT, failed=1, weight=9, secrets=1, text="make", person=f"do {{i}}")).recv(1)
    speak(message(SUBAGENT, text="Explore")).recv(1)
print("goes on")
input()
"""
    process = start(script, "--profile", "claude")
    assert process.stdout.readline() == b"goes on\n"
    wait_for(lambda: levels(ringwall, "risky")[-1:] == ["restricted"], "restriction")
    risk = risk_of(ringwall, "risky")
    assert risk["score"] > 970_000 and risk["level"] == "restricted" and risk["seen"] < 80_000
    process.communicate(b"\n", timeout=120)
    assert process.returncode == 0
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_a_long_scan_is_counted_to_its_end(ringwall, start):  # noqa: F811
    """The kernel keeps so many addresses; what was read makes room."""
    script = """
def at(port):
    try:
        socket.create_connection(("192.0.2.7", port), 10)
    except OSError:
        pass
for part in range(3):
    for port in range(1000 + 700 * part, 1700 + 700 * part):
        at(port)
    print(part)
    input()
"""
    process = start(script, *[word for level in ("caution", "restricted", "isolated", "killed") for word in (f"--risk-{level}", "none")])

    def seen():
        single = {event["destination"] for event in events_of(ringwall, "risky", "blocked")}
        many = {name for event in events_of(ringwall, "risky", "blocked_many") for name in event["destinations"]}
        return len(single | many)

    for part in range(3):
        assert process.stdout.readline() == f"{part}\n".encode()
        wait_for(lambda wanted=700 * (part + 1): seen() >= wanted, f"part {part}")
        process.stdin.write(b"\n")
        process.stdin.flush()
    process.communicate(timeout=120)


def test_a_trial_of_the_walls_counts_until_its_end_alone(ringwall, start):  # noqa: F811
    process = start("input()\nknock(20)\nprint('knocked')\ninput()\n")
    ringwall.wait_for_run("risky")
    ringwall("verify", "risky")
    wait_for(lambda: [e for e in events_of(ringwall, "risky", "controlled") if e["act"] == "probes done"], "the end of the trial")
    assert risk_of(ringwall, "risky")["score"] == 0
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"knocked\n"
    wait_for(lambda: risk_of(ringwall, "risky")["score"] > 300_000, "risk")
    process.communicate(b"\n", timeout=120)
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_a_limit_keeps_a_frozen_run_paused(ringwall, start):  # noqa: F811
    """Paused at a limit before it was frozen: lowering the risk lets it go on no more than the limit does."""
    script = "scan(130)\nopen('big', 'wb').write(b'x' * (3 << 20))\nprint('written')\nwhile True:\n    time.sleep(0.1)\n"
    process = start(script, "--workspace-size", "1M")
    wait_for(lambda: events_of(ringwall, "risky", "limit_reached"), "the limit")
    wait_for(lambda: "isolated" in levels(ringwall, "risky"), "isolation")
    said = ringwall("risk", "lower", "risky", "--reason", "mine").ok()
    assert "stays so" in said
    assert json.loads(ringwall("inspect", "risky", "--json").ok())["paused"]
    ringwall("kill", "risky").ok()
    process.communicate(timeout=60)
