"""ringwall quarantine: what lies there is listed, looked at, brought back and removed, never obeyed."""

import itertools
import json
import os
import signal
import threading
import urllib.parse

import pexpect
import pytest
from conftest import not_for_root

_numbers = itertools.count(1)


@pytest.fixture
def store(place):
    folder = place.state / "quarantine"
    folder.mkdir(parents=True, mode=0o700)
    return folder


@pytest.fixture
def lay_out(store, place):
    """lay_out(NAME): an item taken from that name in the workspace; returns its name and the path of its thing."""

    def make(name=b".mcp.json", content=b"evil\n", run="one", kind="file", **record):
        number = next(_numbers)
        item = f"20260131-1213{number % 60:02}-{number}-{number:08x}"
        folder = store / item
        folder.mkdir(mode=0o700)
        path = os.fsencode(place.work) + b"/" + name
        facts = {
            "path": escape(path),
            "run": run,
            "rule": ".mcp.json",
            "reason": "planted%20while%20the%20run%20went%20on",
            "time": 1769861594 + number,
            "kind": kind,
            **record,
        }
        (folder / "item.json").write_text(json.dumps(facts))
        if content is not None:
            (folder / "content").write_bytes(content)
        return item, folder / "content"

    return make


def escape(path):
    return "".join(chr(c) if 0x20 < c < 0x7F and c != 0x25 else f"%{c:02x}" for c in path)


def listed(ringwall, *options):
    return json.loads(ringwall("quarantine", "list", "--json", *options).ok())


def harmless(text):
    return all(c == "\n" or c.isprintable() for c in text)


# Asking


def test_nothing_was_ever_taken(ringwall, place):
    assert ringwall("quarantine", "list").ok() == ""
    assert listed(ringwall) == []
    assert ringwall("quarantine", "remove", "--all").ok() == ""
    ringwall("quarantine", "restore", "00000001").refused("no item", "empty")
    assert not place.state.exists()  # looking makes nothing
    child = pexpect.spawn(
        ringwall.command(["x"])[0], ["quarantine", "list"], env=place.environment(), timeout=120
    )
    child.expect("nothing is in quarantine\r\n")
    child.expect(pexpect.EOF)


def test_help_and_wrong_words(ringwall):
    out = ringwall("quarantine", "--help").ok()
    assert "Examples:" in out and "restore ITEM [--to PATH]" in out
    assert ringwall("help", "quarantine").ok() == out
    for act in ("list", "show", "restore", "remove"):
        assert f"ringwall quarantine {act}" in ringwall("quarantine", act, "--help").ok()
    assert "one of: list, show" in ringwall("quarantine").refused("what shall be done").hint()
    assert ringwall("quarantine", "lst").refused("unknown").hint().endswith("quarantine list?")
    assert "--json" in ringwall("quarantine", "list", "--jsn").refused("unknown option").hint()
    for act in ("show", "restore", "remove"):
        assert "list" in ringwall("quarantine", act).refused("which item?").hint()
        ringwall("quarantine", act, "nothing").refused("no item in quarantine is called nothing")
    ringwall("quarantine", "remove", "--all", "x").refused("not both")
    ringwall("quarantine", "restore", "x", "--to").refused("--to needs a value")


def test_list(ringwall, place, lay_out):
    first, _ = lay_out()
    second, content = lay_out(b"sub/.vscode", None, run="two", kind="folder")
    content.mkdir()
    (content / "tasks.json").write_bytes(b"x" * 3000)
    out = ringwall("quarantine", "list").ok().splitlines()
    assert out[0].split() == ["ITEM", "TAKEN", "RUN", "KIND", "SIZE", "PATH"]
    assert out[1].startswith(first) and out[1].endswith(f"{place.work}/.mcp.json")
    assert " two " in out[2] and " folder " in out[2] and " 2.9 KiB " in out[2]
    assert [line["item"] for line in listed(ringwall, "--run", "two")] == [second]
    assert listed(ringwall, "--run", "none") == []
    line = listed(ringwall)[0]
    assert line["path"] == line["path_bytes"] == f"{place.work}/.mcp.json"
    assert (line["run"], line["kind"], line["bytes"], line["kept"]) == ("one", "file", 5, True)
    assert line["reason"] == "planted while the run went on"


