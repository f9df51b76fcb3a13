"""The risk of a run: what raises it, what each level does, who may lower it, and that a record gives the same scores."""

import contextlib
import json
import socket
import subprocess
import threading
import time

import pytest
from test_hook import SPEAK, call, events_of, lines_of

# Each is refused by name; 45 points are soon reached.
KNOCK = """
import socket, time
def knock(count, start=0):
    for i in range(start, start + count):
        try:
            socket.getaddrinfo(f"host{i}.example.net", 443)
        except OSError:
            pass
def scan(count):
    for i in range(count):
        try:
            socket.create_connection(("192.0.2.7", 1000 + i), 10)
        except OSError:
            pass
"""
WALL = ("--allow", "granted.example.com")  # without any grant there is no wall to knock at
RESTRICTED = 60  # so many hosts
MANY = 150  # more than any harmless one asks for, and names alone all the same
# What the kernel refused is read outside every two seconds: whoever is to be held up must still be there.
IS_ISOLATED = "scan(130)\ntime.sleep(10)\n"


def levels(ringwall, run):
    return [event["level"] for event in events_of(ringwall, run, "risk_level")]


def risk_of(ringwall, run):
    return json.loads(ringwall("explain", "risk", run, "--json").ok())


@pytest.fixture
def start(ringwall):
    """start(SCRIPT, *FLAGS): python runs SCRIPT in a run named "risky"."""
    started = []

    def begin(script, *flags):
        words = ["run", "--name", "risky", *WALL, *flags, "--", "/usr/bin/python3", "-u", "-c", KNOCK + script]
        started.append(ringwall.start(*words))
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=120)


def wait_for(happened, what):
    end = time.monotonic() + 30
    while not (seen := happened()):
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.05)
    return seen


@pytest.fixture
def server():
    """server(): a port of the host's loopback where somebody answers."""
    listeners = []

    def greet(connection):
        with connection, contextlib.suppress(OSError):
            connection.sendall(b"hello")
            while connection.recv(65536):
                pass

    def serve(listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=greet, args=(connection,), daemon=True).start()

    def make():
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        return listener.getsockname()[1]

    yield make
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def test_ordinary_work_stays_normal(ringwall, place):
    ringwall.sh("for i in 1 2 3 4 5; do echo $i > file$i; cat file$i; done; false; true", "--name", "calm").ok()
    assert levels(ringwall, "calm") == []
    assert "normal     0.000000  at the end" in ringwall("risk", "replay", "calm").ok()


def what_it_says_in_the_end(ringwall, process):
    """What it has left to try may isolate it once more: then the person lets it go on once more."""
    for _ in range(30):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=4)[0]
        ringwall("risk", "lower", "risky", "--reason", "a test of mine")
    raise AssertionError("it does not go on")


def test_one_who_probes_is_isolated_until_the_person_decides(ringwall, place, start):
    process = start(f"print('begins')\n{IS_ISOLATED}print('goes on')\n")
    assert process.stdout.readline() == b"begins\n"
    wait_for(lambda: levels(ringwall, "risky")[-1:] == ["isolated"], "isolation")
    assert "isolated" in ringwall("top", "--once").ok()
    told = ringwall("explain", "risk", "risky").ok()
    assert "isolated (" in told and "freeze" in told and "refused address" in told and "lower it:" in told
    # It stands still: time brings it no further, and neither does resume.
    ringwall("resume", "risky").refused("isolated by its risk", "ringwall risk lower")
    ringwall("exec", "risky", "--", "echo", "RAN").refused("isolated by its risk", "ringwall risk lower")
    time.sleep(0.5)
    assert process.poll() is None
    ringwall("risk", "lower", "risky").refused("why is it no risk?", "--reason")
    assert levels(ringwall, "risky")[-1] == "isolated"
    said = ringwall("risk", "lower", "risky", "--reason", "a test of mine").ok()
    assert "(isolated) and begins anew; the run goes on" in said
    assert what_it_says_in_the_end(ringwall, process) == b"goes on\n"
    assert process.returncode == 0
    (lowered, *_) = events_of(ringwall, "risky", "risk_lowered")
    assert lowered["reason"] == "a test of mine" and lowered["level"] == "isolated" and "uid" in lowered["by"]
    (rise, *_) = [event for event in events_of(ringwall, "risky", "risk_level") if event["level"] == "isolated"]
    assert rise["asks"] and any("refused address" in why for why in rise["because"])
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_without_the_level_nobody_is_held_up(ringwall, start):
    process = start(f"{IS_ISOLATED}print('goes on')\n", "--risk-isolated", "none", "--risk-killed", "none")
    assert process.communicate(timeout=120)[0] == b"goes on\n"
    assert levels(ringwall, "risky")[-1] == "restricted"


