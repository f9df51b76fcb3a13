"""`ringwall audit --fix`: what it changes, what it leaves alone, and the way back."""

import json
import os
import subprocess

import pytest
from conftest import IS_ROOT
from home import CLAUDE, build, claude
from test_machine import audit, fix, numbers

WEAK = """{
  // mine, do not touch
  "model": "opus",   /* the big one */
  "permissions": {
    "allow": [
      "Bash(npm test)",
      "Bash(*)",
      "Read(//**)"
    ],
    "deny": ["Read(~/.ssh/**)"],
    "defaultMode": "bypassPermissions", // faster
  },
  "sandbox": { "enabled": true, "allowUnsandboxedCommands": true, "failIfUnavailable": true },
}
"""
MENDED = """{
  // mine, do not touch
  "model": "opus",   /* the big one */
  "permissions": {
    "allow": [
      "Bash(npm test)"
    ],
    "deny": ["Read(~/.ssh/**)"],
    "defaultMode": "default", // faster
  },
  "sandbox": { "enabled": true, "allowUnsandboxedCommands": false, "failIfUnavailable": true },
}
"""
SETTINGS = "~/.claude/settings.json"


def path_of(place):
    return place.home / ".claude/settings.json"


def restore_commands(said):
    return [line.split("as before: ")[1] for line in said.splitlines() if "as before: " in line]


