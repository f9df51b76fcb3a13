"""Ways out that were found by attacking Ringwall: each stays shut, and its honest twin stays open.

Hostile acts are done inside, or by the test itself in its own throw-away home.
"""

import json
import os
import signal
import socket
import subprocess
import threading
import time

import pytest

PYTHON = "/usr/bin/python3"


def program(path, text="#!/bin/sh\necho RAN $0\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def key(place):
    path = place.home / ".ssh/id_rsa"
    path.parent.mkdir(mode=0o700)
    path.write_text("SECRET")
    path.chmod(0o600)
    return path


def stop(process, seconds=60):
    process.terminate()
    process.communicate(timeout=seconds)


# Setuid files


SET_ID = [
    ("touch s; chmod u+s s", "s"),
    ("touch s; chmod 2755 s", "s"),
    ("touch s; install -m 4755 s t", "t"),
    ("cp --preserve=mode /bin/su u", "u"),
    ("python3 -c 'import os; os.open(\"v\", os.O_CREAT, 0o4777)'", "v"),
]


def set_id_files(folder):
    return {path.name for path in folder.rglob("*") if path.stat().st_mode & 0o6000}


def remove_all(folder):
    subprocess.run(["find", folder, "-mindepth", "1", "-delete"], check=True)


@pytest.mark.parametrize("act, name", SET_ID)
def test_no_setuid_or_setgid_file_is_made_inside(stopped, place, act, name):
    def undo():
        remove_all(place.work)

    inside = stopped(act, "system-calls", lambda _: set_id_files(place.work) == {name}, undo=undo)
    assert set_id_files(place.work) == set()
    assert "not permitted" in inside.err


def test_other_modes_can_be_set(ringwall, place):
    script = "touch a; chmod 755 a; mkdir d; chmod 1777 d; umask 027; touch b; stat -c %a a d b; chmod u-s,g-s a d"
    assert ringwall.sh(script).ok().split() == ["755", "1777", "640"]


def test_an_archive_with_a_setuid_member_can_be_unpacked(ringwall, bare, stopped, place):
    """As an ordinary user has it from an archive of another owner: the content without the bit."""
    script = "mkdir src; echo one > src/a; echo two > src/b; chmod 4755 src/a; chmod 640 src/b; tar cf x.tar src; rm -r src"
    assert bare("sh", "-c", script).status == 0
    assert ringwall.sh("umask 022; tar xf x.tar --no-same-permissions && cat src/a src/b").ok() == "one\ntwo"
    assert (place.work / "src/a").stat().st_mode & 0o7777 == 0o755
    script = "rm -r src; tar xpf x.tar; cat src/a src/b"
    inside = stopped(script, "system-calls", lambda _: set_id_files(place.work) == {"a"})
    assert inside.out == "one\ntwo\n"  # with -p tar says that it could not set the mode


# Interpreters


@pytest.mark.parametrize("mode", [0o600, 0o755])
@pytest.mark.parametrize("line", ["#!{key}", "#!/usr/bin/env {key}", "#!/usr/bin/env -S {key} x", "#!/bin/sh {key}"])
def test_an_interpreter_line_of_an_earlier_workspace_grants_nothing(ringwall, stopped, place, key, line, mode):
    key.chmod(mode)
    earlier = place.home / "earlier"
    program(earlier / "tool", line.format(key=key) + "\n")
    local = place.home / ".local/bin"
    local.mkdir(parents=True)
    (local / "tool").symlink_to(earlier / "tool")
    path = {"PATH": f"{local}:/usr/bin:/bin"}
    stopped(f"cat {key}; cat ~/.ssh/id_rsa", "private-home,landlock", "SECRET", env=path)
    assert "SECRET" not in ringwall("run", "tool", env=path).out
    plan = ringwall("run", "--explain", "--json", "tool", env=path)
    assert f'"path":"{key}"' not in plan.out
    assert f'"path":"{key.parent}"' not in plan.out


def test_an_interpreter_in_the_same_installation_works(ringwall, place):
    install = place.home / ".nvm/versions/node/v20.1.0"
    program(install / "bin/node", "#!/bin/sh\necho RAN node\n")
    program(install / "bin/tool", f"#!{install}/bin/node\n")
    program(install / "bin/by-name", "#!/usr/bin/env node\n")
    path = {"PATH": f"{install}/bin:/usr/bin:/bin"}
    for name in ("tool", "by-name"):
        assert ringwall("run", name, env=path).ok() == "RAN node"


@pytest.mark.parametrize("mode", [0o600, 0o755])
def test_a_program_of_an_earlier_workspace_turned_into_a_link_grants_nothing(ringwall, stopped, place, key, mode):
    """On some filesystems every file is executable."""
    key.chmod(mode)
    local = place.home / ".local/bin"
    for folder in (local, place.home / "earlier"):
        folder.mkdir(parents=True)
    ringwall.sh("true", cwd=place.home / "earlier").ok()
    # A run that makes such a link loses it: one that it brought about by other means leads nowhere either.
    (place.home / "earlier/tool").symlink_to(key)
    (local / "tool").symlink_to(place.home / "earlier/tool")
    env = {"PATH": f"{local}:/usr/bin:/bin"}
    for path in (key, local / "tool"):
        stopped(f"cat {path}", "private-home,landlock", "SECRET", env=env)


# Links planted in the workspace


@pytest.mark.parametrize("flag", ["--ro", "--rw"])
@pytest.mark.parametrize("named", ["vendor", "vendor/below", "deep/vendor"])
def test_a_grant_through_a_link_out_of_the_workspace_is_refused(ringwall, place, flag, named):
    (place.home / "private/below").mkdir(parents=True)
    (place.home / "private/below/key").write_text("SECRET")
    (place.work / "deep").mkdir()
    for link in ("vendor", "deep/vendor"):
        (place.work / link).symlink_to(place.home / "private")
    script = "echo RAN; cat vendor/below/key"
    result = ringwall.sh(script, flag, place.work / named).refused("vendor", "link")
    assert str(place.home / "private") in result.hint()
    # Named by its real path it is the person's own wish.
    assert "SECRET" in ringwall.sh("cat vendor/below/key", flag, place.home / "private").out


@pytest.mark.parametrize("flag", ["--ro", "--rw"])
def test_a_grant_through_a_link_that_stays_in_the_workspace_works(ringwall, place, flag):
    (place.work / "real").mkdir()
    (place.work / "real/file").write_text("DATA")
    (place.work / "vendor").symlink_to("real")
    assert ringwall.sh("cat vendor/file", flag, place.work / "vendor").ok() == "DATA"


def test_a_symlinked_workspace_works(ringwall, place):
    (place.work / "data").mkdir()
    (place.home / "link").symlink_to(place.work)
    script = "echo RAN > made; cat made"
    assert ringwall.sh(script, "-w", place.home / "link").ok() == "RAN"
    assert ringwall.sh(script, "-w", place.home / "link", "--ro", place.home / "link/data").ok() == "RAN"


# Deep trees


DIG = """
import os, sys
at = os.open(sys.argv[1], os.O_RDONLY)
for _ in range(6000):
    os.mkdir("d", dir_fd=at)
    at, before = os.open("d", os.O_RDONLY, dir_fd=at), at
    os.close(before)
"""


def test_six_thousand_nested_folders_stop_no_run(ringwall, bare, place):
    assert bare(PYTHON, "-c", DIG, place.work).status == 0
    start = time.monotonic()
    try:
        assert ringwall.sh("echo RAN", "--no-undo").ok() == "RAN"
        assert time.monotonic() - start < 30  # the depth squared would take minutes
    finally:
        subprocess.run(["rm", "-rf", place.work / "d"], check=True)
    assert ringwall.sh("echo RAN").ok() == "RAN"


@pytest.mark.parametrize("folder", ["", ".cache"])
def test_nested_folders_in_the_private_home_stop_no_later_run(ringwall, place, folder):
    dig = f"import sys; sys.argv.append({folder!r}); import os; os.chdir(os.environ['HOME']); sys.argv[1] = sys.argv[1] or '.'"
    try:
        ringwall.python(dig + DIG).ok()
        assert ringwall.sh("echo RAN").ok() == "RAN"
    finally:
        subprocess.run(["rm", "-rf", place.state], check=True)


# Processes that stop others


STOPPER = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
while True:
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try:
                os.kill(int(name), signal.SIGSTOP)
            except OSError:
                pass
"""


@pytest.fixture
def stopper(ringwall):
    process = ringwall.start("run", "--name", "here", "--", PYTHON, "-c", STOPPER)
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    yield process
    if process.poll() is None:
        process.kill()
        process.communicate()
        ringwall("ls")


def test_two_interrupts_end_a_client_whose_process_is_stopped(ringwall, stopper):
    client = ringwall.start("exec", "here", "--", "sleep", "60")
    try:
        time.sleep(0.5)
        client.send_signal(signal.SIGINT)
        time.sleep(0.2)
        client.send_signal(signal.SIGINT)
        client.communicate(timeout=120)
        assert client.returncode in (125, 130, 137), client.returncode
    finally:
        client.kill()
        client.wait()
    assert stopper.poll() is None


@pytest.mark.alone
def test_a_flood_of_signals_does_not_hold_up_the_end(ringwall, place, stopper):
    for _ in range(2000):
        stopper.send_signal(signal.SIGWINCH)
    start = time.monotonic()
    stopper.terminate()
    stopper.communicate(timeout=120)
    assert time.monotonic() - start < 2
    place.wait_until_gone()


# Ringwall's own files


def test_a_runtime_folder_that_leads_into_the_workspace_is_refused(ringwall, place):
    (place.work / "sub").mkdir()
    (place.work / "sub/run").mkdir(mode=0o700)
    (place.root / "link").symlink_to(place.work / "sub")
    env = {"XDG_RUNTIME_DIR": str(place.root / "link/run")}
    ringwall.sh("echo RAN", env=env).refused("Ringwall's own files are there")
    assert list((place.work / "sub/run").iterdir()) == []


def test_a_state_folder_behind_a_link(ringwall, place):
    (place.home / ".local").mkdir()
    (place.root / "disk").mkdir()
    state = place.home / ".local/state"
    state.symlink_to(place.root / "disk")
    assert ringwall.sh("echo RAN; touch ~/.cache/x").ok() == "RAN"
    assert ringwall.sh("ls ~/.cache").ok() == "x"
    state.unlink()
    (place.work / "state").mkdir()
    state.symlink_to(place.work / "state")
    ringwall.sh("echo RAN").refused("Ringwall's own files are there")


# The workspace's own .git


def test_a_deleted_git_folder_does_not_widen_the_workspace(ringwall, stopped, place):
    outer = place.work / "outer"
    inner = outer / "inner"
    for folder in (outer, inner):
        (folder / ".git").mkdir(parents=True)
    (outer / "secret").write_text("SECRET")
    stopped("cat ../secret", "private-home,landlock", "SECRET", cwd=inner)
    ringwall.sh("rmdir .git", cwd=inner).ok()
    assert not (inner / ".git").exists()
    result = ringwall.sh("echo RAN; cat ../secret", cwd=inner).refused("workspace")
    assert "-w" in result.hint() and str(inner) in result.hint()
    result = ringwall.sh("echo RAN; cat ../secret", "-w", inner, cwd=inner)
    assert result.out == "RAN\n"
    # Said once more by name, the outer one is the person's wish.
    assert "SECRET" in ringwall.sh("cat secret", "-w", outer, cwd=outer).out
    # And that the outer one is a workspace too now changes nothing.
    ringwall.sh("echo RAN; cat ../secret", cwd=inner).refused("workspace")


@pytest.mark.parametrize("how", [("--fresh",), ("--home", "other")], ids=["fresh", "named"])
def test_a_deleted_git_folder_of_a_run_without_a_home_of_its_own(ringwall, place, how):
    inner = place.work / "outer/inner"
    for folder in (inner.parent, inner):
        (folder / ".git").mkdir(parents=True)
    ringwall.sh("rmdir .git", *how, cwd=inner).ok()
    ringwall.sh("echo RAN; ls ..", cwd=inner).refused("was a workspace before")


def test_a_deleted_git_folder_does_not_widen_the_workspace_behind_a_link(ringwall, place):
    """Entered by a link of another repository, it is still the folder that was a workspace before."""
    inner = place.home / "outer/inner"
    for folder in (inner.parent, inner, place.work):
        (folder / ".git").mkdir(parents=True)
    (inner.parent / "secret").write_text("SECRET")
    (place.work / "in").symlink_to(inner)
    by_link = {"cwd": place.work / "in", "env": {"PWD": str(place.work / "in")}}
    ringwall("run", "true").ok()
    assert ringwall.sh("pwd -P", **by_link).ok() == str(inner)
    ringwall.sh("rmdir .git", cwd=inner).ok()
    result = ringwall.sh("echo RAN; cat ../secret", **by_link).refused("was a workspace before")
    assert str(inner) in result.hint()
    assert ringwall.sh("echo RAN", "-w", inner, **by_link).ok() == "RAN"


def test_the_outer_workspace_is_found_from_folders_that_were_never_one(ringwall, place):
    (place.work / ".git").mkdir()
    (place.work / "sub").mkdir()
    (place.work / "file").write_text("DATA")
    for _ in range(2):
        assert ringwall.sh("cat ../file", cwd=place.work / "sub").ok() == "DATA"


# What a run waits for


def test_a_fifo_as_git_configuration_does_not_hold_up_the_start(ringwall, place):
    os.mkfifo(place.home / ".gitconfig")
    assert ringwall.sh("echo RAN", timeout=120).out == "RAN\n"
    (place.home / ".gitconfig").unlink()
    (place.home / ".config/git").mkdir(parents=True)
    os.mkfifo(place.home / ".config/git/config")
    assert ringwall.sh("echo RAN", timeout=120).out == "RAN\n"


GIVE = """
import os, socket, time
print("up", flush=True)
while True:
    try:
        s = socket.socket(socket.AF_UNIX); s.connect("pass"); break
    except OSError:
        time.sleep(0.01)
socket.send_fds(s, [b"x"], [1])
s.recv(1)
print("given", flush=True)
"""
TAKE = """
import socket, time
l = socket.socket(socket.AF_UNIX); l.bind("pass"); l.listen(1)
s = l.accept()[0]
taken = socket.recv_fds(s, 1, 1)
s.send(b"y"); print("taken", len(taken[1]), flush=True)
time.sleep(60)
"""


@pytest.mark.alone
def test_an_output_that_was_passed_on_does_not_hold_up_the_end(ringwall, mutant):
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    # Another run's socket is masked as the host's are; here it is to be reached.
    open_run = mutant("later-sockets")
    giver = open_run.start("run", "--", PYTHON, "-c", GIVE, stdin=subprocess.DEVNULL, stdout=theirs)
    theirs.close()
    assert ours.recv(100) == b"up\n"
    taker = ringwall.start("run", "--home", "other", "--", PYTHON, "-c", TAKE)
    try:
        assert taker.stdout.readline() == b"taken 1\n"
        assert ours.recv(100) == b"given\n"
        start = time.monotonic()
        assert giver.wait(60) == 0
        assert time.monotonic() - start < 1.5
        assert ours.recv(100) == b""
    finally:
        giver.kill()
        giver.communicate()
        stop(taker)
        ours.close()


def test_an_output_that_is_closed_inside_ends_for_its_reader(ringwall):
    process = ringwall.start("run", "--", "sh", "-c", "echo up; exec >&-; read line; exit 4")
    reader = threading.Thread(target=process.stdout.read, daemon=True)
    reader.start()
    reader.join(3)
    ended, running = not reader.is_alive(), process.poll() is None
    process.stdin.write(b"\n")
    process.stdin.close()
    assert process.wait(60) == 4
    reader.join(5)
    assert running and ended, "the end was seen only when the run ended"
    for stream in (process.stdout, process.stderr):
        stream.close()


# State that was left in a bad way


@pytest.mark.parametrize("mode", ["000", "500", "300"])
def test_a_kept_folder_without_permissions_stops_no_later_run(ringwall, mode):
    ringwall.sh(f"mkdir -p ~/.cache/a; chmod {mode} ~/.cache/a ~/.cache").ok()
    assert ringwall.sh("echo RAN").ok() == "RAN"
    assert ringwall.sh("chmod 700 ~/.cache; touch ~/.cache/x && echo RAN").ok() == "RAN"


# Names


@pytest.mark.parametrize("name", [b"bad\xff\xfe", b"c1 \xc2\x9b31m \xc2\x85", b"half \xe2\x82", b"\xed\xa0\x80"])
def test_json_is_utf_8_without_controls_whatever_the_names(ringwall, place, name):
    folder = os.fsdecode(os.fsencode(place.home) + b"/" + name)
    os.mkdir(folder)
    process = ringwall.start("run", "--json", "--name", "here", "-w", folder, "--", "sh", "-c", "echo up; read l", folder)
    assert process.stdout.readline() == b"up\n"
    listed = ringwall("ls", "--json")
    plan = ringwall("run", "--explain", "--json", "-w", folder, "true")
    refused = ringwall("run", "--json", "--ro", folder + "/missing", "true")
    _, err = process.communicate(b"\n", 60)
    assert process.returncode == 0 and plan.status == 0 and refused.status == 125
    for text in (listed.raw, plan.raw, err, refused.err.encode("utf-8", "surrogateescape")):
        told = text.decode("utf-8")
        assert not [c for c in told if 0x7F <= ord(c) <= 0x9F or (ord(c) < 0x20 and c != "\n")]
        for line in told.splitlines():
            json.loads(line)


@pytest.mark.parametrize("name", ["a:b", "a\nb", "a\rb"])
def test_a_home_that_cannot_stand_in_a_list_of_accounts(ringwall, place, name):
    home = place.root / name
    home.mkdir()
    result = ringwall.sh("echo RAN", env={"HOME": str(home)}).refused("HOME")
    assert "set HOME" in result.hint() and "\r" not in result.err


# Beside the workspace


def test_beside_the_workspace_nothing_can_be_written(ringwall, stopped, place):
    work = place.home / "src/app"
    work.mkdir(parents=True)
    made = place.home / "src/y"
    for act, undo in (("echo x > ../y", made.unlink), ("mkdir ../y", made.rmdir)):
        script = f"{act}; echo x > ./fine && cat fine"
        options = {"undo": undo, "cwd": work}
        inside = stopped(script, "new-root,landlock", lambda _: made.exists(), **options)
        assert inside.err.count("Permission denied") == 1 and inside.out == "x\n"
    assert ringwall.sh("echo x > ~/y && echo x > /tmp/y && cat ~/y /tmp/y", cwd=work).ok() == "x\nx"


# Toolchains


def test_an_activated_virtual_environment_outside_the_workspace(ringwall, stopped, place):
    venv = place.home / "envs/app"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", venv], check=True)
    (place.home / "envs/secret").write_text("SECRET")
    program(venv / "bin/tool", f"#!{venv}/bin/python\nimport sys; print('RAN', sys.prefix)\n")
    env = {"PATH": f"{venv}/bin:/usr/bin:/bin", "VIRTUAL_ENV": str(venv)}
    assert ringwall.sh("tool", env=env).ok() == f"RAN {venv}"
    assert ringwall("run", "python", "-c", "import sys; print(sys.prefix)", env=env).ok() == str(venv)
    stopped(f"cat {place.home}/envs/secret", "private-home,landlock", "SECRET", env=env)
    made = venv / "x"
    stopped(f"touch {made}", "read-only,landlock", lambda _: made.exists(), undo=made.unlink, env=env)


def test_a_virtual_environment_turned_into_a_link_opens_no_folder(stopped, place, key):
    """By an agent that had the project with the environment as its workspace before."""
    venv = place.home / "earlier/venv"
    venv.mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text("")
    (venv / "bin").symlink_to(key.parent)
    env = {"PATH": f"{venv}/bin:/usr/bin:/bin"}
    stopped(f"cat {key} {venv}/bin/id_rsa", "private-home,landlock", "SECRET", env=env)
    (venv / "bin").unlink()
    (venv / "pyvenv.cfg").unlink()
    venv.rmdir()
    venv.symlink_to(place.home)
    (place.home / "bin").mkdir()
    stopped(f"cat {key} {venv}/.ssh/id_rsa", "private-home,landlock", "SECRET", env=env)


def test_an_empty_environment(ringwall, place):
    names = ("USER", "PATH", "LANG", "TERM", "SHELL", "XDG_RUNTIME_DIR")
    env = {name: None for name in names}
    assert ringwall("run", "true", env=env).ok() == ""
    assert ringwall("run", "sh", "-c", "echo RAN; command -v ls", env=env).ok().split() == ["RAN", "/usr/bin/ls"]
