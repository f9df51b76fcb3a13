"""Settings that an agent obeys only if they are root's: an id of the host that shows as 0 inside, and is nobody.

Ordinary users need a range of subordinate ids for it. Whether the one who runs these tests has one
depends on the host, so root makes hosts of both kinds, each seen by one process alone.
"""

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import IS_ROOT, binary, needs_root
from test_policy_layers import in_own_etc

GEMINI = "/etc/gemini-cli/settings.json"
COPILOT = "/etc/github-copilot/policy.d/ringwall.json"
BOTH = pytest.mark.parametrize("profile, file", [("gemini", GEMINI), ("copilot", COPILOT)])

# What the agents look at before they obey a file: itself and every folder above it.
CHECK = """
import os, stat, sys
path, wrong = {file!r}, []
while True:
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode):
        wrong.append(path + " is a link")
    if facts.st_uid != 0:
        wrong.append(path + " belongs to " + str(facts.st_uid))
    if facts.st_mode & 0o022:
        wrong.append(path + " can be written by others")
    if path == "/":
        break
    path = os.path.dirname(path)
print("; ".join(wrong) or "obeyed")
"""

# Everything that would make somebody of the id that only owns files, or change what it owns.
ACTS = """
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
file = {file!r}
def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
def setfsuid():
    libc.setfsuid(0)
    if libc.setfsuid(-1) != 0:
        raise PermissionError("refused")
def own():
    open("own", "w").close()
    os.chown("own", 0, -1)
acts = {{
    "setuid": lambda: os.setuid(0), "setreuid": lambda: os.setreuid(-1, 0),
    "setresuid": lambda: os.setresuid(0, 0, 0), "setfsuid": setfsuid, "setgid": lambda: os.setgid(0),
    "setgroups": lambda: os.setgroups([0]), "chown": own,
    "take": lambda: os.chown(file, os.getuid(), -1), "write": lambda: open(file, "a"),
    "chmod": lambda: os.chmod(file, 0o666), "unlink": lambda: os.unlink(file),
    "rename": lambda: os.rename(os.path.dirname(file), "/etc/other"),
    "beside": lambda: open(os.path.dirname(file) + "/zzz.json", "w"),
    "open the folder": lambda: os.chmod(os.path.dirname(file), 0o777),
}}
for name, act in acts.items():
    child = os.fork()
    if child == 0:
        try:
            act()
            print(name, flush=True)
        except OSError:
            pass
        os._exit(0)
    os.waitpid(child, 0)
"""

# Puts itself into a user namespace with the same ids, as the one who has them, and keeps its capabilities.
WITH_CAPABILITIES = """
import ctypes, os, subprocess
maps = {maps}
own = max(inside for inside, _, _ in maps)
ready, go = os.pipe(), os.pipe()
child = os.fork()
if child:
    os.read(ready[0], 1)
    words = [str(number) for line in maps for number in line]
    if os.getuid() == 0:
        with open(f"/proc/{{child}}/uid_map", "w") as file:
            file.write("\\n".join(" ".join(map(str, line)) for line in maps))
    else:
        subprocess.run(["newuidmap", str(child), *words], check=True)
    os.write(go[1], b"x")
    os._exit(os.waitpid(child, 0)[1])
assert ctypes.CDLL(None).unshare(0x10000000) == 0
os.write(ready[1], b"x")
os.read(go[0], 1)
if os.getuid() != own:
    os.setresuid(own, own, own)
"""


def id_map(text):
    return [tuple(map(int, line.split())) for line in text.splitlines()]


def has_subordinate_ids():
    if IS_ROOT:
        return True
    user = pwd.getpwuid(os.getuid()).pw_name
    ranges = Path("/etc/subuid").read_text().splitlines() if os.path.exists("/etc/subuid") else []
    return os.path.exists("/usr/bin/newuidmap") and any(line.split(":")[0] == user for line in ranges)


can_show_root = pytest.mark.skipif(not has_subordinate_ids(), reason="this user has no subordinate ids")