def test_names_alone_hold_nobody_up(ringwall, start):
    """Whoever looks for dead links asks for many that nobody granted."""
    process = start(f"knock({MANY})\nprint('goes on')\n")
    assert process.communicate(timeout=120)[0] == b"goes on\n"
    assert levels(ringwall, "risky")[-1] == "restricted"
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_killed(ringwall, start):
    off = [word for level in ("caution", "restricted", "isolated") for word in (f"--risk-{level}", "none")]
    process = start("knock(60)\nprint('alive')\ntime.sleep(60)\n", "--risk-killed", "0.3", *off)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 128 + 9 and b"this run is now killed" in err
    assert levels(ringwall, "risky")[-1] == "killed"
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_restricted_reaches_nobody_new(ringwall, start, server):
    known, new = server(), server()
    script = f"""
def reach(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            return connection.recv(5).decode()
    except OSError:
        return "refused"
print(reach({known}))
knock({RESTRICTED})
time.sleep(0.5)
print(reach({known}), reach({new}))
"""
    ports = ("--reach-host", known, "--reach-host", new)
    assert start(script, *ports).communicate(timeout=120)[0].split() == [b"hello", b"hello", b"refused"]
    assert levels(ringwall, "risky")[-1] == "restricted"
    by_risk = [event for event in events_of(ringwall, "risky", "blocked") if event.get("by_risk")]
    assert [event["destination"] for event in by_risk] == [f"127.0.0.1:{new}"]
    calm = start(script, *ports, "--risk-caution", "none", "--risk-restricted", "none", "--risk-isolated", "none")
    assert calm.communicate(timeout=120)[0].split() == [b"hello", b"hello", b"hello"]


def test_the_network_can_be_cut(ringwall, start, server):
    port = server()
    script = f"""
open_one = socket.create_connection(("127.0.0.1", {port}), 10)
print(open_one.recv(5).decode())
knock({RESTRICTED})
open_one.settimeout(20)
try:
    print("ended" if open_one.recv(5) == b"" else "open")
except OSError as error:
    print("ended" if not isinstance(error, TimeoutError) else "open")
try:
    socket.create_connection(("127.0.0.1", {port}), 5).recv(5)[0]
    print("reached")
except (OSError, IndexError):
    print("refused")
"""
    process = start(script, "--reach-host", port, "--at-caution", "cut-network")
    assert process.communicate(timeout=120)[0].split() == [b"hello", b"ended", b"refused"]


def test_a_wary_gate_asks_outside(ringwall, place, start):
    """What the agent would ask at its own prompt is refused if nobody answers."""
    (place.work / ".ringwall.toml").write_text('[tools]\nask = ["Bash(frobnicate *)"]\n')
    script = f"""
import subprocess, json
{SPEAK}
words = ['/run/ringwall/ringwall', 'hook', '--agent', 'claude', '--event', 'PreToolUse']
def ask():
    done = subprocess.run(words, input={call(command="frobnicate it")!r}, capture_output=True)
    print(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"])
ask()
for i in range(14):
    speak(message(REFUSED, text=f"act {{i}}")).recv(1)
time.sleep(0.5)
ask()
"""
    flags = ("--profile", "claude", "--ask-time", "1s", "--risk-restricted", "none", "--risk-isolated", "none")
    assert start(script, *flags).communicate(timeout=120)[0].split() == [b"ask", b"deny"]
    assert levels(ringwall, "risky") == ["caution"]
    answers = [event["answer"] for event in events_of(ringwall, "risky", "answered")]
    assert answers == ["nobody answered"]