def test_items_that_were_never_finished(ringwall, store, lay_out):
    item, content = lay_out(content=None)
    unknown, rest = lay_out()
    (store / unknown / "item.json").write_bytes(b"")
    for name in (".next-0badcafe", "notes", "20260131-121314-1-toolong00"):
        (store / name).mkdir()
    out = ringwall("quarantine", "list").ok()
    assert "not kept" in out and "unknown" in out and len(out.splitlines()) == 3
    assert "only this record was kept" in ringwall("quarantine", "show", item).ok()
    ringwall("quarantine", "restore", item).refused("only the record was kept")
    ringwall("quarantine", "restore", unknown).refused("nobody knows where").hint().index("--to")
    ringwall("quarantine", "restore", unknown, "--to", "here").ok()


HOSTILE = (b"\x1b]52;c;x\x07", b"a\nb", b"\xff\xfe", b"-rf", "\u202egnp.".encode(), b"'; reboot", b"x" * 255)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_only_names(ringwall, place, lay_out, name):
    item, _ = lay_out(name)
    for out in (ringwall("quarantine", "list").ok(), ringwall("quarantine", "show", item).ok()):
        assert harmless(out), out
    line = listed(ringwall)[0]
    path = os.fsencode(place.work) + b"/" + name
    assert urllib.parse.unquote_to_bytes(line["path_bytes"]) == path
    assert harmless(ringwall("quarantine", "restore", item).ok())
    with open(path, "rb") as file:
        assert file.read() == b"evil\n"


def test_show(ringwall, place, lay_out):
    item, content = lay_out(content=b"plain\n\x1b[31mred\x07 it's \xff\n\n" + b"y" * 10000)
    out = ringwall("quarantine", "show", item).ok()
    assert f"path    {place.work}/.mcp.json" in out and "rule    .mcp.json" in out
    assert "reason  planted while the run went on" in out
    assert "  | plain\n  | \\x1b[31mred\\x07 it\\x27s \\xff\n  | \n  | yyy" in out
    assert "there is more" in out and harmless(out)
    link, content = lay_out(content=None, kind="link")
    content.symlink_to("/etc/pass\nwd")
    assert "→ '/etc/pass\\x0awd'" in ringwall("quarantine", "show", link).ok()
    folder, content = lay_out(content=None, kind="folder")
    content.mkdir()
    (content / "a\tb").write_text("abc")
    (content / "link").symlink_to("/etc")
    os.mkfifo(content / "fifo")
    out = ringwall("quarantine", "show", folder).ok()
    assert "3 B        'a\\x09b'" in out and "link       link" in out and "FIFO       fifo" in out
    assert "passwd" not in out


def test_a_fifo_and_endless_folders_do_not_hang(ringwall, lay_out):
    fifo, content = lay_out(content=None, kind="file")  # the record says file
    os.mkfifo(content)
    assert "FIFO" in ringwall("quarantine", "show", fifo, timeout=120).ok()
    ringwall("quarantine", "restore", fifo, timeout=120).refused("is a FIFO")
    many, content = lay_out(content=None, kind="folder")
    content.mkdir()
    for number in range(3000):
        (content / str(number)).touch()
    deep = os.open(content, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=deep)
        deeper = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = deeper
    os.close(deep)
    assert listed(ringwall)[1]["at_least"]
    assert len(ringwall("quarantine", "show", many).ok().splitlines()) < 120
    ringwall("quarantine", "restore", many).refused("deeper than")
    assert len(ringwall("quarantine", "remove", fifo, many).ok().splitlines()) == 2
    assert listed(ringwall) == []


# Bringing back


