"""runs and exec: the control socket of a run that is going on."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time

import pytest
from conftest import needs_root, without


@contextlib.contextmanager
def going(runner, name):
    """A run that goes on meanwhile."""
    process = runner.start("run", "--name", name, "--", "sh", "-c", "echo up; read line; exit 9")
    assert process.stdout.readline() == b"up\n"
    runner.wait_for_run(name)
    try:
        yield process
    finally:
        process.communicate(b"\n", 60)


@pytest.fixture
def going_on(ringwall):
    """A run named "here" that ends with its input."""
    process = ringwall.start("run", "--name", "here", "--", "sh", "-c", "echo up; read line; exit 9")
    assert process.stdout.readline() == b"up\n"
    ringwall.wait_for_run("here")
    yield process
    if process.poll() is None:
        process.communicate(b"\n", 60)
        assert process.returncode == 9


def test_runs_lists_what_is_going_on(ringwall, place, going_on):
    (run,) = json.loads(ringwall("ls", "--json").ok())
    assert run["name"] == "here" and run["workspace"] == str(place.work) and run["pid"] == going_on.pid
    assert run["command"][0] == "sh" and run["started"] > 0
    heading, line = ringwall("ls").ok().splitlines()
    assert heading.split() == ["NAME", "PID", "AGENT", "STATE", "SINCE", "REFUSED", "WORKSPACE"]
    assert line.startswith("here ") and line.index(str(place.work)) == heading.index("WORKSPACE")


def test_runs_is_empty_without_runs(ringwall):
    assert ringwall("ls").ok() == ""
    assert ringwall("ls", "--json").ok() == "[]"


def test_names_are_quoted_in_the_list(ringwall, place):
    process = ringwall.start("run", "--name", "x", "--", "sh", "-c", "echo up; read l", "\x1b[31m")
    process.stdout.readline()
    ringwall.wait_for_run("x")
    assert "\x1b" not in ringwall("ls").out
    process.communicate(b"\n", 60)


def test_exec_runs_in_the_same_sandbox(ringwall, going_on):
    script = "pwd; readlink /proc/self/ns/pid; grep -c . /proc/1/comm; echo $RINGWALL_RUN"
    first = ringwall("exec", "here", "--", "sh", "-c", script).ok()
    assert first.endswith("here")
    second = ringwall("exec", "here", "readlink", "/proc/self/ns/pid").ok()
    assert second in first and second != os.readlink("/proc/self/ns/pid")
    processes = ringwall("exec", "here", "--", "sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '").ok()
    assert "read line" in processes


ACTS_OF_EXEC = {
    "read a key": ("private-home,landlock", "cat ~/key", "SECRET"),
    "have no filter": ("system-calls", "grep Seccomp: /proc/self/status", "Seccomp:\t0"),
    "have capabilities": ("capabilities", "grep CapBnd /proc/self/status | grep '[1-9a-f]$'", "CapBnd"),
    "reach the host": ("network-namespace", "readlink /proc/self/ns/net", os.readlink("/proc/self/ns/net")),
    "see the caller": ("fresh-proc", f"ls -d /proc/{os.getpid()}", f"/proc/{os.getpid()}"),
}


@pytest.mark.parametrize("act", ACTS_OF_EXEC)
def test_exec_is_behind_the_same_walls(ringwall, mutant, bare, place, act):
    """A process that is started later gets no fewer walls than the first."""
    walls, script, sign = ACTS_OF_EXEC[act]
    (place.home / "key").write_text("SECRET")
    assert sign in bare("sh", "-c", script).out
    for runner, name, expected in ((ringwall, "held", False), (mutant(walls), "open", True)):
        with going(runner, name):
            result = runner("exec", name, "--", "sh", "-c", script)
            assert (sign in result.out) == expected, result
            assert runner("exec", name, "echo", "RAN").ok() == "RAN"


def test_exec_does_not_pass_the_clients_environment(ringwall, bare, going_on):
    """Nor would a missing wall: exec asks pid 1 for a process, which knows its own list alone."""
    planted = {"CANARY": "SECRET"}
    assert "SECRET" in bare("env", env=planted).out
    assert "SECRET" not in ringwall("exec", "here", "env", env=planted).ok()


@pytest.mark.parametrize("status", [0, 1, 77, 255])
def test_exit_statuses_of_exec(ringwall, going_on, status):
    assert ringwall("exec", "here", "--", "sh", "-c", f"exit {status}").status == status


def test_other_ends_of_exec(ringwall, going_on):
    assert ringwall("exec", "here", "--", "sh", "-c", "kill -9 $$").status == 137
    ringwall("exec", "here", "no-such-program").refused("no-such-program", "not found", status=127)
    ringwall("exec", "here", "/etc").refused("/etc", status=126)


def test_input_and_output_of_exec(ringwall, going_on):
    data = os.urandom(1 << 20) * 8
    result = ringwall("exec", "here", "cat", input=data)
    assert result.raw == data
    result = ringwall("exec", "here", "--", "sh", "-c", "echo o; echo e >&2")
    assert (result.out, result.err) == ("o\n", "e\n")


def test_a_folder_is_not_lent_to_exec(ringwall, mutant, bare, place, going_on):
    (place.home / "key").write_text("SECRET")
    act = ["sh", "-c", "cat /proc/self/fd/0/key"]
    folder = os.open(place.home, os.O_RDONLY)
    open_run = mutant("descriptors,landlock")
    with going(open_run, "open"):
        assert "SECRET" in bare(*act, stdin=folder).out
        ringwall("exec", "here", "--", *act, stdin=folder).refused("folder")
        assert "SECRET" in open_run("exec", "open", "--", *act, stdin=folder).out
    os.close(folder)


SENDS = "import socket; lent = socket.socket(fileno=0); lent.send(b'x'); print(lent.family.name)"


def test_a_socket_is_relayed_for_exec(ringwall, bare, going_on):
    """Bytes pass; the socket itself stays outside, where it could be dialled elsewhere."""
    act = ["/usr/bin/python3", "-c", SENDS]
    with socket.create_server(("127.0.0.1", 0)) as server:
        ways = (
            ("AF_INET", lambda theirs: bare(*act, stdin=theirs)),
            ("AF_UNIX", lambda theirs: ringwall("exec", "here", "--", *act, stdin=theirs)),
        )
        for family, run in ways:
            with socket.create_connection(server.getsockname()) as theirs, server.accept()[0] as ours:
                assert run(theirs).out.strip() == family
                assert ours.recv(8) == b"x"


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP", "USR1"])
def test_signals_reach_the_command_of_exec(ringwall, going_on, name):
    number = getattr(signal, f"SIG{name}")
    script = f"trap 'echo got; exit 4' {name}; echo up; while :; do sleep 0.05; done"
    process = ringwall.start("exec", "here", "--", "sh", "-c", script)
    assert process.stdout.readline() == b"up\n"
    process.send_signal(number)
    out, _ = process.communicate(timeout=120)
    assert out == b"got\n" and process.returncode == 4


def count(ringwall, word):
    script = f"cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 's[l]eep {word}' | wc -l"
    return int(ringwall("exec", "here", "--", "sh", "-c", script).out)


def test_a_killed_client_takes_its_process_along(ringwall, going_on):
    process = ringwall.start("exec", "here", "--", "sh", "-c", "trap '' TERM HUP INT; echo up; sleep 4321; sleep 4321")
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.communicate()
    end = time.monotonic() + 20
    while count(ringwall, 4321) > 0 and time.monotonic() < end:
        time.sleep(0.02)
    assert count(ringwall, 4321) == 0
    assert going_on.poll() is None


def test_exec_ends_with_the_run(ringwall, going_on):
    process = ringwall.start("exec", "here", "--", "sh", "-c", "echo up; sleep 60")
    assert process.stdout.readline() == b"up\n"
    going_on.communicate(b"\n", 60)
    _, err = process.communicate(timeout=120)
    assert process.returncode in (125, 137) and (process.returncode == 137 or b"ended" in err)


def test_many_clients_at_once(ringwall, going_on):
    clients = [ringwall.start("exec", "here", "echo", str(n)) for n in range(20)]
    assert sorted(int(client.communicate(timeout=120)[0]) for client in clients) == list(range(20))


def test_exec_without_a_run(ringwall, going_on):
    result = ringwall("exec", "hrere", "echo", "RAN").refused("hrere")
    assert "here" in result.hint()
    assert "ringwall exec here -- COMMAND" in ringwall("exec", "here").refused("no command").hint()
    ringwall("exec", "here", "--").refused("no command")
    assert "ringwall exec RUN -- COMMAND" in ringwall("exec").refused("no run and no command").hint()
    ringwall("exec", "--bogus", "x").refused("")


def test_exec_when_nothing_is_going_on(ringwall):
    assert "no run" in ringwall("exec", "gone", "echo", "RAN").refused("gone").hint()


@pytest.mark.parametrize("name", ["../here", "/", ".", "", "here/../here"])
def test_names_of_runs_are_not_paths(ringwall, going_on, name):
    ringwall("exec", name, "echo", "RAN").refused("")


@pytest.mark.parametrize(
    "words, said, hint",
    [
        (["reject", "here", "abc"], "abc is no number", "inspect here"),
        (["approve", "here"], "name the number", "inspect here"),
        (["approve"], "name the number", "inspect"),
        (["approve", "3", "soon"], "soon is no time", "once"),
        (["approve", "3", "once", "more"], "more is one word too many", "NUMBER"),
        (["approve", "here", "99999999999"], "no number", "inspect"),
        (["approve", "here", "7", "1h"], "nothing waits under the number 7", ""),
        (["deny", "here"], "here is a run", ""),
        (["deny", "here", "a", "b"], "nothing else", "RUN"),
        (["allow", "ok.invalid", "here"], "no run named ok.invalid", "going on are: here"),
    ],
)
def test_words_that_make_no_sense_are_named(ringwall, going_on, words, said, hint):
    refused = ringwall(*words).refused(said)
    assert hint == "" or hint in refused.hint(), refused


def test_a_name_is_taken_once(ringwall, going_on):
    result = ringwall.sh("echo RAN", "--name", "here").refused("here", "going on")
    assert "ringwall ls" in result.hint()


TALK = """
import os, socket, sys
os.chdir(sys.argv[1])
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(5)
try:
    s.connect("control")
    s.send(b"\\1" + b"\\0" * 591)  # describe
    print("answer", len(s.recv(4096)) > 0)