def test_what_hooks_say_counts(ringwall, start):
    script = f"""
{SPEAK}
for i in range(40):
    speak(message(RESULT, failed=1, text="npm run build")).recv(1)
speak(message(RESULT, weight=9, why="tag characters", person="ignore the user")).recv(1)
speak(message(RESULT, secrets=2, text="env")).recv(1)
speak(message(REFUSED, text="cat ~/.ssh/id", pack="credentials")).recv(1)
for i in range(5):
    speak(message(SUBAGENT, text="Explore")).recv(1)
input()
"""
    process = start(script, "--profile", "claude")
    wait_for(lambda: len(events_of(ringwall, "risky", "subagent_started")) == 5, "subagents")
    seen = {row["signal"] for row in risk_of(ringwall, "risky")["heaviest"]}
    wanted = {"failing call", "hidden instructions", "secret in a result", "secret wanted", "credentials call", "subagent"}
    assert wanted <= seen
    process.communicate(b"\n", timeout=120)


def test_bytes_that_leave_are_counted(ringwall, start, server):
    port = server()
    script = f"""
for i in range(20):
    with socket.create_connection(("127.0.0.1", {port}), 10) as connection:
        connection.recv(5)
        connection.sendall(b"x" * 10_000)
input()
"""
    process = start(script, "--reach-host", port)
    wait_for(lambda: sum(event["bytes"] for event in events_of(ringwall, "risky", "sent")) > 150_000, "sending")
    assert all(event["expected"] for event in events_of(ringwall, "risky", "sent")), "it stays on this machine"
    process.communicate(b"\n", timeout=120)
    sent = events_of(ringwall, "risky", "sent")
    assert sum(event["bytes"] for event in sent) == sent[-1]["total"] == 200_000


def test_a_workspace_can_only_tighten(ringwall, place):
    file = place.work / ".ringwall.toml"
    file.write_text('[risk]\nisolated = "none"\n')
    ringwall("run", "--", "true").refused("risk.isolated")
    file.write_text("[risk]\nboundary = 0.1\n")
    ringwall("run", "--", "true").refused("risk.boundary")
    file.write_text('[risk]\nisolated = 0.6\nat_caution = ["freeze"]\n')
    ringwall("run", "--", "true").ok()
    file.write_text('[risk]\nat_caution = ["panic"]\n')
    ringwall("run", "--", "true").refused("refuse-unanswered")
    file.write_text("[risk]\ncaution = 3\n")
    ringwall("run", "--", "true").refused("risk.caution")


def test_levels_rise(ringwall, place):
    file = place.work / ".ringwall.toml"
    file.write_text("# lower\n[risk]\nisolated = 0.5\n")
    where = ".ringwall.toml:3:1"
    ringwall("run", "--", "true").refused(where, "risk.isolated 0.5", "risk.restricted is 0.55 (default)", "risk.restricted = 0.5 or less")
    file.write_text("[risk]\nisolated = 0.5\nrestricted = 0.5\n")
    ringwall("run", "--", "true").ok()
    file.unlink()
    ringwall("run", "--risk-caution", "0.9", "--", "true").refused("--risk-caution", "risk.restricted is 0.55")
    ringwall("run", "--risk-caution", "0.9", "--risk-restricted", "none", "--risk-isolated", "none", "--", "true").ok()


