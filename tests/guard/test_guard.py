"""The guard as a service: whom it obeys, what it says, and what holds when it is gone."""

import os
import shutil
import signal
import struct
import subprocess
import time

import conftest
import pytest

REQUEST = "=IIIIII"  # type, flags, least, denied, allowed, named
DESCRIBE, ENFORCE = 1, 2
NOTICE_HEAD = "=III"  # type, accepted, kind
NOTICE_TEXT_AT = -160
SOCKET = "/run/ringwall/guard.sock"
# Connects and sends as another user: descriptors are opened before, by root.
SENDER = """
import array, os, socket, sys
uid, body, fds = int(sys.argv[1]), bytes.fromhex(sys.argv[2]), [int(fd) for fd in sys.argv[3:]]
os.setgid(uid); os.setuid(uid)
end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
end.connect("/run/ringwall/guard.sock")
end.settimeout(15)
end.sendmsg([body], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])
print(end.recv(65536).hex())
"""


def request(kind=ENFORCE, flags=8, least=0, denied=0, allowed=0, named=0):
    return struct.pack(REQUEST, kind, flags, least, denied, allowed, named)


def ask(guard, uid, body, fds=()):
    """Whether the guard accepts, and what it says; None if it says nothing."""
    words = ["/usr/bin/python3", "-c", SENDER, str(uid), body.hex(), *map(str, fds)]
    done = subprocess.run(
        [*guard.around(), *words], pass_fds=fds, capture_output=True, text=True, timeout=120, check=False
    )
    answer = bytes.fromhex(done.stdout.strip())
    if not answer:
        return None
    _, accepted, _ = struct.unpack_from(NOTICE_HEAD, answer)
    return accepted == 1, answer[NOTICE_TEXT_AT:].split(b"\0")[0].decode()


def sealed(content=b""):
    fd = os.memfd_create("rules", os.MFD_ALLOW_SEALING)
    os.write(fd, content)
    import fcntl

    fcntl.fcntl(fd, 1033, 0xF)  # F_ADD_SEALS: all
    return fd


def start(guard, user, home, *words):
    line = guard.command(user, home, conftest.BINARY, "run", *words)
    return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(line, process):
    said = process.stdout.readline()
    if said != line:
        process.kill()  # or its last words would never come
        pytest.fail(f"{said!r} in place of {line!r}: {process.communicate()[1]}")


def pid_1_of(process):
    """The sandbox's first process: below the supervisor, which may not be the process we started."""
    found = [process.pid]
    for pid in found:
        status = open(f"/proc/{pid}/status", encoding="utf-8").read()
        if next(line for line in status.splitlines() if line.startswith("NSpid:")).endswith("\t1"):
            return pid
        found += map(int, open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8").read().split())
    return pytest.fail("no sandbox was started")


@pytest.fixture
def sandbox(guard, user, home):
    """A sandbox that the guard knows nothing of."""
    process = start(guard, user, home, "--", "sh", "-c", "echo up; read x")
    wait_for("up\n", process)
    yield pid_1_of(process)
    process.kill()
    process.communicate()


# Whom it obeys


def test_obeys_the_owner(guard, user, sandbox):
    fds = [os.pidfd_open(sandbox), sealed()]
    assert ask(guard, user.pw_uid, request(), fds) == (True, "")


@pytest.mark.parametrize("uid", [65534, 0, 4711])
def test_refuses_others(guard, user, sandbox, uid):
    assert uid != user.pw_uid
    fds = [os.pidfd_open(sandbox), sealed()]
    assert ask(guard, uid, request(), fds) == (False, "that sandbox belongs to another user")


def test_refuses_who_is_in_no_sandbox(guard, user):
    fds = [os.pidfd_open(os.getpid()), sealed()]
    assert ask(guard, user.pw_uid, request(), fds) == (False, "that process is in no sandbox")


def test_refuses_a_later_process(guard, user, sandbox):
    child = int(open(f"/proc/{sandbox}/task/{sandbox}/children", encoding="utf-8").read().split()[0])
    fds = [os.pidfd_open(child), sealed()]
    assert ask(guard, user.pw_uid, request(), fds) == (False, "that process is not the first of its sandbox")


def test_refuses_a_second_request(guard, user, home, programs):
    process = start(guard, user, home, "--guard", "tracepoints", "--exec", "allow", "--", "sh", "-c", "echo up; read x")
    wait_for("up\n", process)
    fds = [os.pidfd_open(pid_1_of(process)), sealed()]
    assert ask(guard, user.pw_uid, request(), fds) == (False, "that sandbox has its rules already")
    process.kill()
    process.communicate()


def test_agent_cannot_reach_it(run):
    script = (
        "import socket\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
        f"print(s.connect_ex('{SOCKET}'), s.connect_ex('/proc/1/root{SOCKET}'))"
    )
    done = run("--exec", "allow", "--", "python3", "-c", script)
    assert done.stdout.split() == ["2", "2"] or done.stdout.split() == ["2", "13"], done


# Bad input


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x",
        b"x" * 16384,
        request(kind=0),
        request(kind=9),
        request(flags=0xFFFFFFFF),
        request(denied=0xFFFFFFFF),
        request(least=7),
    ],
)
def test_malformed_requests_are_refused(guard, user, sandbox, body):
    fds = [os.pidfd_open(sandbox), sealed()]
    answer = ask(guard, user.pw_uid, body, fds)
    assert answer is None or not answer[0]
    assert ask(guard, user.pw_uid, request(kind=DESCRIBE))[0]


