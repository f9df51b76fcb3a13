"""Nothing outlives its run, however it ends; and signals, terminals and crowds on the way."""

import os
import select
import signal
import subprocess
import time

import pexpect
import pytest
from conftest import GONE_SECONDS

# Ignores what can be ignored, forks, leaves session and group, and has a stopped child.
STUBBORN = """
import os, signal, sys, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
for kind in range(4):
    if os.fork() == 0:
        if kind == 1: os.setsid()
        if kind == 2:
            if os.fork(): os._exit(0)
        if kind == 3: os.kill(os.getpid(), signal.SIGSTOP)
        while True: time.sleep(0.01)
print("up", flush=True)
while True: time.sleep(0.01)
"""


def start_stubborn(ringwall, place, least=5):
    process = ringwall.start("run", "--", "/usr/bin/python3", "-c", STUBBORN)
    return when_up(process, place, least)


def when_up(process, place, least=5):
    assert process.stdout.readline() == b"up\n"
    end = time.monotonic() + 60
    while len(place.processes()) < least and time.monotonic() < end:
        time.sleep(0.01)
    assert len(place.processes()) >= least
    return process


@pytest.mark.alone
@pytest.mark.parametrize("name", ["KILL", "TERM", "HUP"])
def test_everything_ends_with_the_supervisor(ringwall, place, name):
    process = start_stubborn(ringwall, place)
    start = time.monotonic()
    process.send_signal(getattr(signal, f"SIG{name}"))
    process.wait(60)
    place.wait_until_gone(GONE_SECONDS - (time.monotonic() - start))
    expected = -9 if name == "KILL" else 128 + getattr(signal, f"SIG{name}")
    assert process.returncode == expected
    process.communicate()
    assert ringwall("ls").ok() == ""  # and sweeps what SIGKILL left


class ByHand:
    """Starts what `run` would start, with a shell in the place of the supervisor."""

    def __init__(self, place):
        self.place = place

    def start(self, run, dashes, *words):
        assert (run, dashes) == ("run", "--")
        values, pipes = self.place.environment(), {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(["sh", "-c", '"$@"; exit', "sh", *words], cwd=self.place.work, env=values, **pipes)


@pytest.fixture(params=["bare", "without the wall"])
def open_start(request, place):
    """Two ways to start in which a command may outlive its end: so a test that it does not can fail."""
    if request.param == "bare":
        return ByHand(place)
    return request.getfixturevalue("mutant")("lifeline,pid-namespace")


def end_what_is_left(place, process):
    """Everything that is still there a little later, as a list of pids; and then nothing is."""
    time.sleep(0.2)
    left = place.processes()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=120)
    subprocess.run(["rm", "-rf", place.runtime / "ringwall"], check=True)
    return left


@pytest.mark.parametrize("names", ["KILL", "TERM", "HUP", "STOP KILL"])
def test_without_the_lifeline_something_would_be_left(open_start, place, names):
    """The tests above and below can fail."""
    process = start_stubborn(open_start, place)
    for name in names.split():
        process.send_signal(getattr(signal, f"SIG{name}"))
    process.wait(60)
    assert end_what_is_left(place, process)


def test_a_supervisor_that_was_stopped_first(ringwall, place):
    process = start_stubborn(ringwall, place)
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    place.wait_until_gone()
    ringwall("ls").ok()


def test_a_command_may_end_by_itself_on_sigterm(ringwall):
    script = "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.02; done"
    process = ringwall.start("run", "--", "sh", "-c", script)
    assert process.stdout.readline() == b"up\n"
    process.terminate()
    out, _ = process.communicate(timeout=120)
    assert (out, process.returncode) == (b"bye\n", 3)


@pytest.mark.parametrize("name", ["INT", "QUIT", "USR1", "USR2", "WINCH", "CONT"])
def test_signals_are_forwarded(ringwall, name):
    script = f"trap 'echo {name}; exit 4' {name}; echo up; while :; do sleep 0.02; done"
    process = ringwall.start("run", "--", "sh", "-c", script)
    assert process.stdout.readline() == b"up\n"
    process.send_signal(getattr(signal, f"SIG{name}"))
    out, _ = process.communicate(timeout=120)
    assert (out, process.returncode) == (name.encode() + b"\n", 4)


