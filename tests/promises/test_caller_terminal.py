"""P20, P21 and P39: the caller's terminal, what reaches it, and the relay in between."""

import errno
import itertools
import json
import os
import select
import signal
import socket
import stat
import subprocess
import time

import caller_terminal
import layers
import outside_facts
import pytest
import sandbox_run

COMBINATIONS = [
    places for count in (1, 2, 3) for places in itertools.combinations(range(3), count)
]
SYS_LANDLOCK_CREATE_RULESET, ASK_VERSION = 444, 1
LANDLOCK = outside_facts.LIBC.syscall(SYS_LANDLOCK_CREATE_RULESET, None, 0, ASK_VERSION) >= 2


@pytest.fixture
def terminal():
    with caller_terminal.CallerTerminal() as made:
        yield made


def probe(*arguments, **more):
    done = subprocess.run(
        [sandbox_run.PROBE, *arguments], stdout=subprocess.PIPE, check=True, timeout=120, **more
    )
    return done.stdout


SCRIPT = ("sh", "-c", probe("--terminal-script").decode())


def judge(shown):
    return json.loads(probe("--judge-terminal", input=shown))


# P20


def test_P20_bare_everything_gets_through(bare):
    acts = bare["P20"]["acts"]
    for act in ("open the caller's terminal by its path", "open /dev/tty", "find it as descriptor 0"):
        assert acts[act] == "", acts
    if layers.typing_is_allowed() or layers.AS_ROOT:
        assert acts["TIOCSTI on descriptor 0"] == "" and acts["TIOCSTI on /dev/tty"] == ""


@pytest.mark.parametrize("at", COMBINATIONS, ids=str)
def test_P20_held_with_a_terminal_on_any_of_0_to_2(outside, terminal, at):
    with sandbox_run.Run(outside, terminal=terminal, at=at) as run:
        answer = run.probe("P20")["P20"]
        assert answer["finding"] == "held", answer
        assert "are others" in answer["acts"]["find it as a descriptor"]
        # The key that the probe types; Ringwall's own messages may be there.
        terminal.read(0.05)
        assert terminal.unread_keys() == 0 and b"#" not in terminal.shown, terminal.shown


@pytest.mark.parametrize("at", COMBINATIONS, ids=str)
def test_P20_breached_with_the_callers_terminal_itself(outside, terminal, at):
    with sandbox_run.Run(outside, ["own-terminal"], terminal=terminal, at=at) as run:
        answer = run.probe("P20")["P20"]
    assert answer["finding"] == "breached", answer
    for place in range(3):
        found = answer["acts"].get(f"find it as descriptor {place}")
        assert found == ("" if place in at else None), answer


# P21


def test_P21_bare_everything_arrives(terminal):
    with subprocess.Popen(
        SCRIPT, stdin=terminal.far, stdout=terminal.far, preexec_fn=terminal.lead_session
    ) as shell:
        answer = judge(terminal.play_terminal())
        shell.kill()
    assert answer["finding"] == "breached"
    assert sorted(set(answer["acts"].values())) == ["", "passes"]


def test_P21_hostile_sequences_are_dropped_and_harmless_ones_pass(outside, terminal):
    with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=SCRIPT):
        answer = judge(terminal.play_terminal())
    assert answer["finding"] == "held", answer
    assert sorted(set(answer["acts"].values())) == ["dropped", "passes"]


@pytest.mark.parametrize("wall", ["terminal-filter", "own-terminal"])
def test_P21_breached_without_a_wall(outside, terminal, wall):
    with sandbox_run.Run(outside, [wall], terminal=terminal, at=(0, 1), command=SCRIPT):
        answer = judge(terminal.play_terminal())
    assert answer["finding"] == "breached", answer
    assert answer["acts"]["clipboard write"] == "", answer


def at_terminal(outside, terminal, *arguments, **more):
    return subprocess.Popen(
        [sandbox_run.RINGWALL, *arguments],
        cwd=outside.workspace,
        env=outside.environment(),
        stdin=terminal.far,
        stdout=terminal.far,
        stderr=terminal.far,
        preexec_fn=terminal.lead_session,
        **more,
    )


def test_P21_holds_for_exec_and_attach_as_well(outside, terminal):
    with sandbox_run.Run(outside) as run:
        run.shell("true")
        shown = at_terminal(outside, terminal, "exec", run.name, "--", *SCRIPT)
        answer = judge(terminal.play_terminal())
        shown.terminate()
        shown.wait(60)
    assert answer["finding"] == "held", answer