@can_show_root
@BOTH
def test_they_are_roots_inside(ringwall, profile, file):
    check = CHECK.format(file=file)
    assert ringwall.python(check, "--profile", profile).ok() == "obeyed"
    # What the check is worth: an ordinary file of the same run.
    made = f"import os; os.makedirs('a/b', 0o755); open('a/b/c', 'w'); file = os.path.abspath('a/b/c')\n"
    assert "belongs to" in ringwall.python(made + check.replace(repr(file), "file"), "--profile", profile).ok()


@can_show_root
@BOTH
def test_nobody_is_that_id_nor_becomes_it(ringwall, profile, file):
    assert ringwall.python(ACTS.format(file=file), "--profile", profile).ok() == ""


@can_show_root
def test_the_same_acts_work_where_capabilities_are_left(ringwall, bare):
    maps = ringwall.sh("cat /proc/self/uid_map", "--profile", "gemini").ok()
    script = WITH_CAPABILITIES.format(maps=id_map(maps))
    got = bare(sys.executable, "-c", script + ACTS.format(file=GEMINI)).out.splitlines()
    assert {"setuid", "setreuid", "setresuid", "setfsuid"} <= set(got), got


@can_show_root
def test_the_probe_of_the_promise_tries_it(ringwall, place):
    program = binary("RINGWALL_PROBE_BIN")
    (place.work / "facts.json").write_text(json.dumps({"workspace": str(place.work)}))
    words = ("run", "--profile", "gemini", "--ro", program, "--", program, "facts.json", "--acts", "P03")
    told = json.loads(ringwall(*words).ok())
    assert told["finding"] == "held" and told["acts"]["become uid 0"] == "EPERM", told


@can_show_root
def test_other_runs_have_one_id(ringwall):
    show = "cat /proc/self/uid_map; stat -c %u / /etc"
    *lines, root, etc = ringwall.sh(show, "--profile", "claude").ok().splitlines()
    ((inside, outside, count),) = id_map("\n".join(lines))
    assert inside == outside == int(root) == int(etc) != 0 and count == 1
    *lines, root, etc = ringwall.sh(show, "--profile", "gemini").ok().splitlines()
    maps = {inside: outside for inside, outside, _ in id_map("\n".join(lines))}
    assert len(maps) == 2 and maps[0] not in (0, os.getuid()) and (root, etc) == ("0", "0")
    plan = ringwall.plan("--profile", "gemini")
    assert plan["shown_as_root"] == maps[0] and plan["unmanaged"] == ""
    assert plan["uid"] in maps and maps[plan["uid"]] == plan["uid"] != 0
    assert ringwall.plan("--profile", "claude")["shown_as_root"] is None
    assert "root inside" in ringwall("run", "--explain", "--profile", "copilot", "true").ok()


@can_show_root
@pytest.mark.parametrize("profile", ["gemini", "copilot"])
def test_they_call_the_gate(ringwall, profile):
    hook = {"gemini": "['BeforeTool'][0]['hooks'][0]['command']", "copilot": "['preToolUse'][0]['bash']"}[profile]
    file = {"gemini": GEMINI, "copilot": COPILOT}[profile]
    call = {
        "gemini": {"hook_event_name": "BeforeTool", "tool_name": "BrandNewTool", "tool_input": {}, "cwd": "/"},
        "copilot": {"sessionId": "s", "timestamp": 1, "cwd": "/", "toolName": "BrandNewTool", "toolArgs": "{}"},
    }[profile]
    script = (
        "import json, subprocess\n"
        f"command = json.load(open({file!r}))['hooks']{hook}\n"
        f"done = subprocess.run(command, shell=True, capture_output=True, input={json.dumps(call).encode()!r})\n"
        "print(done.returncode, done.stdout.decode())\n"
    )
    result = ringwall.python(script, "--profile", profile)
    status, out = result.out.split(" ", 1)
    assert status == "2" and "deny" in out, result
    assert f"the gate refused BrandNewTool to {profile}" in result.err


# Hosts that root makes

SOMEBODY = 4242