def test_restore(ringwall, place, lay_out):
    item, content = lay_out()
    content.chmod(0o4755)
    held = os.open(content, os.O_WRONLY | os.O_APPEND)
    target = place.work / ".mcp.json"
    assert ringwall("quarantine", "restore", item[-8:]).ok() == f"restored {target} (file, 5 B)"
    os.write(held, b"changed by who held it")
    os.close(held)
    assert target.read_bytes() == b"evil\n"
    assert target.stat().st_mode & 0o7777 == 0o755
    assert listed(ringwall) == []
    assert os.listdir(place.work) == [".mcp.json"]


def test_restore_elsewhere(ringwall, place, lay_out):
    item, content = lay_out(b"hooks", None, kind="folder")
    content.mkdir()
    (content / "pre-commit").write_text("#!/bin/sh\n")
    os.mkfifo(content / "fifo")
    result = ringwall("quarantine", "restore", item, "--to", "sub")
    assert result.status == 0 and "(folder, 10 B in 1 entry)" in result.out
    assert "1 socket, FIFO or device was left out" in result.err
    assert os.listdir(place.work / "sub") == ["pre-commit"]
    assert len(listed(ringwall)) == 1  # what was left out is still there
    ringwall("quarantine", "restore", item, "--to", place.work / "sub").refused("exists already")
    ringwall("quarantine", "restore", item, "--to", "no/such").refused("make the folder first")


def test_nothing_is_overwritten_and_no_link_followed(ringwall, place, lay_out):
    item, _ = lay_out()
    (place.work / ".mcp.json").write_text("mine")
    assert "--to" in ringwall("quarantine", "restore", item).refused("exists already").hint()
    assert (place.work / ".mcp.json").read_text() == "mine"
    other, _ = lay_out(b"a/.bashrc")
    (place.work / "a").symlink_to(place.home)
    for where in ((), ("--to", "a/x")):
        ringwall("quarantine", "restore", other, *where).refused("link on the way")
    assert len(listed(ringwall)) == 2


@not_for_root
def test_a_folder_that_cannot_be_written(ringwall, place, lay_out):
    item, _ = lay_out(b"closed/.envrc")
    (place.work / "closed").mkdir(mode=0o500)
    ringwall("quarantine", "restore", item).refused("Permission denied")
    assert len(listed(ringwall)) == 1


# Removing


def test_remove(ringwall, store, lay_out):
    items = [lay_out()[0] for _ in range(4)]
    assert ringwall("quarantine", "remove", items[0], items[1][-8:]).ok() == "\n".join(
        f"removed {item}" for item in items[:2]
    )
    ringwall("quarantine", "remove", items[2], "nothing").refused("no item")
    assert len(listed(ringwall)) == 2  # not half of it
    assert len(ringwall("quarantine", "remove", "--all").ok().splitlines()) == 2
    assert os.listdir(store) == []


def test_remove_what_is_still_written_to(ringwall, lay_out):
    item, content = lay_out(content=None, kind="folder")
    content.mkdir()
    stop = threading.Event()
    held = os.open(content, os.O_RDONLY)

    def fill():
        for number in itertools.count():
            if stop.is_set():
                return
            try:
                os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY, dir_fd=held))
            except OSError:
                return  # the folder is gone

    thread = threading.Thread(target=fill)
    thread.start()
    result = ringwall("quarantine", "remove", item, timeout=120)
    stop.set()
    thread.join()
    os.close(held)
    if result.status != 0:
        assert "end the run first" in result.refused("cannot remove").hint()
        ringwall("quarantine", "remove", item).ok()
    assert listed(ringwall) == []


def test_a_run_that_goes_on_there_is_told(ringwall, place, lay_out):
    item, _ = lay_out(b"notes.txt")
    run = ringwall.start("run", "--name", "busy", "--", "sh", "-c", "echo up; read line")
    assert run.stdout.readline() == b"up\n"
    ringwall.wait_for_run("busy")
    result = ringwall("quarantine", "restore", item)
    assert result.status == 0 and "the run busy goes on there" in result.err
    run.send_signal(signal.SIGTERM)
    run.communicate(b"\n", 60)