def test_sigint_that_is_not_caught(ringwall):
    process = ringwall.start("run", "--", "sh", "-c", "echo up; exec sleep 60")
    assert process.stdout.readline() == b"up\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130


def test_signals_ignored_by_the_caller_are_fresh_inside(ringwall):
    """nohup and shells leave signals ignored or blocked; the command starts with none."""

    def ignore():
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR2})

    script = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
    result = ringwall("run", "grep", "-E", "^Sig(Ign|Blk)", "/proc/self/status", preexec_fn=ignore)
    assert result.ok().split() == ["SigBlk:", "0" * 16, "SigIgn:", "0" * 16], script


BACKGROUND = "(trap '' TERM HUP; sleep 300) & setsid sleep 300 & echo up"


def test_background_processes_end_with_the_command(ringwall, place):
    result = ringwall.sh(BACKGROUND)
    assert result.out == "up\n" and result.status == 0
    place.wait_until_gone()


def test_background_processes_would_outlive_the_command(open_start, place):
    process = open_start.start("run", "--", "sh", "-c", BACKGROUND)
    assert process.stdout.readline() == b"up\n"
    process.wait(60)
    assert end_what_is_left(place, process)


def test_orphans_are_reaped(ringwall):
    script = "for i in 1 2 3 4 5; do (sh -c 'exit 0' & ) ; done; sleep 0.2; cat /proc/[0-9]*/stat | grep -c ' Z '"
    assert ringwall.sh(script).out.strip() == "0"