except OSError:
    print("answer", False)
"""
ANSWERED = "answer True\n"


def test_the_control_socket_is_not_reachable_from_inside(ringwall, mutant, bare, place):
    def talk(runner, name):
        return runner("exec", name, "--", "/usr/bin/python3", "-c", TALK, place.runtime / "ringwall" / name)

    with going(ringwall, "held"):
        path = place.runtime / "ringwall/held/control"
        assert path.is_socket()
        assert bare("/usr/bin/python3", "-c", TALK, path.parent).out == ANSWERED
        assert "No such file" in talk(ringwall, "held").err
        script = f"ls {path.parent} {place.runtime} /run /dev/shm; ls -a ~/.local/state"
        assert "control" not in ringwall("exec", "held", "--", "sh", "-c", script).out
        folder_modes = [p.stat().st_mode & 0o077 for p in (path.parent, path.parent.parent)]
        assert folder_modes == [0, 0]
    open_run = mutant(without("new-root,landlock"))
    with going(open_run, "open"):
        assert talk(open_run, "open").out == ANSWERED


# Asks and asks, and reads nothing; or comes again and again, and asks nothing.
DEAF = """
import os, socket, sys, time
os.chdir(sys.argv[1])
lines = []
for n in range(1 if sys.argv[2] == "deaf" else 600):
    lines.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    lines[-1].connect("control")
