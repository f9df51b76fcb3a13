"""What the person changes while a run goes on: granted, denied, asked and answered, from outside only."""

import json
import time

import pytest

from lab import names

# A flood of refusals is a risk; here only the flood is looked at.
NO_LEVELS = ("--risk-restricted", "none", "--risk-isolated", "none", "--risk-killed", "none")

WEB, API = names.full("www"), names.full("api")

# Reads "HOST PORT" line by line, and tells what came of a request there.
VISITOR = """
import sys
from attempts import *
print("up", flush=True)
for line in sys.stdin:
    host, port = line.split()
    found = outcome(say, host, int(port), get(host, last=True), seconds=20)
    value = found["value"]
    print(json.dumps(value if isinstance(value, str) else value["heard"][:12]), flush=True)
"""


class Visitor:
    """A run that visits what it is told to."""

    def __init__(self, ringwall, *flags, name="live"):
        self.ringwall, self.name = ringwall, name
        words = ["run", "--name", name, *flags, "--", "/usr/bin/python3", "-B", "-c", VISITOR]
        self.process = ringwall.start(*words)
        assert self.process.stdout.readline() == b"up\n", self.process.stderr.read()
        ringwall.wait_for_run(name)

    def send(self, host, port=80):
        self.process.stdin.write(f"{host} {port}\n".encode())
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())

    def visit(self, host, port=80):
        self.send(host, port)
        return self.answer()

    def describe(self):
        return json.loads(self.ringwall("inspect", self.name, "--json").ok())

    def waiting(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.describe()["waiting"]:
                return found
            time.sleep(0.02)
        raise AssertionError("nothing waits")

    def end(self):
        _, err = self.process.communicate(timeout=120)
        return err.decode()

    def log(self):
        return [json.loads(line) for line in self.ringwall("log", self.name, "--json").ok().splitlines()]


@pytest.fixture
def visitor(act, ringwall):
    made = []

    def make(*flags, **options):
        made.append(Visitor(ringwall, *flags, **options))
        return made[-1]

    yield make
    for one in made:
        if one.process.poll() is None:
            one.end()


@pytest.mark.parametrize("flags", [(), ("--allow", names.full("files"))], ids=["no wall yet", "a wall"])
def test_a_host_is_granted_and_denied_while_it_goes_on(lab, visitor, ringwall, flags):
    live = visitor(*flags)
    assert "HTTP" not in live.visit(WEB)
    lab.nothing_left()
    ringwall("allow", "live", f"{WEB}:80").ok()
    assert live.visit(WEB) == "HTTP/1.1 200"
    assert "HTTP" not in live.visit(API)
    assert live.visit(WEB, 8080) == "ECONNREFUSED"  # the port was not named
    ringwall("allow", f"{names.WEB}:80").ok()  # the only run; an address
    assert live.visit(names.WEB) == "HTTP/1.1 200"
    ringwall("deny", "live", WEB).ok()
    assert "HTTP" not in live.visit(WEB)
    ringwall("allow", "live", f"{WEB}:80").ok()  # the last word holds
    assert live.visit(WEB) == "HTTP/1.1 200"
    ringwall("deny", "live", WEB).ok()
    ringwall("allow", "live").refused("is a run")
    live.end()
    changes = [e["change"] for e in live.log() if e["event"] == "policy_changed"]
    again = [f"deny {WEB}:*", f"allow {WEB}:80", f"deny {WEB}:*"]
    assert changes == [f"allow {WEB}:80", f"allow {names.WEB}:80", *again]
    assert all("uid" in e["by"] for e in live.log() if e["event"] == "policy_changed")
    assert [e["destination"] for e in live.log() if e["event"] == "connected"] == [f"{WEB}:80", f"{names.WEB}:80", f"{WEB}:80"]


def test_a_grant_can_have_an_end(lab, visitor, ringwall):
    live = visitor()
    ringwall("allow", f"{WEB}:80", "--for", "1s").ok()
    assert live.visit(WEB) == "HTTP/1.1 200"
    time.sleep(1.2)
    assert "HTTP" not in live.visit(WEB)


def test_a_grant_after_a_denial_has_no_end_of_an_earlier_one(lab, visitor, ringwall):
    live = visitor()
    ringwall("allow", f"{WEB}:80", "--for", "1s").ok()
    ringwall("deny", "live", WEB).ok()
    ringwall("allow", f"{WEB}:80").ok()
    time.sleep(1.2)
    assert live.visit(WEB) == "HTTP/1.1 200"


def test_a_denial_while_the_name_is_looked_up(lab, visitor, ringwall):
    """The connection was granted when it was asked for, and is not made any more."""
    slow = names.full("slow")
    order = ["connected"]
    # Its resolver takes three seconds, and a slow machine may take longer to deny.
    for number in range(10):
        if order[0] == "policy_changed":
            break
        live = visitor("--allow", f"{slow}:80", name=f"live-{number}")
        live.send(slow)
        lab.reader.wait_for("dns", name=slow)
        ringwall("deny", live.name, slow).ok()
        heard = live.answer()
        live.end()
        order = [e["event"] for e in live.log() if e["event"] in ("connected", "policy_changed")]
        lab.forget()
    assert order == ["policy_changed"]
    assert heard == "HTTP/1.1 403"


def test_a_denied_address_ends_what_is_open_by_a_name(lab, act, ringwall):
    script = f"""
        line = socket.create_connection(("{WEB}", 80), 20)
        line.sendall(b"GET / HTTP/1.1\\r\\nHost: {WEB}\\r\\n\\r\\n")
        line.recv(100)
        print("open", flush=True)
        try:
            while line.recv(65536):
                pass
        except ConnectionResetError:
            pass
        again = outcome(say, "{WEB}", 80, get("{WEB}", last=True), seconds=20)
        print(json.dumps(str(again["value"])))
        """
    process = ringwall.start("run", "--name", "live", "--allow", f"{WEB}:80", "--", "/usr/bin/python3", "-B", "-c", act.program(script))
    assert process.stdout.readline() == b"open\n"
    ringwall("deny", "live", names.WEB).ok()
    out, _ = process.communicate(timeout=120)
    assert b"200 OK" not in out and b"denied" in out


def test_a_denial_ends_what_is_open(lab, act, ringwall):
    script = f"""
        line = socket.create_connection(("{WEB}", 80), 20)
        line.sendall(b"GET / HTTP/1.1\\r\\nHost: {WEB}\\r\\n\\r\\n")
        line.recv(100)
        print("open", flush=True)
        begin = time.monotonic()
        try:
            while line.recv(65536):
                pass
            print("ended")
        except ConnectionResetError:
            print("reset")
        """
    process = ringwall.start("run", "--name", "live", "--allow", f"{WEB}:80", "--", "/usr/bin/python3", "-B", "-c", act.program(script))
    assert process.stdout.readline() == b"open\n"
    assert json.loads(ringwall("inspect", "live", "--json").ok())["connections"] == [f"{WEB}:80"]
    ringwall("deny", "live", WEB).ok()
    out, _ = process.communicate(timeout=120)
    assert out in (b"reset\n", b"ended\n")


def test_what_no_rule_covers_waits_for_the_person(lab, visitor, ringwall):
    live = visitor("--ask", "--deny", names.full("files"))
    live.send(WEB)
    (request,) = live.waiting()
    assert request["destination"] == f"{WEB}:80" and "python" in request["program"]
    assert ringwall("ls").ok().splitlines()[1].split()[3] == "asks"
    lab.nothing_left()
    ringwall("approve", "live", request["id"]).ok()
    assert live.answer() == "HTTP/1.1 200"
    live.send(WEB)  # once was once
    (again,) = live.waiting()
    assert again["id"] != request["id"]
    ringwall("reject", str(again["id"])).ok()
    assert "200" not in live.answer()
    assert "200" not in live.visit(names.full("files"))  # denied: nobody is asked
    told = live.end()
    assert f"waits for you: {WEB}:80" in told and "ringwall approve live" in told
    answers = [(e["answer"], e["scope"]) for e in live.log() if e["event"] == "answered"]
    assert answers == [("approved", "once"), ("rejected", "once")]


def test_an_answer_for_the_session(lab, visitor, ringwall):
    live = visitor("--ask")
    live.send(WEB)
    ringwall("approve", "live", live.waiting()[0]["id"], "session").ok()
    assert live.answer() == "HTTP/1.1 200"
    assert live.visit(WEB) == "HTTP/1.1 200"
    live.send(API, 8080)
    ringwall("reject", "live", live.waiting()[0]["id"], "session").ok()
    assert "200" not in live.answer()
    assert "200" not in live.visit(API, 8080)
    assert live.describe()["waiting"] == []


def test_an_answer_for_ever_is_written_down(lab, visitor, ringwall, place):
    live = visitor("--ask")
    live.send(WEB)
    process = ringwall.start("approve", "live", live.waiting()[0]["id"], "always")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0 and b"policy.toml" in err
    assert live.answer() == "HTTP/1.1 200"
    live.end()
    assert f'"{WEB}:80"' in (place.home / ".config/ringwall/policy.toml").read_text()
    later = visitor(name="later")
    assert later.visit(WEB) == "HTTP/1.1 200"


def test_nobody_answers(lab, visitor):
    live = visitor("--ask", "--ask-time", "500ms")
    begin = time.monotonic()
    live.send(WEB)
    assert "200" not in live.answer()
    assert 0.4 < time.monotonic() - begin < 3
    lab.nothing_left()
    assert live.end().count("nobody answered") == 1
    assert live.log()[-1]["event"] == "run_ended"


# Connects as it is told, and does one thing with each line.
LEAVER = """
import sys
from attempts import *
lines = []
print("up", flush=True)
for order in sys.stdin:
    word, *rest = order.split()
    if word == "open":
        host, port = rest
        lines.append(socket.create_connection((host, int(port)), 20))
        lines[-1].sendall(get(host))
    if word == "end":
        lines[int(rest[0])].shutdown(socket.SHUT_WR)
    if word == "close":
        lines[int(rest[0])].close()
    if word == "hear":
        print(json.dumps(hear(lines[int(rest[0])])[0][:12].decode()), flush=True)
"""


@pytest.fixture
def leaver(act, ringwall):
    process = ringwall.start("run", "--name", "live", "--ask", "--ask-time", "60s", "--", "/usr/bin/python3", "-B", "-c", LEAVER)
    assert process.stdout.readline() == b"up\n", process.stderr.read()
    ringwall.wait_for_run("live")

    def say(order):
        process.stdin.write(order.encode() + b"\n")
        process.stdin.flush()

    say.process = process
    yield say
    process.communicate(timeout=120)


def waits(ringwall, count, seconds=60):
    """How many wait in the end, and how long that took."""
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        found = json.loads(ringwall("inspect", "live", "--json").ok())["waiting"]
        if len(found) == count:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{len(found)} wait, and not {count}")


def test_who_closes_its_connection_waits_no_longer(lab, leaver, ringwall):
    for host in (WEB, API):
        leaver(f"open {host} 80")
    leaver(f"open {names.WEB} 8080")  # by address, where nothing was sent to be judged
    waits(ringwall, 3)
    leaver("close 0")
    assert [w["destination"] for w in waits(ringwall, 2, 1)] == [f"{API}:80", f"{names.WEB}:8080"]
    leaver("close 2")
    waits(ringwall, 1, 1)
    # Whoever only ends its own direction still waits for the answer, until it closes too.
    leaver("end 1")
    time.sleep(1)
    (request,) = waits(ringwall, 1)
    ringwall("approve", "live", request["id"]).ok()
    leaver("hear 1")
    assert json.loads(leaver.process.stdout.readline()) == "HTTP/1.1 200"
    leaver(f"open {API} 80")
    leaver("end 3")
    waits(ringwall, 1)
    time.sleep(0.5)
    leaver("close 3")
    waits(ringwall, 0, 1.5)
    assert "asks" not in ringwall("ls").ok()
    log = [json.loads(line) for line in ringwall("log", "live", "--json").ok().splitlines()]
    assert [e["answer"] for e in log if e["event"] == "answered"] == ["left", "left", "approved", "left"]


def test_always_leaves_a_link_alone(lab, visitor, ringwall, place):
    """A run would not read it: nothing is written through it, and it is not replaced."""
    live = visitor("--ask")
    live.send(WEB)
    elsewhere = place.work / "elsewhere.toml"
    elsewhere.write_text("")
    policy = place.home / ".config/ringwall/policy.toml"
    policy.parent.mkdir(parents=True, exist_ok=True)
    policy.symlink_to(elsewhere)
    ringwall("approve", "live", live.waiting()[0]["id"], "always").refused("symbolic link")
    assert policy.is_symlink() and elsewhere.read_text() == ""
    assert live.answer() == "HTTP/1.1 200"  # the session has it all the same
    policy.unlink()


def test_an_address_can_be_asked_for_too(lab, visitor, ringwall):
    live = visitor("--ask")
    live.send(names.WEB)
    ringwall("approve", "live", live.waiting()[0]["id"]).ok()
    assert live.answer() == "HTTP/1.1 200"


def test_many_can_wait_and_not_all(lab, act, ringwall):
    script = f"""
        lines = []
        for n in range(100):
            host = f"n{{n}}.{names.full(names.WILDCARD)}"
            lines.append(socket.create_connection((host, 80), 20))
            lines[-1].sendall(get(host))
        print("up", flush=True)
        time.sleep(1)
        """
    process = ringwall.start("run", "--name", "many", "--ask", "--", "/usr/bin/python3", "-B", "-c", act.program(script))
    assert process.stdout.readline() == b"up\n"
    time.sleep(0.3)
    waiting = json.loads(ringwall("inspect", "many", "--json").ok())["waiting"]
    assert len(waiting) == 32
    process.communicate(timeout=120)
    lab.nothing_left()


def test_a_run_without_a_network_gets_none_later(lab, visitor, ringwall):
    visitor("--no-network")
    ringwall("allow", "live", WEB).refused("without a network")


def test_a_flood_hides_no_name(lab, act, ringwall):
    script = f"""
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.connect(("127.0.0.1", 53))
        line.settimeout(5)
        for name in [f"n{{n}}.{names.ZONE}" for n in range(1200)] + ["wanted-in-truth.{names.ZONE}"]:
            line.send(query(name))
            line.recv(512)
        report("done")
        """
    act.inside(script, "--name", "smoke", "--allow", WEB, *NO_LEVELS)
    text = ringwall("log", "smoke", "--json").ok()
    assert "wanted-in-truth" in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert sum(line.get("times", 0) for line in lines if line["event"].startswith("blocked")) == 1201
    assert "1201 refusals" in ringwall("log", "--list").ok()


def test_a_flood_of_refusals_is_counted_and_costs_little(lab, act, ringwall, place):
    """10,000 a second, and nothing is lost of their number."""
    script = f"""
        count = 0
        asked = query("nobody.{names.ZONE}")
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.connect(("127.0.0.1", 53))
        line.settimeout(5)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            line.send(asked)
            line.recv(512)
            count += 1
        report(count)
        """
    words = ["run", "--name", "flood", "--allow", WEB, "--", "/usr/bin/python3", "-B", "-c", act.program(script)]
    process = ringwall.start(*words)
    pid = ringwall.wait_for_run("flood")["pid"]
    def cpu():
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100
    time.sleep(0.5)
    before, begin = cpu(), time.monotonic()
    time.sleep(2)
    share = (cpu() - before) / (time.monotonic() - begin)
    out, _ = process.communicate(timeout=120)
    asked = json.loads(out)
    lines = [json.loads(line) for line in ringwall("log", "flood", "--json").ok().splitlines()]
    blocked = sum(line["times"] for line in lines if line["event"] == "blocked")
    print(f"{asked / 3:.0f} a second, {share:.0%} of a core, {len(lines)} lines")
    assert blocked == asked and len(lines) < 30