@pytest.mark.parametrize("begin", ["", "\ufeff"], ids=["plain", "mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_smallest_part_changes(ringwall, place, begin, end):
    text = (begin + WEAK).replace("\n", end)
    build(place, {SETTINGS: (text.encode(), 0o640)})
    fix(ringwall, place)
    assert path_of(place).read_bytes().decode() == (begin + MENDED).replace("\n", end)
    assert path_of(place).stat().st_mode & 0o7777 == 0o640


def test_the_second_time_changes_nothing(ringwall, place):
    build(place, {SETTINGS: WEAK, "~/.gitconfig": "[http]\n\tsslVerify = false\n"})
    fix(ringwall, place)
    before = place.home_listing()
    said, _ = fix(ringwall, place)
    assert "nothing here can be mended" in said and place.home_listing() == before


def test_the_printed_command_brings_it_back(ringwall, place):
    build(place, {SETTINGS: (WEAK, 0o640), "~/.profile": ("umask 022\n", 0o666)})
    said, after = fix(ringwall, place)
    assert "RW110" not in numbers(after)
    commands = restore_commands(said)
    assert len(commands) == 2
    for command in commands:
        subprocess.run(["sh", "-c", command], check=True)
    assert path_of(place).read_text() == WEAK
    assert path_of(place).stat().st_mode & 0o7777 == 0o640
    assert (place.home / ".profile").stat().st_mode & 0o7777 == 0o666
    copies = place.state / "audit/backups"
    assert copies.stat().st_mode & 0o077 == 0


def test_names_that_a_shell_would_take_apart(ringwall, place):
    build(place, {"~/.config/Code - Insiders/User/settings.json": {"chat.tools.autoApprove": True}})
    said, _ = fix(ringwall, place)
    file = place.home / ".config/Code - Insiders/User/settings.json"
    assert json.loads(file.read_text()) == {"chat.tools.autoApprove": False}
    subprocess.run(["sh", "-c", restore_commands(said)[0]], check=True)
    assert json.loads(file.read_text()) == {"chat.tools.autoApprove": True}


def test_the_command_back_works_for_a_file_that_is_read_only(ringwall, place):
    build(place, {"~/.claude/settings.json": {"permissions": {"defaultMode": "bypassPermissions"}}})
    file = place.home / ".claude/settings.json"
    before = file.read_bytes()
    file.chmod(0o444)
    said, _ = fix(ringwall, place)
    assert file.read_bytes() != before
    subprocess.run(["sh", "-c", restore_commands(said)[0]], check=True)
    assert file.read_bytes() == before


def left_alone(ringwall, place, word):
    before = {path: path.read_bytes() for path in place.home.rglob("*") if path.is_file() and ".local" not in path.parts}
    said, after = fix(ringwall, place)
    assert word in said, said
    assert "RW110" in numbers(after)
    assert {path: path.read_bytes() for path in before} == before


def test_links_are_left_alone(ringwall, place):
    build(place, {"~/dotfiles/settings.json": WEAK})
    (place.home / ".claude").mkdir()
    path_of(place).symlink_to(place.home / "dotfiles/settings.json")
    left_alone(ringwall, place, "it is a link")


def test_folders_behind_links_are_left_alone(ringwall, place):
    build(place, {"~/dotfiles/settings.json": WEAK})
    (place.home / ".claude").symlink_to(place.home / "dotfiles")
    left_alone(ringwall, place, "it is a link")


def test_hard_links_are_left_alone(ringwall, place):
    build(place, {SETTINGS: WEAK})
    os.link(path_of(place), place.home / "second")
    left_alone(ringwall, place, "second name")


def test_files_of_others_are_left_alone(ringwall, place, request):
    if not IS_ROOT:
        pytest.skip("only root can give a file away")
    build(place, {SETTINGS: (WEAK, 0o644)})
    os.chown(path_of(place), 12345, 12345)
    left_alone(ringwall, place, "somebody else")


def test_projects_are_left_alone(ringwall, place):
    build(place, {SETTINGS: CLAUDE, "./.claude/settings.json": WEAK})
    said, after = fix(ringwall, place)
    assert "nothing here can be mended" in said
    assert "RW110" in numbers(after)
    assert (place.work / ".claude/settings.json").read_text() == WEAK


def test_what_cannot_be_changed_safely_is_said(ringwall, place):
    """A comment beside an entry may be about it."""
    text = '{"permissions": {"deny": ["Read(~/x)"], "allow": ["Bash(*)", // all\n "Bash(ls)"]}, "sandbox": {"enabled": false}}\n'
    build(place, {SETTINGS: text})
    said, after = fix(ringwall, place)
    assert path_of(place).read_text() == text
    assert [one["fix"] for one in after if one["number"] == "RW113"] != []
    assert f"not changed: {path_of(place)}:1 (RW113): a comment stands beside it" in said


@pytest.mark.parametrize(
    "name,number,before,line",
    [
        ("~/.gitconfig", "RW168", "[http]\n\tsslVerify = false{}\n", 2),
        ("~/.npmrc", "RW186", "ignore-scripts=true\nstrict-ssl = false{}\n", 2),
        ("~/.yarnrc.yml", "RW186", "enableStrictSsl: false{}\n", 1),
    ],
)
def test_a_comment_on_the_line_stays(ringwall, place, name, number, before, line):
    file = place.home / name[2:]
    for comment in (" ; for the proxy, ticket 12", " # for the proxy, ticket 12"):
        text = before.format(comment)
        build(place, {name: text})
        said, after = fix(ringwall, place)
        assert number in numbers(after) and file.read_text() == text
        assert f"not changed: {file}:{line} ({number}): a comment stands beside it" in said
    build(place, {name: before.format("")})
    said, after = fix(ringwall, place)
    assert number not in numbers(after) and "not changed" not in said


def test_the_last_host_is_not_taken_out(ringwall, place):
    """An empty list of hosts has let everything through."""
    for hosts in (["*"], ["*", "*.com"], []):
        build(place, claude(sandbox__network__allowedDomains=hosts))
        before = path_of(place).read_bytes()
        said, after = fix(ringwall, place)
        assert path_of(place).read_bytes() == before
        assert "RW106" in numbers(after)
        assert ("the list would be empty" in said) == (hosts != [])
        assert all("none.invalid" in one["fix"] for one in after if one["number"] == "RW106")
    build(place, claude(sandbox__network__allowedDomains=["a.example", "*"]))
    fix(ringwall, place)
    assert json.loads(path_of(place).read_text())["sandbox"]["network"]["allowedDomains"] == ["a.example"]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_new_lines_end_as_the_file_has_it(ringwall, place, end):
    text = '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Read(x)"\n\t\t]\n\t}\n}'.replace("\n", end)
    build(place, {SETTINGS: text.encode()})
    fix(ringwall, place)
    after = path_of(place).read_bytes()
    assert b'"deny": [' in after
    assert after.count(b"\r\n") == (after.count(b"\n") if end == "\r\n" else 0)
    assert after.count(b"\n") == text.count("\n") + 1


def test_a_folder_that_others_write_into(ringwall, place):
    build(place, claude())
    (place.home / ".claude").chmod(0o777)
    assert "RW130" in numbers(audit(ringwall))
    fix(ringwall, place)
    assert (place.home / ".claude").stat().st_mode & 0o777 == 0o755
    assert "RW130" not in numbers(audit(ringwall))


def test_no_room_for_a_copy(ringwall, place):
    """Without a copy nothing is changed."""
    build(place, {SETTINGS: WEAK})
    place.state.mkdir(parents=True)
    (place.state / "audit").write_text("in the way")
    said, after = fix(ringwall, place)
    assert "not changed" in said and "RW110" in numbers(after)
    assert path_of(place).read_text() == WEAK
    assert list(path_of(place).parent.iterdir()) == [path_of(place)]
