"""ringwall mcp: a server behind the walls, and a filter between it and the agent."""

import json
import select
import shutil
import time
from pathlib import Path

import pytest

SERVER = Path(__file__).resolve().parent.parent / "support" / "mcp_server.py"
STATELESS = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}


class Agent:
    """Speaks to a server as an agent does, by `ringwall mcp`."""

    def __init__(self, ringwall, mode, *options, name="small"):
        shutil.copy(SERVER, ringwall.place.work / "server.py")
        words = ("mcp", "--name", name, *options, "--", "/usr/bin/python3", "-B", "server.py", mode)
        self.process = ringwall.start(*words)
        self.stateless = mode in ("stateless", "needing")
        self.id = 0

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def receive(self, seconds=60):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        assert ready, "no answer"
        line = self.process.stdout.readline()
        assert line, self.end()
        return json.loads(line)

    def request(self, method, params=None):
        self.id += 1
        params = {**(params or {}), **(STATELESS if self.stateless else {})}
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self.id, answer
        return answer

    def greet(self):
        if self.stateless:
            return self.request("server/discover")
        wishes = {"sampling": {}, "elicitation": {}, "roots": {"listChanged": True}}
        return self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": wishes})

    def tools(self):
        return {tool["name"]: tool for tool in self.request("tools/list")["result"]["tools"]}

    def call(self, name, **arguments):
        result = self.request("tools/call", {"name": name, "arguments": arguments})["result"]
        return result, "\n".join(part["text"] for part in result["content"])

    def end(self):
        """Its exit status and what the person saw."""
        self.process.stdin.close()
        errors = self.process.stderr.read().decode()
        return self.process.wait(60), errors


@pytest.fixture
def agent(ringwall):
    started = []

    def start(mode, *options, **more):
        started.append(Agent(ringwall, mode, *options, **more))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.end()


@pytest.mark.parametrize("mode", ["honest", "stateless"])
def test_calls_pass_in_both_generations(agent, mode):
    one = agent(mode)
    one.greet()
    assert set(one.tools()) == {"echo", "write_file", "read_page"}
    result, text = one.call("echo", text="hello")
    assert text == "hello" and not result["isError"]
    assert one.end() == (0, "")


def test_the_server_is_behind_the_walls(agent, ringwall, place):
    (place.home / "secret").write_text("x")
    one = agent("honest")
    one.tools()
    outside = place.home / "planted"
    one.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
              "params": {"name": "write_file", "arguments": {"path": str(outside), "text": "x"}}})
    one.end()
    assert not outside.exists()
    two = agent("honest")
    two.tools()
    _, text = two.call("write_file", path="inside", text="x")
    assert text == "written"
    two.end()
    assert (place.work / "inside").read_text() == "x"


def test_a_denied_tool_is_hidden_and_refused(agent, place):
    one = agent("honest", "--deny-tool", "mcp__small__write_file")
    assert set(one.tools()) == {"echo", "read_page"}
    result, text = one.call("write_file", path="written", text="x")
    assert result["isError"] and "Refused" in text
    status, errors = one.end()
    assert status == 0 and "mcp__small__write_file" in errors
    assert not (place.work / "written").exists()


def test_arguments_are_judged_as_those_of_the_agents_own_tools(agent, place):
    one = agent("honest", "--deny-tool", "Edit(/kept/**)")
    one.tools()
    (place.work / "kept").mkdir()
    result, _ = one.call("write_file", path="kept/file", text="x")
    assert result["isError"] and not (place.work / "kept/file").exists()
    _, text = one.call("write_file", path="other", text="x")
    assert text == "written"


def test_what_would_be_asked_for_does_not_pass(agent, place):
    one = agent("honest", "--ask-tool", "mcp__small__write_file")
    assert "write_file" in one.tools()
    result, text = one.call("write_file", path="written", text="x")
    assert result["isError"] and "agreement" in text
    assert not (place.work / "written").exists()


def test_refusals_of_the_new_generation_say_that_they_are_complete(agent):
    one = agent("stateless", "--deny-tool", "mcp__small__*")
    assert one.tools() == {}
    result, _ = one.call("echo", text="x")
    assert result["isError"] and result["resultType"] == "complete"


