"""`ringwall audit` over input made to break it: a finding or a clear error, never a crash or a hang."""

import os
import socket

import pytest
from home import build, write
from machine_pairs import PAIRS
from test_machine import audit, fix, numbers

JSON = "~/.claude/settings.json"
TOML = "~/.codex/config.toml"
BOTH = [JSON, TOML]


def path_of(place, name):
    return place.home / name[2:]


@pytest.mark.parametrize("name", [JSON, TOML, "~/.gitconfig", "~/.bashrc", "~/.npmrc", "~/.config/Code/User/settings.json"])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xff\xfe{\x00}\x00", id="utf-16"),
        pytest.param(b"a = \xff\xff\xff\n", id="no-utf-8"),
        pytest.param(b"x\x00y=1\n", id="zero"),
    ],
)
def test_what_is_no_text(ringwall, place, name, content):
    build(place, {name: content})
    found = [one for one in audit(ringwall) if one["number"] == "RW129"]
    assert [one["path"] for one in found] == [str(path_of(place, name))]


@pytest.mark.parametrize("name", [JSON, TOML, "~/.gitconfig", "~/.bashrc", "~/.npmrc", "./.mcp.json", "./.env"])
def test_fifty_megabytes(ringwall, place, name):
    base = place.home if name.startswith("~") else place.work
    file = base / name[2:]
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        out.truncate(50 << 20)
    found = [one for one in audit(ringwall) if one["number"] == "RW129"]
    assert found and "too big" in found[0]["seen"]


@pytest.mark.parametrize("name", [JSON, TOML, "~/.gitconfig", "~/.zshrc", "~/.npmrc", "./.mcp.json"])
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/random", "fifo", "socket", "loop", "folder", "nowhere"])
def test_links_and_odd_files(ringwall, place, name, target):
    base = place.home if name.startswith("~") else place.work
    file = base / name[2:]
    file.parent.mkdir(parents=True, exist_ok=True)
    keep = None
    if target == "fifo":
        os.mkfifo(file)
    elif target == "socket":
        keep = socket.socket(socket.AF_UNIX)
        here = os.getcwd()
        os.chdir(file.parent)
        keep.bind(file.name)
        os.chdir(here)
    elif target == "loop":
        file.symlink_to(file.name)
    elif target == "folder":
        file.mkdir()
    else:
        file.symlink_to(target)
    found = audit(ringwall)
    odd = target not in ("loop", "folder", "nowhere")
    assert ("RW129" in numbers(found)) == odd
    fix(ringwall, place)
    if keep:
        keep.close()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{" * 100000, id="deep-objects"),
        pytest.param("[" * 100000, id="deep-lists"),
        pytest.param('{"a":' * 5000 + "1" + "}" * 5000, id="deep-whole"),
        pytest.param("[" + "1," * 1000000 + "1]", id="many"),
        pytest.param('{"a": "\\u12"}', id="half-an-escape"),
        pytest.param('{"permissions": {"allow": "x', id="cut"),
        pytest.param("[1, 2]", id="no-object"),
        pytest.param("null", id="null"),
        pytest.param('"text"', id="a-text"),
        pytest.param("{} {}", id="twice"),
    ],
)
def test_broken_json(ringwall, place, text):
    for name in (JSON, "~/.cursor/mcp.json", "~/.config/Code/User/settings.json"):
        build(place, {name: text})
    found = audit(ringwall)
    assert len([one for one in found if one["number"] == "RW129"]) == 3
    fix(ringwall, place)
    assert path_of(place, JSON).read_text() == text


WRONG = [None, True, 7, "x", [], {}, [[]], [{}], {"a": None}, [None, 1, True]]


def leaves(value, way=()):
    """Every place in a JSON value."""
    yield way
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*way, name))
    if isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*way, at))


def replaced(value, way, other):
    if not way:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = replaced(copy[way[0]], way[1:], other)
    return copy


def weak_json():
    """The JSON files of the pairs, one of each kind and content."""
    seen = []
    for _, _, weak, *_ in PAIRS:
        for name, content in weak.items():
            content = content[0] if isinstance(content, tuple) else content
            if isinstance(content, dict) and (name, content) not in seen:
                seen.append((name, content))
    return seen


def test_wrong_types_everywhere(ringwall, place):
    """Values of all weak files, one of them after the other as another type: the audit ends with a report."""
    tries = [(name, content, way) for name, content in weak_json() for way in leaves(content)]
    assert len(tries) > 300
    for at, (name, content, way) in enumerate(tries[::5]):
        base = place.home if name.startswith("~") else place.work
        write(base / name[2:], replaced(content, way, WRONG[at % len(WRONG)]))
        audit(ringwall)
        (base / name[2:]).unlink()


def test_comments_commas_and_a_mark(ringwall, place):
    text = '\ufeff// first\n{\n  /* a */ "permissions": { "defaultMode": "bypassPermissions", }, # last\n}\n'
    build(place, {JSON: text})
    found = [one for one in audit(ringwall) if one["number"] == "RW110"]
    assert [one["line"] for one in found] == [3]


def test_a_shell_obeys_around_a_byte_of_latin1(ringwall, place):
    build(place, {"~/.bashrc": b'# caf\xe9\nalias claude="claude --dangerously-skip-permissions"\n'})
    found = {one["number"]: one.get("line") for one in audit(ringwall)}
    assert found["RW178"] == 2 and "RW129" in found


@pytest.mark.parametrize("name", ["./.codex/config.toml", TOML])
def test_a_key_of_very_many_parts(ringwall, place, name):
    """The rest is told all the same."""
    build(place, {name: "a." * 150000 + "b=1\n", "~/.gitconfig": "[http]\n\tsslVerify = false\n"})
    assert {"RW129", "RW168"} <= numbers(audit(ringwall))
    _, after = fix(ringwall, place)
    assert "RW129" in numbers(after) and "RW168" not in numbers(after)


def test_an_empty_file_is_none(ringwall, place):
    for name in (JSON, TOML, "~/.gitconfig", "~/.bashrc", "~/.npmrc"):
        build(place, {name: ""})
    assert "RW129" not in numbers(audit(ringwall))


def test_names_that_a_terminal_obeys(ringwall, place):
    build(place, {"~/.cursor/mcp.json": {"mcpServers": {"a\x1b[2J\u202e": {"url": "http://x.example/\x07"}}}})
    result = ringwall("audit")
    assert "RW158" in result.out
    assert not any(ord(letter) < 32 and letter != "\n" for letter in result.out)
    assert "\u202e" not in result.out


def test_thousands_of_findings(ringwall, place):
    build(place, {"~/.bashrc": "export PATH=.:$PATH\n" * 5000, "~/.codex/rules/x.rules": 'prefix_rule(pattern=["sh"],decision="allow")\n' * 20000})
    result = ringwall("audit", "--json")
    assert result.status == 1, result


def test_a_file_that_cannot_be_opened(ringwall, place):
    build(place, {JSON: ("{}", 0)})
    assert "RW129" in numbers(audit(ringwall))
