"""A second opinion on what no rule covers: asked outside, and only ever stricter."""

import http.server
import json
import threading
import time

import pytest

KEY = "key-of-the-advisor"
HOOK = ["hook", "--agent", "claude", "--event", "PreToolUse"]


class Model(http.server.ThreadingHTTPServer):
    """A server of models on this machine: says `says` in the form of either API, or does what `does` names."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.says = {"answer": "ok", "reason": "ordinary work"}
        self.does = "answer"
        self.requests = []
        self.hang = threading.Event()

    def url(self, path="/v1/messages"):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Answering(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append((self.path, dict(self.headers), body.decode()))
        if self.server.does == "hang":
            self.server.hang.wait(30)
            return
        words = json.dumps(self.server.says)
        if self.path.endswith("/messages"):
            answer = {"content": [{"type": "text", "text": words}]}
        else:
            answer = {"choices": [{"message": {"role": "assistant", "content": words}}]}
        data = b"<html>" if self.server.does == "nonsense" else json.dumps(answer).encode()
        self.send_response(500 if self.server.does == "fail" else 200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    server = Model()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.hang.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def advised(place, model):
    """advised(PATH): the person's policy names the model."""

    def write(path="/v1/messages", more=""):
        policy = place.home / ".config/ringwall/policy.toml"
        policy.parent.mkdir(parents=True, exist_ok=True)
        policy.write_text(
            f'{more}\n[tools.advisor]\nurl = "{model.url(path)}"\nmodel = "m-1"\n'
            'key = "env:ADVISOR_KEY"\ntime = "2s"\n'
        )
        return {"ADVISOR_KEY": KEY}

    return write


def payload(command, transcript="/none"):
    fields = {"session_id": "s", "transcript_path": str(transcript), "cwd": "/tmp", "hook_event_name": "PreToolUse"}
    return json.dumps({**fields, "tool_name": "Bash", "tool_input": {"command": command}}).encode()


def decision(result):
    return json.loads(result.out)["hookSpecificOutput"]["permissionDecision"] if result.out else "open"


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
@pytest.mark.parametrize("word, seen", [("ok", "open"), ("ask", "ask"), ("deny", "deny")])
def test_what_it_says(ringwall, model, advised, path, word, seen):
    model.says = {"answer": word, "reason": "because of that"}
    result = ringwall(*HOOK, input=payload("make all"), env=advised(path))
    assert decision(result) == seen and result.status == (2 if seen == "deny" else 0), result
    assert seen == "open" or "because of that" in result.out


def test_it_gets_the_call_and_what_the_person_said(ringwall, model, advised, place):
    transcript = place.root / "transcript.jsonl"
    transcript.write_text(
        json.dumps({"type": "user", "message": {"role": "user", "content": "please build it"}}) + "\n"
    )
    ringwall(*HOOK, input=payload("make all", transcript), env=advised()).ok()
    ((_, headers, body),) = model.requests
    assert "make all" in body and "please build it" in body and json.loads(body)["model"] == "m-1"
    assert KEY not in body and headers["x-api-key"] == KEY


def test_it_is_asked_once_for_the_same(ringwall, model, advised):
    model.says = {"answer": "deny", "reason": "no"}
    env = advised()
    for _ in range(3):
        assert decision(ringwall(*HOOK, input=payload("make all"), env=env)) == "deny"
    assert len(model.requests) == 1
    ringwall(*HOOK, input=payload("make other"), env=env)
    assert len(model.requests) == 2


def test_it_cannot_lift_what_a_rule_says(ringwall, model, advised):
    env = advised(more='[tools]\ndeny = ["Bash(frobnicate *)"]\nask = ["Bash(twiddle *)"]\nallow = ["Bash(trusty *)"]')
    assert decision(ringwall(*HOOK, input=payload("frobnicate it"), env=env)) == "deny"
    assert decision(ringwall(*HOOK, input=payload("twiddle it"), env=env)) == "ask"
    assert decision(ringwall(*HOOK, input=payload("trusty it"), env=env)) == "allow"
    assert model.requests == []


@pytest.mark.parametrize("does", ["hang", "fail", "nonsense"])
def test_without_an_answer_the_person_is_asked(ringwall, model, advised, does):
    model.does = does
    started = time.monotonic()
    result = ringwall(*HOOK, input=payload("make all"), env=advised())
    assert decision(result) == "ask" and "advisor" in result.out
    assert time.monotonic() - started < 10
    model.does = "answer"  # what failed is not remembered
    assert decision(ringwall(*HOOK, input=payload("make all"), env=advised())) == "open"


def test_without_its_key_the_person_is_asked(ringwall, model, advised):
    advised()
    result = ringwall(*HOOK, input=payload("make all"))
    assert decision(result) == "ask" and "ADVISOR_KEY" not in result.out
    assert model.requests == []


def test_inside_a_run(ringwall, model, place):
    """The supervisor asks: the inside reaches neither the server nor the key."""
    model.says = {"answer": "deny", "reason": "nobody asked for that"}
    words = ["/run/ringwall/ringwall", *HOOK]
    script = (
        "import os, subprocess\n"
        f"done = subprocess.run({words!r}, input={payload('make all')!r}, capture_output=True)\n"
        "print(done.returncode, done.stdout.decode(), flush=True)\n"
        f"print({KEY!r} in str(os.environ), {KEY!r} in open('/etc/ringwall-gate.json').read())\n"
    )
    flags = ["--advisor", model.url(), "--advisor-model", "m-1", "--advisor-key", "env:ADVISOR_KEY"]
    result = ringwall.python(script, "--profile", "claude", "--name", "gated", *flags, env={"ADVISOR_KEY": KEY})
    first, second, *_ = result.out.splitlines()[0:1] + result.out.splitlines()[-1:]
    assert first.startswith("2 ") and "nobody asked for that" in first, result
    assert second == "False False"
    assert len(model.requests) == 1
    refused = [json.loads(line) for line in ringwall("log", "gated", "--json").ok().splitlines()]
    (event,) = [event for event in refused if event["event"] == "tool_refused"]
    assert event["rule"] == "the advisor"


def test_a_run_without_the_key_does_not_start(ringwall, model):
    flags = ["--advisor", model.url(), "--advisor-model", "m-1", "--advisor-key", "env:ADVISOR_KEY"]
    ringwall("run", "--profile", "claude", *flags, "--", "true").refused("key is not set")
    ringwall("run", "--profile", "claude", *flags[:2], "--", "true").refused("no model or no key")