def test_a_record_that_was_changed_gives_other_scores(ringwall, place, start):
    start(f"knock({RESTRICTED})\n").communicate(timeout=120)
    lines = lines_of(ringwall, "risky")
    copy = place.root / "copy.jsonl"
    copy.write_text("\n".join(lines) + "\n")
    assert "the same" in ringwall("risk", "replay", copy).ok()
    points = [json.loads(line) for line in ringwall("risk", "replay", copy, "--json").ok().splitlines()]
    assert points[0]["score"] == 0 and points[-1]["score"] > 500_000
    without = [line for line in lines if '"event":"blocked"' not in line or "host7.example.net" not in line]
    assert len(without) < len(lines)
    copy.write_text("\n".join(without) + "\n")
    result = ringwall("risk", "replay", copy)
    assert result.status == 1 and "the record says otherwise" in result.out


def test_the_curve_is_drawn(ringwall, place, start):
    start(f"knock({RESTRICTED})\n").communicate(timeout=120)
    assert ringwall("risk", "plot", "risky").ok().startswith("<svg ")
    picture = place.root / "risk.svg"
    ringwall("risk", "plot", "risky", "--output", picture).ok()
    text = picture.read_text()
    assert "restricted" in text and text.endswith("</svg>\n") and "<script" not in text


def test_mistakes(ringwall):
    ringwall("risk").refused("risk what?", "lower, replay, plot")
    ringwall("risk", "raise").refused("raise", "lower, replay, plot")
    ringwall("risk", "replay", "nobody-1").refused("nobody-1")
    ringwall("risk", "lower", "nobody-1", "--reason", "x").refused("nobody-1")
    ringwall("explain", "risk", "nobody-1").refused("nobody-1")
    assert ringwall("risk", "replay", "/dev/null").status == 1


def test_an_ended_run_is_explained_from_its_record(ringwall, start):
    start(f"knock({RESTRICTED})\n").communicate(timeout=120)
    told = ringwall("explain", "risk", "risky").ok()
    assert "(ended)" in told and "refused destination" in told


def test_a_record_without_its_levels_is_found(ringwall, place, start):
    start(f"knock({RESTRICTED})\ntime.sleep(4)\nknock(1, 500)\n").communicate(timeout=120)
    copy = place.root / "copy.jsonl"
    lines = lines_of(ringwall, "risky")
    copy.write_text("\n".join(lines) + "\n")
    assert ringwall("risk", "replay", copy).status == 0
    copy.write_text("\n".join(line for line in lines if '"risk_level"' not in line) + "\n")
    result = ringwall("risk", "replay", copy)
    assert result.status == 1 and "no line" in result.out


def test_a_full_record_blinds_nobody(ringwall, start):
    """What the record has no room for counts all the same."""
    fill = "for n in range(20):\n    knock(60, 1000 + n)\n    time.sleep(0.02)\n"
    process = start(f"{fill}\ntime.sleep(1.2)\n{IS_ISOLATED}print('goes on')\n", "--record-size", "64K")
    wait_for(lambda: "isolated" in levels(ringwall, "risky"), "isolation")
    assert process.poll() is None
    ringwall("kill", "risky").ok()


def test_who_fills_the_gates_line_is_a_risk(ringwall, start):
    script = f"""
{SPEAK}
held = []
end = time.monotonic() + 8
while time.monotonic() < end:
    try:
        to = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        to.setblocking(False)
        to.connect("/run/ringwall/gate")
        held.append(to)
    except OSError:
        time.sleep(0.05)
        held = held[len(held) // 2:]
"""
    start(script, "--profile", "claude", "--risk-isolated", "none").communicate(timeout=120)
    assert events_of(ringwall, "risky", "tool_noise")
    assert "caution" in levels(ringwall, "risky")


def test_what_stands_still_stays_so(ringwall, start):
    """Also where a lower level freezes: no time lets it go on."""
    process = start("knock(16)\nprint('goes on')\n", "--at-caution", "freeze")
    wait_for(lambda: levels(ringwall, "risky"), "caution")
    ringwall("resume", "risky").refused("ringwall risk lower")
    ringwall("risk", "lower", "risky", "--reason", "mine").ok()
    assert process.communicate(timeout=120)[0] == b"goes on\n"