def test_rules_must_be_sealed(guard, user, sandbox, tmp_path):
    (tmp_path / "rules").write_bytes(b"")
    fds = [os.pidfd_open(sandbox), os.open(tmp_path / "rules", os.O_RDONLY)]
    assert ask(guard, user.pw_uid, request(), fds) == (False, "the rules are not sealed")


@pytest.mark.parametrize("count, content", [(1, b""), (1, b"x" * 31), (0, b"x" * 32)])
def test_rules_have_the_size_that_was_said(guard, user, sandbox, count, content):
    fds = [os.pidfd_open(sandbox), sealed(content)]
    assert not ask(guard, user.pw_uid, request(denied=count), fds)[0]


def test_missing_descriptors_are_refused(guard, user):
    assert ask(guard, user.pw_uid, request()) == (False, "a sandbox and its rules are wanted")


def test_silent_peers_are_let_go_of(guard, user):
    """More of them than one user may have: others are served meanwhile, and they go."""
    keep = """
import os, socket, sys, time
os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1]))
ends = []
for i in range(200):
    end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    end.connect("/run/ringwall/guard.sock")
    ends.append(end)
print("connected", flush=True)
gone = 0
for end in ends:
    end.settimeout(20)
    while end.recv(65536):
        pass
    gone += 1
print(gone)
"""
    crowd = subprocess.Popen(
        [*guard.around(), "/usr/bin/python3", "-c", keep, "65534"], stdout=subprocess.PIPE, text=True
    )
    assert crowd.stdout.readline() == "connected\n"
    assert ask(guard, user.pw_uid, request(kind=DESCRIBE))[0]
    assert crowd.communicate(timeout=120)[0] == "200\n"


# What the host does to its own files meanwhile


TOUCHES = {
    "mode": lambda program: program.chmod(0o755 if program.stat().st_mode & 0o777 != 0o755 else 0o775),
    "second name": lambda program: os.link(program, program.with_name(f"{program.name}.{time.monotonic_ns()}")),
}


@pytest.mark.parametrize("touch", TOUCHES)
def test_who_is_only_touched_goes_on_running(guard, user, home, place, touch):
    """Its change time is another, so its verdict stands for nothing; its content is the same."""
    tools = place / f"touched-{touch.replace(' ', '-')}"
    tools.mkdir()
    program = tools / "work"
    shutil.copy("/bin/true", program)
    script = f"{program}; echo $?; while read x; do {program}; echo $?; done"
    process = start(guard, user, home, "--guard", "tracepoints", "--exec", "deny", "--deny-program", "tac", "--ro", str(tools), "--", "sh", "-c", script)
    wait_for("0\n", process)
    for _ in range(5):
        TOUCHES[touch](program)
        time.sleep(0.2)  # until the guard has heard of it
        process.stdin.write("again\n")
        process.stdin.flush()
        wait_for("0\n", process)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and "refused" not in err, out + err


def test_below_an_overlay_it_is_killed_once_at_most(guard, user, home, place):
    """Nobody hears of it there: what did not run shows it."""
    tools = place / "touched-below-an-overlay"
    tools.mkdir()
    program = tools / "work"
    shutil.copy("/bin/true", program)
    shutil.copy("/bin/false", tools / "denied")
    again = f"for i in 1 2 3; do {program}; echo $?; sleep 0.2; done"
    script = f"test ! -e {tools}/denied && {program}; echo $?; read x; {again}"
    rules = ["--exec", "deny", "--deny-program", f"file:{tools}/denied", "--ro", str(tools)]
    process = start(guard, user, home, "--guard", "tracepoints", *rules, "--", "sh", "-c", script)
    wait_for("0\n", process)
    program.chmod(0o775)
    out, err = process.communicate("go\n", timeout=60)
    assert out.split()[1:] == ["0", "0"], out + err


# What it says


def test_refusal_is_told_with_hash_rule_and_parent(run, programs):
    done = run("--ro", programs, f"--deny-program=file:{programs}/target", "--", programs / "attempts", ".", "direct")
    digest = subprocess.run(["sha256sum", programs / "target"], capture_output=True, text=True, check=True).stdout
    assert "refused" in done.stderr and "/direct to attempts" in done.stderr
    assert f"ringwall programs allow sha256:{digest.split()[0]}" in done.stderr


def test_the_same_is_told_once(run, programs):
    script = f"for i in 1 2 3 4 5; do {programs}/attempts . direct; done"
    done = run("--ro", programs, f"--deny-program=file:{programs}/target", "--", "sh", "-c", script)
    assert done.stderr.count("/direct to attempts") == 1, done.stderr
    assert done.stdout == "direct refused\n" * 5