lines[0].setblocking(False)
end = time.monotonic() + 1
while sys.argv[2] == "deaf" and time.monotonic() < end:
    try:
        lines[0].send(b"\\1" + b"\\0" * 591)  # describe
    except BlockingIOError:
        time.sleep(0.01)
    except OSError:
        break
print("done", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["deaf", "many"])
def test_who_does_not_listen_or_comes_too_often_holds_up_nobody(ringwall, place, going_on, how):
    folder = place.runtime / "ringwall/here"
    words = ["/usr/bin/python3", "-c", DEAF, folder, how]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"done\n"
        begin = time.monotonic()
        assert json.loads(ringwall("inspect", "here", "--json").ok())["name"] == "here"
        assert time.monotonic() - begin < 1
        assert ringwall("exec", "here", "--", "echo", "in").ok() == "in"
        other.stdin.close()


def test_strangers_messages_do_no_harm(ringwall, place, going_on):
    """Whatever a client sends, the run goes on."""
    path = place.runtime / "ringwall/here/control"
    for message in (b"", b"x", b"\0" * 4096, os.urandom(300), b"\xff" * 264):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.chdir(path.parent)
        client.connect("control")
        os.chdir("/")
        if message:
            client.send(message)
        client.close()
    assert ringwall("exec", "here", "echo", "RAN").ok() == "RAN"


def test_a_stopped_run_is_listed_or_not_but_runs_returns(ringwall, going_on):
    os.kill(going_on.pid, signal.SIGSTOP)
    try:
        process = ringwall.start("ls")
        try:
            process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            pytest.fail("ringwall ls waits for ever for a stopped run")
    finally:
        os.kill(going_on.pid, signal.SIGCONT)


@needs_root
def test_another_user_is_refused(ringwall, bare, place, going_on, ordinary):
    path = place.runtime / "ringwall/here"
    for folder in (place.runtime, path.parent, path):
        folder.chmod(0o755)
    (path / "control").chmod(0o777)
    words = ["/usr/bin/python3", "-c", TALK, path]
    assert bare(*words).out == ANSWERED  # root is the run's own user
    assert bare(*ordinary, *words).out == "answer False\n"
    os.chown(place.home, 0, 0)
    place.runtime.chmod(0o700)
    assert ringwall("exec", "here", "echo", "RAN").ok() == "RAN"