def test_sigkill_at_any_moment_of_the_start(ringwall, place):
    """100 starts, each killed a little later than the one before."""
    for turn in range(100):
        process = ringwall.start(
            "run", "--", "sh", "-c", "sleep 300 & sleep 300", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        time.sleep(turn * 0.00008)
        process.kill()
        process.communicate(timeout=120)  # whatever is left would hold the pipe
    place.wait_until_gone()
    assert ringwall("run", "true").ok() == ""
    assert place.registry() == []
    assert list(place.work.iterdir()) == []


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP"])
def test_signals_at_any_moment_of_the_start(ringwall, place, name):
    for turn in range(25):
        process = ringwall.start("run", "--", "sleep", "300", stdin=subprocess.DEVNULL)
        time.sleep(turn * 0.0003)
        process.send_signal(getattr(signal, f"SIG{name}"))
        try:
            process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            pytest.fail(f"SIG{name} after {turn * 0.3:.1f} ms did not end the run")
        assert process.returncode in (128 + getattr(signal, f"SIG{name}"), -getattr(signal, f"SIG{name}"))
    place.wait_until_gone()
    ringwall("ls").ok()


def test_what_a_kill_left_is_swept_by_the_next_start(ringwall, place):
    process = ringwall.start("run", "--name", "left", "--", "sh", "-c", "echo up; sleep 300")
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.communicate()
    assert place.registry() == ["left"]
    assert ringwall("run", "--name", "left", "true").ok() == ""
    assert place.registry() == []


@pytest.mark.alone
def test_fifty_runs_at_once(ringwall, place):
    processes = [ringwall.start("run", "--", "sh", "-c", "echo $RINGWALL_RUN; sleep 4") for _ in range(50)]
    results = [process.communicate(timeout=120) for process in processes]
    assert all(process.returncode == 0 for process in processes), [err for _, err in results if err]
    assert len({out for out, _ in results}) == 50


@pytest.mark.alone
def test_fifty_named_runs_at_once(ringwall):
    """A name that is free is never called taken, whoever else looks at the registry just then."""
    processes = [ringwall.start("run", "--name", f"name{n}", "true") for n in range(50)]
    errors = [process.communicate(timeout=120)[1] for process in processes]
    assert [error for error in errors if error] == []


@pytest.mark.alone
def test_one_name_for_fifty_runs(ringwall):
    processes = [ringwall.start("run", "--name", "one", "--", "sh", "-c", "echo up; sleep 1") for _ in range(50)]
    outs = [process.communicate(timeout=120)[0] for process in processes]
    assert outs.count(b"up\n") >= 1
    assert sorted({process.returncode for process in processes}) in ([0, 125], [0])


# Each process says that it is there.
BOMB = "import os, time\nfor _ in range({}):\n  try: os.fork()\n  except OSError: pass\nos.write(1, b'x')\nwhile True: {}"


def test_a_small_fork_bomb_would_outlive_its_run(open_start, place):
    process = open_start.start("run", "--", "/usr/bin/python3", "-c", "print('up', flush=True)\n" + BOMB.format(3, "time.sleep(1)"))
    when_up(process, place, 8)
    process.kill()
    process.wait(60)
    assert len(end_what_is_left(place, process)) > 1


@pytest.mark.alone
def test_a_fork_bomb_ends_with_its_run(ringwall, place):
    process = ringwall.start("run", "--", "/usr/bin/python3", "-c", BOMB.format(9, "pass"))
    there = 0
    while there < 200:
        assert select.select([process.stdout], [], [], 20)[0], f"only {there} processes"
        there += len(os.read(process.stdout.fileno(), 512))
    process.kill()
    process.communicate()
    place.wait_until_gone(3)
    ringwall("ls").ok()


# A terminal


def spawn(ringwall, place, *args, **options):
    command = ringwall.command(["run", "--", *args])
    return pexpect.spawn(
        command[0], command[1:], cwd=str(place.work), env=place.environment({"TERM": "xterm"}), timeout=120, **options
    )


def test_ctrl_c_reaches_the_command(ringwall, place):
    child = spawn(ringwall, place, "sh", "-c", "trap 'echo caught; exit 6' INT; echo up; while :; do sleep 0.02; done")
    child.expect("up")
    child.sendcontrol("c")
    child.expect("caught")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 6


def test_ctrl_backslash_and_the_default_action(ringwall, place):
    child = spawn(ringwall, place, "sh", "-c", "echo up; exec sleep 60")
    child.expect("up")
    child.sendcontrol("\\")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 131


def test_the_window_size(ringwall, place):
    script = "echo up; trap 'stty size' WINCH; while :; do sleep 0.02; done"
    child = spawn(ringwall, place, "sh", "-c", "stty size; " + script, dimensions=(31, 77))
    child.expect("31 77")
    child.expect("up")
    child.setwinsize(40, 120)
    child.expect("40 120")
    child.close(force=True)
    place.wait_until_gone()
    ringwall("ls")


def test_a_closed_terminal_ends_the_run(ringwall, place):
    child = spawn(ringwall, place, "/usr/bin/python3", "-c", STUBBORN)
    child.expect("up")
    child.ptyproc.delayafterclose = 1.5  # the supervisor's patience, and a little more
    child.close(force=False)
    place.wait_until_gone()
    ringwall("ls")


def test_typing_reaches_the_command(ringwall, place):
    child = spawn(ringwall, place, "sh", "-c", 'read line; echo "got $line"; test -t 0 && test -t 1 && echo terminal')
    child.sendline("words")
    child.expect("got words")
    child.expect("terminal")
    child.expect(pexpect.EOF)


def test_ctrl_z_stops_and_fg_goes_on(ringwall, place):
    """Job control of the caller's shell."""
    command = " ".join(ringwall.command(["run", "--", "sh", "-c", "'echo up; read line; echo got $line'"]))
    child = pexpect.spawn("/bin/bash", ["--norc", "-i"], cwd=str(place.work), env=place.environment({"TERM": "xterm", "PS1": "$ "}), timeout=120)
    child.sendline(command)
    child.expect("up\r\n")
    child.sendcontrol("z")
    child.expect("Stopped")
    child.sendline("echo in the sh'ell'")
    child.expect("in the shell")
    child.sendline("fg")
    time.sleep(0.3)
    child.sendline("hello")
    child.expect("got hello")
    child.expect(r"\$ ")  # the shell has its terminal again
    child.sendline("exit")
    child.expect(pexpect.EOF)
