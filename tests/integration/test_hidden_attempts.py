"""Tool calls that would read a hidden file: they count for the run's exposure, and what only looks does not."""

import json

import pytest
from test_hook import call, events_of

HOOK = """
import json, subprocess, sys
words = ['/run/ringwall/ringwall', 'hook', '--agent', 'claude', '--event', 'PreToolUse']
for payload in json.loads(sys.argv[1]):
    subprocess.run(words, input=payload.encode(), capture_output=True)
"""


@pytest.fixture
def attempts(ringwall, place):
    """attempts(PAYLOAD…, flags=…): the hook inside is asked about each; the paths that it told of, and the points."""
    (place.work / ".env").write_text("TOKEN=secret-of-mine\n")
    (place.work / ".env.example").write_text("TOKEN=\n")
    (place.work / "link").symlink_to(".env")

    def run(*payloads, flags=()):
        given = json.dumps([{**json.loads(one), "cwd": str(place.work)} for one in payloads])
        given = json.dumps([json.dumps(one) for one in json.loads(given)])
        words = ["run", "--name", "tries", "--profile", "claude", *flags, "--", "/usr/bin/python3", "-c", HOOK, given]
        assert ringwall(*words).status == 0
        told = [event["path"] for event in events_of(ringwall, "tries", "hidden_file")]
        risk = json.loads(ringwall("explain", "risk", "tries", "--json").ok())
        return told, [row for row in risk["heaviest"] if row["signal"] == "hidden file"]

    return run


def test_who_names_it_to_read_it(attempts, place):
    env = f"{place.work}/.env"
    told, heaviest = attempts(
        call("Read", file_path=env),
        call(command="cat .env"),
        call(command="cd / && base64 < " + env),
        call("Read", file_path=f"{place.work}/link"),
    )
    assert told == [env] * 4
    (row,) = heaviest
    assert row["shown"] == env and row["points"] > 3_000, "the first, and a little for those after it"


def test_each_file_counts(attempts, place):
    (place.work / "deploy.p12").write_text("x\n")
    told, heaviest = attempts(call(command="cat .env"), call(command="openssl pkcs12 -in deploy.p12; cat deploy.p12"))
    assert told == [f"{place.work}/.env", f"{place.work}/deploy.p12"]
    assert len(heaviest) == 2


def test_who_only_looks_is_no_attempt(attempts, place):
    told, heaviest = attempts(
        call(command="ls -la .env; stat .env; test -e .env; find . -name .env"),
        call(command="git status"),
        call(command="grep -r unittest ."),
        call("Read", file_path=f"{place.work}/.env.example"),
        call(command="cp .env.example .env.new; cat .env.example"),
        call(command="echo .env >> .gitignore"),
        call(event="PermissionRequest", command="cat .env"),
    )
    assert told == [] and heaviest == []


def test_what_is_shown_is_not_hidden(attempts, place):
    told, heaviest = attempts(call("Read", file_path=f"{place.work}/.env"), call(command="cat .env"), flags=("--show", ".env"))
    assert told == [] and heaviest == []


def test_the_record_says_so(attempts, ringwall, place):
    attempts(call("Read", file_path=f"{place.work}/.env"))
    assert f"Read of claude wants {place.work}/.env" in ringwall("log", "tries").ok()
    (*_, last) = map(json.loads, ringwall("risk", "replay", "tries", "--json").ok().splitlines())
    assert last["axes"]["exposure"] > 0, "a replay counts it too"