def test_P21_a_name_in_a_message_is_quoted(outside, terminal):
    name = "./\x1b]52;c;aGk=\x07\x9b21t"
    shown = at_terminal(outside, terminal, "run", "--", name)
    shown.wait(60)
    terminal.read_until(b"52;c;aGk=")
    assert b"\x1b]" not in terminal.shown and b"\x07" not in terminal.shown, terminal.shown
    assert b"\x9b" not in terminal.shown, terminal.shown


# P39


def helper_of(run, name="ringwall-relay"):
    """Its pid, looked for from outside: a child of the supervisor's."""
    found = [run.process.pid]
    for pid in found:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            found += map(int, children.read().split())
        with open(f"/proc/{pid}/cmdline") as line:
            if line.read().rstrip("\0") == name:
                return pid
    raise AssertionError(f"there is no {name}")


def status_of(pid):
    with open(f"/proc/{pid}/status") as lines:
        return dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)


def look_at(helper):
    status = status_of(helper)
    assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert "0" not in status["Uid"].split() + status["Gid"].split()
    folder = f"/proc/{helper}/fd"
    if not layers.AS_ROOT:
        with pytest.raises(PermissionError):  # nobody can trace it
            os.listdir(folder)
        return
    for fd in os.listdir(folder):
        mode = os.stat(f"{folder}/{fd}").st_mode
        assert not stat.S_ISREG(mode) and not stat.S_ISDIR(mode), os.readlink(f"{folder}/{fd}")


def test_P39_the_relay_of_sockets_is_walled_too(outside):
    ours, theirs = socket.socketpair()
    with ours, theirs, sandbox_run.Run(outside, stdin=theirs) as run:
        run.shell("true")
        look_at(helper_of(run, "ringwall-socket-relay"))


def try_acts(run):
    run.shell("true")
    with run.connect() as connection:
        return sandbox_run.control_client.try_acts(connection)


FILES = ("relay: open a file", "relay: make a file", "relay: list a folder")
OTHERS = ("relay: make a socket", "relay: start a program")
BROKERS = [name.replace("relay", "broker") for name in (*FILES, *OTHERS)]


def test_P39_the_relay_can_do_nothing_else(outside, terminal):
    with sandbox_run.Run(outside, terminal=terminal) as run:
        acts = try_acts(run)
        assert {acts[act] for act in (*FILES, *OTHERS)} == {errno.EPERM}, acts
        look_at(helper_of(run))


@pytest.mark.skipif(not LANDLOCK, reason="Landlock keeps the broker to its folders")
def test_P39_the_broker_leaves_no_folder_of_its_own(outside):
    with sandbox_run.Run(outside) as run:
        acts = try_acts(run)
        assert {acts[act] for act in BROKERS} == {errno.EPERM, errno.EACCES}, acts
    with sandbox_run.Run(outside, ["helper-walls", "landlock"]) as run:
        acts = try_acts(run)
        assert {acts[act] for act in BROKERS} >= {0}, acts


@pytest.mark.skipif(not LANDLOCK, reason="there is no second layer without Landlock")
def test_P39_without_its_filter_landlock_still_keeps_the_files(outside, terminal):
    with sandbox_run.Run(outside, ["helper-walls"], terminal=terminal) as run:
        acts = try_acts(run)
        assert status_of(helper_of(run))["Seccomp"] == "0"
    assert {acts[act] for act in FILES} == {errno.EACCES}, acts
    assert acts["relay: make a socket"] == 0, acts


def test_P39_breached_without_both(outside, terminal):
    with sandbox_run.Run(outside, ["helper-walls", "landlock"], terminal=terminal) as run:
        acts = try_acts(run)
    assert {acts[act] for act in FILES} == {0}, acts


def test_P39_a_run_without_a_terminal_has_no_relay(outside):
    with sandbox_run.Run(outside) as run:
        assert not [act for act in try_acts(run) if act.startswith("relay")]


NETWORK = [name.replace("relay", "network relay") for name in (*FILES, *OTHERS)]
RESOLVER = ("resolver: start a process", "resolver: start a program", "resolver: remove a file")
RESOLVERS_FILES = ("resolver: make a file", "resolver: list a folder")


def with_resolver(run):
    """A connection by name starts it."""
    run.probe("P25")
    return try_acts(run)


def test_P39_the_relay_of_the_network_can_do_nothing_else(outside):
    with sandbox_run.Run(outside) as run:
        acts = try_acts(run)
        assert {acts[act] for act in NETWORK} == {errno.EPERM}, acts
        look_at(helper_of(run, "ringwall-network"))
    with sandbox_run.Run(outside, ["helper-walls", "landlock"]) as run:
        acts = try_acts(run)
        assert {acts[act] for act in NETWORK} >= {0}, acts