def test_what_nobody_sees_is_stripped(agent):
    one = agent("honest")
    assert one.tools()["write_file"]["description"] == "Writes a file."


def test_a_changed_description_waits_for_the_person(agent, ringwall):
    agent("honest").end()  # nothing was listed: nothing is known
    one = agent("honest")
    assert "echo" in one.tools()
    one.end()
    two = agent("changed")
    assert set(two.tools()) == {"write_file", "read_page"}
    result, _ = two.call("echo", text="x")
    assert result["isError"]
    _, errors = two.end()
    assert "ringwall mcp approve small echo" in errors
    assert "changed, waits for you" in ringwall("mcp", "list").out
    shown = ringwall("mcp", "approve", "small", "echo", "--yes").out
    assert "- description: Says a text again." in shown
    assert "+ description: Says a text again, louder." in shown
    three = agent("changed")
    assert "echo" in three.tools()
    three.end()
    # What was there before counts as a change now.
    four = agent("honest")
    assert "echo" not in four.tools()
    four.end()


def test_forgotten_tools_are_new_again(agent, ringwall):
    one = agent("honest")
    one.tools()
    one.end()
    assert ringwall("mcp", "forget", "small").status == 0
    two = agent("changed")
    assert "echo" in two.tools()
    two.end()
    ringwall("mcp", "forget", "nobody").refused("nothing is known")


def test_a_poisoned_description_is_held_at_first_sight(agent, ringwall):
    one = agent("poisoned")
    assert "echo" not in one.tools()
    result, _ = one.call("echo", text="x")
    assert result["isError"]
    one.end()
    rows = json.loads(ringwall("mcp", "list", "--json").out)
    assert [row["state"] for row in rows if row["tool"] == "echo"] == ["held, waits for you"]


def test_instructions_in_a_result_are_told(agent):
    one = agent("honest")
    one.tools()
    result, _ = one.call("read_page")
    assert result["content"][0]["text"].startswith("Warning by Ringwall")
    assert "Soup" in result["content"][1]["text"]
    _, errors = one.end()
    assert "mcp__small__read_page" in errors and "ignore your previous" in errors


def test_sampling_is_refused_and_roots_are_the_workspace(agent, place):
    one = agent("asking")
    seen = one.greet()["result"]["serverInfo"]["title"]
    assert seen == "roots"
    one.tools()
    _, text = one.call("echo", text="x")
    heard = json.loads(text)
    assert heard["sampled"] is False
    assert heard["roots"]["roots"][0]["uri"] == f"file://{place.work}"
    _, errors = one.end()
    assert "sampling/createMessage" in errors


def test_granted_sampling_reaches_the_agent(agent):
    one = agent("asking", "--sampling")
    one.greet()
    one.tools()
    one.send({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": {"name": "echo"}})
    asked = one.receive()
    assert asked["method"] == "sampling/createMessage"
    one.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"role": "assistant"}})
    assert json.loads(one.receive()["result"]["content"][0]["text"])["sampled"] is True


def test_input_requests_are_refused(agent):
    one = agent("needing")
    one.tools()
    result, text = one.call("echo", text="x")
    assert result["isError"] and "elicitation/create" in text


def test_noise_is_dropped_and_told(agent):
    one = agent("noisy")
    assert "echo" in one.tools()
    status, errors = one.end()
    assert status == 0
    assert "nobody asked for" in errors and "batch" in errors and "twice" in errors
    assert "\x1b" not in errors and "log \\x1b" in errors


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"not json",
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"made/up"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo\\u0000"}}',
    ],
)
def test_bad_messages_are_answered_and_not_passed(agent, line):
    one = agent("honest")
    one.send(line)
    assert "error" in one.receive()
    assert "echo" in one.tools()


def test_long_messages_end_nothing(agent):
    one = agent("honest")
    one.send(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"y" * (9 << 20) + b'"}}')
    assert "too long" in one.receive()["error"]["message"]
    one.tools()
    _, text = one.call("echo", text="z" * (4 << 20))
    assert len(text) == 4 << 20


def test_a_stubborn_server_is_ended(agent, place):
    one = agent("stubborn")
    one.tools()
    began = time.monotonic()
    status, _ = one.end()
    assert status != 0 and time.monotonic() - began < 5