def test_a_run_without_a_guard_is_refused(user, home):
    line = ["unshare", "--mount", "sh", "-c", "mkdir -p /run/ringwall; mount -t tmpfs none /run/ringwall; exec \"$@\""]
    line += ["sh", "setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    line += ["env", "-C", home / "work", f"HOME={home}", conftest.BINARY]
    line += ["run", "--guard", "tracepoints", "--exec", "allow", "--", "true"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 125
    assert "no guard listens" in done.stderr and "ringwall guard" in done.stderr


def test_a_weaker_guard_is_refused(own_guard, run):
    done = run("--exec", "allow", "--", "true", guard=own_guard("--kind", "tracepoints"), at_least="lsm")
    assert done.returncode == 125
    assert "only tracepoints can be had" in done.stderr


def test_an_ordinary_user_cannot_be_the_guard(user, home):
    line = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", conftest.BINARY, "guard"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 125 and "only root" in done.stderr


# What it allows


def test_what_was_built_here_runs(run):
    script = "echo 'int main(){return 0;}' >a.c && cc a.c && ./a.out && echo built; cp a.out b; ./b || echo copied"
    done = run("--exec", "allow", "--allow-program", "system", "--allow-program", "built-here", "--", "sh", "-c", script)
    assert done.stdout == "built\ncopied\n", done.stderr


def test_who_is_named_may_execute_its_own_memory(run, programs):
    rules = ["--exec", "allow", "--allow-program", f"file:{programs}/attempts", "--allow-program", "system"]
    done = run("--ro", programs, *rules, "--", programs / "attempts", ".", "anonymous", "direct")
    assert done.stdout == "direct refused\nanonymous ran\n", done.stderr


def test_without_the_class_system_only_named_programs_run(run, programs):
    rules = ["--exec", "allow", "--allow-program", "sh", "--allow-program", "true"]
    done = run(*rules, "--", "sh", "-c", "true && echo named; ls || echo other")
    assert done.stdout == "named\nother\n", done.stderr


def test_many_sandboxes_at_once(guard, user, home, programs):
    rules = ["--guard", "tracepoints", "--ro", str(programs), f"--deny-program=file:{programs}/target"]
    line = guard.command(
        user, home, conftest.BINARY, "run", *rules, "--", "sh", "-c", f"ls >/dev/null && {programs}/attempts /tmp direct"
    )
    runs = [
        subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(12)
    ]
    for process in runs:
        output, words = process.communicate(timeout=120)
        assert output == "direct refused\n", words


# When it is gone

LATER = 'echo up; read go; /bin/true && echo known; cp /bin/true new && ./new && echo new; echo end; read go'


def test_killed_guard_fails_closed(own_guard, user, home):
    guard = own_guard()
    process = start(guard, user, home, "--guard", "tracepoints", "--deny-program=file:/usr/bin/wget", "--", "sh", "-c", LATER)
    wait_for("up\n", process)
    # It would end the run; here nothing but the kernel is to hold.
    init = pid_1_of(process)
    supervisor = int(open(f"/proc/{init}/stat", encoding="utf-8").read().rpartition(")")[2].split()[1])
    os.kill(supervisor, signal.SIGSTOP)
    guard.end(signal.SIGKILL)
    process.stdin.write("go\n")
    process.stdin.flush()
    assert process.stdout.readline() == "end\n"
    assert subprocess.run(["/bin/true"], check=False).returncode == 0
    os.kill(supervisor, signal.SIGCONT)
    assert process.wait(60) == 125
    assert "guard" in process.communicate()[1]


def test_run_ends_with_its_guard(own_guard, user, home):
    guard = own_guard()
    process = start(guard, user, home, "--guard", "tracepoints", "--exec", "allow", "--", "sh", "-c", "echo up; read x")
    wait_for("up\n", process)
    guard.end(signal.SIGKILL)
    assert process.wait(60) == 125
    words = process.communicate()[1]
    assert "guard" in words and "is gone" in words


def links():
    """Programs of ours that are attached in the kernel, of whichever guard."""
    done = subprocess.run(["bpftool", "link", "show"], capture_output=True, text=True, check=False)
    return done.stdout.count("prog ")


def test_supervisor_that_is_gone_takes_its_rules_along(own_guard, user, home):
    """The kernel ends the sandbox with its supervisor; the guard lets go of both."""
    guard = own_guard()
    process = start(guard, user, home, "--guard", "tracepoints", "--exec", "allow", "--", "sh", "-c", "echo up; read x")
    wait_for("up\n", process)
    init = pid_1_of(process)
    supervisor = int(open(f"/proc/{init}/stat", encoding="utf-8").read().rpartition(")")[2].split()[1])
    os.kill(supervisor, signal.SIGKILL)
    process.communicate(timeout=120)
    end = time.monotonic() + 10
    while os.path.exists(f"/proc/{init}") and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{init}")
    assert ask(guard, user.pw_uid, request(kind=DESCRIBE))[0]