def test_P39_the_resolver_starts_and_changes_nothing(outside):
    with sandbox_run.Run(outside) as run:
        acts = with_resolver(run)
        assert {acts[act] for act in RESOLVER} == {errno.EPERM}, acts
        look_at(helper_of(run, "ringwall-resolver"))
    with sandbox_run.Run(outside, ["helper-walls"]) as run:
        acts = with_resolver(run)
        assert acts["resolver: start a process"] == 0, acts


@pytest.mark.skipif(not LANDLOCK, reason="Landlock keeps the resolver to the system's files")
def test_P39_the_resolver_sees_no_file_but_the_systems(outside):
    with sandbox_run.Run(outside) as run:
        acts = with_resolver(run)
        assert {acts[act] for act in RESOLVERS_FILES} == {errno.EACCES}, acts
    with sandbox_run.Run(outside, ["landlock"]) as run:
        acts = with_resolver(run)
        assert acts["resolver: list a folder"] == 0, acts


# What must go on working


def test_allowed_P20_a_terminal_of_its_own_at_run_and_exec(outside, terminal):
    looks = "tty; stty size; test -w /dev/tty && echo writable; echo {end}"
    with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=("sh", "-c", looks)) as run:
        shown = terminal.read_until(b"{end}").decode().split()
        run.process.wait(60)
    size = [str(caller_terminal.ROWS), str(caller_terminal.COLUMNS)]
    assert shown[0].startswith("/dev/pts/") and shown[1:4] == [*size, "writable"], shown
    with sandbox_run.Run(outside) as run, caller_terminal.CallerTerminal() as other:
        run.shell("true")
        inside = at_terminal(outside, other, "exec", run.name, "--", "sh", "-c", looks + "; exit 3")
        shown = other.read_until(b"{end}").decode().split()
        assert inside.wait(60) == 3
    assert shown[0].startswith("/dev/pts/") and shown[1:4] == [*size, "writable"], shown


def test_allowed_P20_keys_arrive(outside, terminal):
    reads = "printf ready; read line; echo \"[$line]\""
    with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=("sh", "-c", reads)):
        terminal.read_until(b"ready")
        terminal.type(b"some words\r")
        terminal.read_until(b"[some words]")


def test_allowed_P39_a_megabyte_arrives_unchanged(outside, terminal):
    program = "import sys; [print('%07d' % i) for i in range(125000)]; print('{end}')"
    command = ("/usr/bin/python3", "-c", program)
    with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=command):
        shown = terminal.read_until(b"{end}")
    assert shown.split()[:125000] == [b"%07d" % i for i in range(125000)]


# P32: whoever of a run ends, all of it ends. ringwall verify tries each; this is its slow twin.

STUBBORN = "trap '' TERM HUP INT; (setsid sleep 600 &) ; (kill -STOP $$) & echo {up}; sleep 600"


@pytest.mark.alone
@pytest.mark.parametrize("what", ["front end", "relay", "terminal"])
def test_P32_nothing_is_left_after_the_end_of_the(outside, what):
    with caller_terminal.CallerTerminal() as terminal:
        command = ("sh", "-c", STUBBORN)
        with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=command) as run:
            terminal.read_until(b"{up}")
            relay = helper_of(run)
            left = os.pidfd_open(relay)
            start = time.monotonic()
            if what == "terminal":
                os.close(terminal.near)
                os.close(terminal.far)
                terminal.near = terminal.far = -1
            else:
                os.kill(relay if what == "relay" else run.process.pid, 9)
            # Everything inside holds the pipe that is its descriptor 2.
            run.process.stderr.read()
            assert time.monotonic() - start < 1.0
            patience = max(0, start + 1.0 - time.monotonic())
            assert select.select([left], [], [], patience)[0], "the relay goes on"
            os.close(left)
            run.process.wait(60)


@pytest.mark.alone
@pytest.mark.parametrize("what", ["SIGTERM", "end of the supervisor", "end of pid 1"])
def test_P32_a_terminal_that_takes_nothing_holds_nobody(outside, terminal, what):
    with sandbox_run.Run(outside, terminal=terminal, at=(0, 1), command=("yes",)) as run:
        terminal.read_until(b"y\r\ny")
        pid1 = helper_of(run, "ringwall-init")
        with open(f"/proc/{pid1}/stat") as line:
            supervisor = int(line.read().rpartition(")")[2].split()[1])
        time.sleep(0.2)  # nobody reads: all that lies in between is full
        start = time.monotonic()
        victim = {"SIGTERM": run.process.pid, "end of pid 1": pid1}.get(what, supervisor)
        os.kill(victim, signal.SIGTERM if what == "SIGTERM" else signal.SIGKILL)
        run.process.wait(60)
        run.process.stderr.read()
        assert time.monotonic() - start < 2
