"""Which folders and files are searched for denied programs: all that a run sees, however it sees them."""

import hashlib
import shutil
import time
from pathlib import Path

import pytest
from conftest import IS_ROOT, built, outcome


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(built("target"), path)
    path.chmod(0o755)
    return path


# The folder in which the copy lies, and the grants over it; {} is the workspace, ~ the home.
NESTED = [
    ("read-only in the workspace", "{}/in", ["--ro", "{}/in"]),
    ("writable in the workspace", "{}/in", ["--rw", "{}/in"]),
    ("writable in read-only", "~/sub/in", ["--ro", "~/sub", "--rw", "~/sub/in"]),
    ("read-only in writable", "~/sub/in", ["--rw", "~/sub", "--ro", "~/sub/in"]),
    ("read-only twice", "~/sub/in", ["--ro", "~/sub", "--ro", "~/sub/in"]),
    ("read-only, writable, read-only", "~/sub/in/on", ["--ro", "~/sub", "--rw", "~/sub/in", "--ro", "~/sub/in/on"]),
    ("cache in read-only", "~/.cargo/registry", ["--cache", "cargo", "--ro", "~/.cargo"]),
]


@pytest.mark.parametrize("folder, grants", [case[1:] for case in NESTED], ids=[case[0] for case in NESTED])
def test_in_overlapping_grants(kit, ringwall, place, folder, grants):
    def real(text):
        return text.replace("{}", str(place.work)).replace("~", str(place.home))

    (place.home / ".cargo/git").mkdir(parents=True)  # a read-only folder has no place for what it lacks
    copy = put(Path(real(folder)) / "w")
    flags = [real(word) for word in grants]
    assert outcome(ringwall.sh(str(copy), *flags)) == "ran"  # the twin
    result = ringwall.sh(str(copy), *flags, "--deny-program", f"file:{kit.target}")
    assert outcome(result) == "stopped", result
    plan = ringwall.plan(*flags, "--deny-program", f"file:{kit.target}")
    assert [row["path"] for row in plan["programs"]].count(str(copy)) == 1, plan["programs"]


@pytest.mark.parametrize("tools, store", [("tools", ()), ("st/tools", ("--login", "st:st"))])
def test_copied_into_the_home(kit, ringwall, place, tools, store):
    """By its bytes, by its name, and as a script that only starts it; the others are copied."""
    put(place.home / tools / "w")
    put(place.home / tools / "plain").chmod(0o644)
    for name, text in (("target", "echo TARGET-RAN"), ("wrap", f"exec {kit.target}"), ("other", "echo OTHER")):
        script = place.home / tools / name
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(0o755)
    flags = [*kit.flags(), *store, "--copy", tools]
    roads = f"cp ~/{tools}/plain ~/p; chmod +x ~/p; ~/p; ~/{tools}/w; ~/{tools}/target; ~/{tools}/wrap; ~/{tools}/other"
    for name in ("p", f"{tools}/w", f"{tools}/target", f"{tools}/wrap"):
        script = roads.split(";", maxsplit=2)
        assert outcome(ringwall.sh(f"{script[0]};{script[1]}; ~/{name}", *flags)) == "ran", name  # the twins
    result = ringwall.sh(roads, *flags, "--deny-program", "target")
    assert outcome(result) == "stopped" and "OTHER" in result.out, result
    plan = ringwall.plan(*flags, "--deny-program", "target")
    taken = {row["path"]: row["rule"] for row in plan["programs"]}
    assert taken[str(place.home / tools / "w")] == "target", taken


def test_copied_logins(kit, ringwall, place):
    """What a profile copies as a login is judged as well."""
    put(place.home / "credentials.bin")
    flags = ["--credentials", "credentials.bin", "--copy-login"]
    assert outcome(ringwall.sh("~/credentials.bin", *flags)) == "ran"  # the twin
    result = ringwall.sh("~/credentials.bin", *flags, "--deny-program", f"file:{kit.target}")
    assert outcome(result) == "stopped", result


def test_data_that_was_overwritten_in_place(kit, ringwall, place):
    """In a tree that is known, of any size: its folder's times say nothing of that."""
    data = place.work / "c/data"
    data.parent.mkdir()
    data.write_text("y\n")
    marked = place.work / "c/target"
    marked.write_text("#!/bin/sh\necho TARGET-RAN\n")
    for n in range(60):
        (place.work / f"m/{n}").mkdir(parents=True)
        for k in range(40):
            (place.work / f"m/{n}/{k}").write_text("\n")
    deny = ["--deny-program", "target", "--ro", kit.folder]
    for _ in range(3):
        time.sleep(0.3)
        ringwall.sh("true", *deny).ok()
    data.write_bytes(built("target").read_bytes())
    marked.chmod(0o755)
    assert outcome(ringwall.sh("chmod +x c/data; c/data")) == "ran"  # the twin
    data.chmod(0o644)
    result = ringwall.sh("chmod +x c/data; c/data; c/target", *deny)
    assert outcome(result) == "stopped", result


@pytest.mark.skipif(IS_ROOT, reason="no permission stops root")
@pytest.mark.parametrize("mode", [0o000, 0o200])
def test_what_its_owner_can_open_up_inside(kit, ringwall, place, mode):
    """By a hash of unknown size: nobody can say that it is not the one."""
    closed = put(place.work / "closed")
    closed.write_bytes(built("target").read_bytes() + b"\n")
    rule = "sha256:" + hashlib.sha256(closed.read_bytes()).hexdigest()
    closed.chmod(mode)
    road = "chmod 755 closed; ./closed"
    result = ringwall.sh(road, "--deny-program", rule, timeout=300)
    assert outcome(result) == "stopped", result
    assert outcome(ringwall.sh(road)) == "ran"  # the twin