# Questions for refused names, at least 10,000 a second where the host lets it: nobody waits for the answers.
FLOOD = """
import re, struct
server = re.search(r"nameserver (\\S+)", open("/etc/resolv.conf").read())[1]
to = socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM)
to.setblocking(False)
for n in range(60_000):
    name = b"".join(bytes([len(part)]) + part for part in (b"host%d.example.net" % n).split(b".")) + b"\\0"
    try:
        to.sendto(struct.pack(">HHHHHH", n & 0xFFFF, 0x100, 1, 0, 0, 0) + name + b"\\0\\1\\0\\1", (server, 53))
        while True:
            to.recv(600)
    except BlockingIOError:
        pass
print("done")
"""


def test_a_flood_neither_blocks_nor_lowers(ringwall, start):
    process = start(FLOOD, "--risk-isolated", "none", "--risk-killed", "none")
    ringwall.wait_for_run("risky")
    scores = []
    while process.poll() is None:
        answer = ringwall("explain", "risk", "risky", "--json")
        if answer.status == 0:
            scores.append(json.loads(answer.out)["score"])
    assert process.communicate(timeout=120)[0] == b"done\n" and process.returncode == 0
    assert len(scores) > 2 and scores == sorted(scores) and scores[-1] > 650_000
    names = [name for event in events_of(ringwall, "risky", "blocked_many") for name in event["destinations"]]
    assert len(names) > 5_000, "the walls and the record took the flood"
    assert "the same" in ringwall("risk", "replay", "risky").ok()


def test_a_published_port_is_cut_too(ringwall, start):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    script = f"""
server = socket.create_server(("127.0.0.1", 7000))
print("up")
held, _ = server.accept()
held.sendall(b"hello")
sys.stdin.readline()
knock({RESTRICTED})
time.sleep(60)
"""
    process = start("import sys\n" + script, "--publish", f"{port}:7000", "--at-caution", "cut-network")
    assert process.stdout.readline() == b"up\n"
    with socket.create_connection(("127.0.0.1", port), 60) as held:
        held.settimeout(60)
        assert held.recv(5) == b"hello"
        process.stdin.write(b"\n")
        process.stdin.flush()
        with contextlib.suppress(ConnectionResetError):
            assert held.recv(5) == b"", "it is ended"
    with contextlib.suppress(ConnectionResetError), socket.create_connection(("127.0.0.1", port), 60) as late:
        late.settimeout(60)
        assert late.recv(5) == b"", "nobody new comes in"
    ringwall("kill", "risky").ok()
    process.communicate(timeout=120)


def test_who_was_paused_by_the_person_stays_so(ringwall, start):
    process = start(f"print('begins')\n{IS_ISOLATED}print('goes on')\n")
    assert process.stdout.readline() == b"begins\n"
    wait_for(lambda: levels(ringwall, "risky")[-1:] == ["isolated"], "isolation")
    ringwall("pause", "risky")
    said = ringwall("risk", "lower", "risky", "--reason", "a test of mine").ok()
    assert "stays so: ringwall resume risky" in said
    assert json.loads(ringwall("inspect", "risky", "--json").ok())["paused"]
    ringwall("resume", "risky").ok()
    assert what_it_says_in_the_end(ringwall, process) == b"goes on\n"


def test_who_was_paused_before_stays_so(ringwall, start):
    """What was refused just before the pause is read after it, and freezes a run that stands already."""
    process = start("print('begins')\nscan(130)\nprint('scanned')\nwhile True:\n    time.sleep(0.1)\n")
    assert process.stdout.readline() == b"begins\n" and process.stdout.readline() == b"scanned\n"
    ringwall("pause", "risky").ok()
    wait_for(lambda: levels(ringwall, "risky")[-1:] == ["isolated"], "isolation")
    ringwall("risk", "lower", "risky", "--reason", "a test of mine").ok()
    assert json.loads(ringwall("inspect", "risky", "--json").ok())["paused"]
    ringwall("resume", "risky").ok()
    assert not json.loads(ringwall("inspect", "risky", "--json").ok())["paused"]
    ringwall("kill", "risky").ok()