@pytest.fixture
def somebody(place):
    """somebody(SCRIPT): a prefix by which an ordinary user runs on a host that the script has prepared."""
    room = Path(os.environ["TMPDIR"])
    mode = room.stat().st_mode & 0o777
    room.chmod(0o711)
    subprocess.run(["chown", "-R", f"{SOMEBODY}:{SOMEBODY}", place.root], check=True)
    person = f"echo 'somebody:x:{SOMEBODY}:{SOMEBODY}::{place.home}:/bin/sh' >> /etc/passwd && "
    become = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"]
    yield lambda script, *more: [*in_own_etc(person + script), *become, *more]
    room.chmod(mode)


def doctors_row(ringwall, prefix):
    rows = json.loads(ringwall("doctor", "--json", prefix=prefix).out)["rows"]
    return next(row for row in rows if row["name"] == "managed settings")


@needs_root
@pytest.mark.skipif(not os.path.exists("/usr/bin/newuidmap"), reason="needs uidmap")
def test_an_ordinary_user_has_them_by_a_subordinate_id(ringwall, somebody):
    host = somebody("echo somebody:700000:10 > /etc/subuid")
    assert ringwall.python(CHECK.format(file=GEMINI), "--profile", "gemini", prefix=host).ok() == "obeyed"
    maps = id_map(ringwall.sh("cat /proc/self/uid_map", "--profile", "gemini", prefix=host).ok())
    assert maps == [(SOMEBODY, SOMEBODY, 1), (0, 700000, 1)]
    assert ringwall.python(ACTS.format(file=GEMINI), "--profile", "gemini", prefix=host).ok() == ""
    # Whatever USER says.
    assert ringwall.plan("--profile", "gemini", prefix=host, env={"USER": "other"})["shown_as_root"] == 700000
    row = doctors_row(ringwall, host)
    assert row["state"] == "ok" and "uid 700000" in row["seen"], row


REFUSED = {
    "no range": ("echo other:100000:65536 > /etc/subuid", (), "no subordinate id", "sudo usermod --add-subuids 165536-231071 somebody"),
    "no list": ("rm -f /etc/subuid", (), "no subordinate id", "sudo usermod --add-subuids 100000-165535 somebody"),
    "no program": (
        "echo somebody:700000:10 > /etc/subuid && mount --bind /dev/null /usr/bin/newuidmap",
        (),
        "newuidmap is not installed",
        "sudo apt install uidmap",
    ),
    "no privileges": (
        "echo somebody:700000:10 > /etc/subuid",
        ("--no-new-privs",),
        "newuidmap has refused",
        "no_new_privs",
    ),
}


@needs_root
@pytest.mark.skipif(not os.path.exists("/usr/bin/newuidmap"), reason="needs uidmap")
@pytest.mark.parametrize("case", REFUSED)
def test_without_one_the_agent_runs_and_it_is_said(ringwall, somebody, case):
    script, more, seen, mend = REFUSED[case]
    host = somebody(script, *more)
    show = f"ls {GEMINI} {COPILOT} 2>/dev/null; cat /proc/self/uid_map"
    out = ringwall.sh(show, "--profile", "gemini", "--profile", "copilot", prefix=host).ok()
    assert id_map(out) == [(SOMEBODY, SOMEBODY, 1)]
    plan = ringwall.plan("--profile", "gemini", prefix=host)
    assert plan["shown_as_root"] is None and seen in plan["unmanaged"]
    told = ringwall("run", "--explain", "--profile", "gemini", "true", prefix=host).ok()
    assert seen in told and mend in told
    assert ringwall.plan("--profile", "claude", prefix=host)["unmanaged"] == ""
    row = doctors_row(ringwall, host)
    assert row["state"] == "missing" and not row["required"]
    assert seen in row["seen"] and mend in row["mend"], row


@needs_root
def test_the_organisations_own_are_not_covered(ringwall):
    host = in_own_etc(f"mkdir -p /etc/gemini-cli && echo '{{}}' > {GEMINI}")
    assert ringwall.sh(f"cat {GEMINI}", "--profile", "gemini", prefix=host).ok() == "{}"
    plan = ringwall.plan("--profile", "gemini", prefix=host)
    assert plan["shown_as_root"] is None and "/etc/gemini-cli" in plan["unmanaged"]