@pytest.mark.parametrize("signal", ["terminate", "kill"])
def test_the_agents_signal_ends_the_server(agent, ringwall, place, signal):
    one = agent("honest")
    one.tools()
    getattr(one.process, signal)()
    one.process.wait(60)
    place.wait_until_gone()
    ringwall("ls")  # removes what a killed run has left in the registry


def test_a_server_that_cannot_start_is_told(ringwall):
    done = ringwall("mcp", "--name", "x", "--", "no-such-server")
    assert done.status == 127 and "no-such-server" in done.err


def test_a_server_must_be_named(ringwall):
    ringwall("mcp").refused("no server")
    ringwall("mcp", "approve", "../x", "y").refused("cannot be the name")


INSIDE = """
import json, subprocess, sys
server = subprocess.Popen(["/run/ringwall/ringwall", "mcp", "--name", sys.argv[1], "--", "ignored"],
                          stdin=-1, stdout=-1, text=True)
def ask(number, method, **params):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}),
          file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())
try:
    ask(1, "tools/list")
    answer = ask(2, "tools/call", name="write_file", arguments={"path": sys.argv[2], "text": "by the server"})
    print(answer["result"]["content"][0]["text"])
    server.stdin.close()
except (ValueError, BrokenPipeError):
    print("no server")
print("status", server.wait())
"""


def test_from_inside_only_what_the_policy_names_is_started(ringwall, place):
    shutil.copy(SERVER, place.work / "server.py")
    (place.work / "inside.py").write_text(INSIDE)
    named = "small=/usr/bin/python3 -B server.py honest"
    words = ("--mcp-server", named, "--", "/usr/bin/python3", "-B", "inside.py")
    done = ringwall("run", *words, "small", "made")
    assert done.out.split("\n")[:2] == ["written", "status 0"], done
    assert (place.work / "made").read_text() == "by the server"
    done = ringwall("run", *words, "other", "made2")
    assert "no server" in done.out and "status 125" in done.out
    assert "names no MCP server other" in done.err, done
    assert not (place.work / "made2").exists()


def test_a_server_outside_ends_with_the_run(ringwall, place):
    shutil.copy(SERVER, place.work / "server.py")
    named = "small=/usr/bin/python3 -B server.py stubborn"
    script = "/run/ringwall/ringwall mcp --name small & sleep 1; kill -9 $!; exit 0"
    assert ringwall("run", "--mcp-server", named, "--", "sh", "-c", script).status == 0
    place.wait_until_gone()
    assert place.registry() == []


def test_a_workspace_cannot_name_servers(ringwall, place):
    (place.work / ".ringwall.toml").write_text('[tools]\nmcp_servers = ["x=sh"]\n')
    ringwall("run", "--", "true").refused("tools.mcp_servers")


def test_wrap_rewrites_what_has_a_command(ringwall, place):
    config = place.work / ".mcp.json"
    servers = {
        "fs": {"command": "npx", "args": ["-y", "server-fs", "."], "env": {"TOKEN": "t"}},
        "web": {"type": "http", "url": "https://mcp.example/x"},
    }
    config.write_text(json.dumps({"mcpServers": servers}))
    done = ringwall("mcp", "wrap", ".mcp.json")
    made = json.loads(done.out)["mcpServers"]
    assert made["fs"]["command"] == "ringwall"
    wanted = ["mcp", "--name", "fs", "--env", "TOKEN", "--", "npx", "-y", "server-fs", "."]
    assert made["fs"]["args"] == wanted
    assert made["web"] == servers["web"]
    assert "left as it is: web" in done.err
    assert ringwall("mcp", "wrap", ".mcp.json", "--in-place").out == ""
    again = ringwall("mcp", "wrap", ".mcp.json")
    assert json.loads(again.out)["mcpServers"] == made and "wrapped before: fs" in again.err


def test_wrap_knows_the_toml_of_codex(ringwall, place):
    config = place.work / "config.toml"
    config.write_text('model = "x"\n\n[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "fs"]\n\n'
                      '[mcp_servers.fs.env]\nTOKEN = "t"\n')
    out = ringwall("mcp", "wrap", "config.toml").out
    assert 'command = "ringwall"' in out
    assert 'args = ["mcp", "--name", "fs", "--env", "TOKEN", "--", "npx", "-y", "fs"]' in out
    assert 'TOKEN = "t"' in out
