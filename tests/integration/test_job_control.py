"""A run is one job of the person's shell: Ctrl-Z, fg, bg and & do what they do for any program."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from terminals import at_terminal, has_keyboard, quoted, run_at, shell, tmux, wait_until  # noqa: F401

COUNTS = """
import itertools, time
for i in itertools.count():
    with open("count", "w") as file: print(i, file=file)
    print("line", flush=True)
    time.sleep(0.01)
"""
COUNT = "echo up; while read x; do echo got $x; done"


@pytest.fixture
def prompt(shell):
    return shell()


def enter(person, line, answer="%% "):
    person.send(line + "\n")
    return person.expect(answer)


def end_job(person):
    enter(person, "kill %1")
    wait_until(lambda: re.search(rb"Exit 143|Terminated", enter(person, "jobs", "jobs\r\n.*%% ").group()))


def test_stop_and_go_on(prompt):
    prompt.send(f"$rw run -- sh -c '{COUNT}'\n")
    prompt.expect("up\r\n")
    prompt.send("a\n")
    prompt.expect("got a\r\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    enter(prompt, "echo between $((1+1))", "between 2\r\n")
    enter(prompt, "jobs", r"\[1\]\+  Stopped.*%% ")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("b\n")
    prompt.expect("got b\r\n")
    prompt.send(b"\x04")
    prompt.expect("%% ")
    assert b"-icanon" not in enter(prompt, "echo status $?; stty -a", "status 0\r\n.*%% ").group()


def test_stop_ten_times(prompt):
    prompt.send(f"$rw run -- sh -c '{COUNT}'\n")
    prompt.expect("up\r\n")
    for i in range(10):
        prompt.send(b"\x1a")
        prompt.expect("Stopped.*%% ")
        prompt.send("fg\n")
        prompt.expect("rw run[^\n]*\r\n")
        wait_until(prompt.is_raw)
        prompt.send(f"{i}\n")
        prompt.expect(f"got {i}\r\n")
    prompt.send(b"\x04")
    prompt.expect("%% ")


def test_a_stop_typed_while_it_starts(run_at):
    """Nobody is there to let it go on, so it goes on by itself."""
    for i in range(12):
        person = run_at("run", "--", "sh", "-c", "exit 7")
        for _ in range(60):
            person.send(b"\x1a")
            time.sleep(0.0001 + 0.00002 * i)
        assert person.status() == 7


def test_a_key_that_a_stop_threw_away(run_at, place):
    """It came together with the stop, and a Ctrl-Z at the terminal took it back before it was read."""
    script = "touch up; while [ ! -e go ]; do sleep 0.02; done; touch went; kill -TSTP $$; sleep 1; exit 7"
    person = run_at("run", "--", "sh", "-c", script)
    wait_until((place.work / "up").exists)
    os.kill(person.pid, signal.SIGSTOP)
    (place.work / "go").touch()
    person.send("x")
    wait_until((place.work / "went").exists)
    subprocess.run(["sleep", "0.3"])
    os.kill(person.pid, signal.SIGCONT)
    wait_until(lambda: not person.is_raw())
    person.send(b"\x1a")
    assert person.status() == 7


def test_what_is_stopped_stands_still(prompt, place):
    """And nothing is shown of it."""
    count = place.work / "count"
    (place.work / "counts.py").write_text(COUNTS)
    prompt.send("$rw run -- /usr/bin/python3 counts.py\n")
    prompt.expect("line")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    enter(prompt, "echo qui''et", "quiet\r\n%% ")
    before = count.read_text()
    assert b"line" not in enter(prompt, "sleep 0.2; echo do''ne", "done\r\n%% ").string[prompt.at - 40 :]
    assert count.read_text() == before
    enter(prompt, "bg", "line\r+\n.*line\r+\n")
    assert count.read_text() != before
    prompt.send("fg\n")
    prompt.expect("rw run")
    wait_until(lambda: prompt.in_front() != prompt.pid)
    prompt.send(b"\x03")
    prompt.expect("%% ")


def test_start_in_the_back_and_never_read(prompt):
    prompt.send("$rw run -- sh -c 'echo from behind; exit 3' &\n")
    prompt.expect("from behind\r+\n")
    prompt.send("wait $!; echo wai''ted=$?\n")
    prompt.expect("waited=3\r")


def test_start_in_the_back_and_read(prompt):
    """It stops at the first read, and the keyboard is the shell's until it is brought to the front."""
    prompt.send("$rw run -- sh -c 'read x; echo got $x; exit 5' &\n")
    prompt.expect("%% ")
    wait_until(lambda: b"Stopped" in enter(prompt, "jobs", "jobs\r\n.*%% ").group())
    enter(prompt, "echo for the sh''ell", "for the shell\r\n")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("zz\n")
    prompt.expect("got zz\r\n.*%% ")
    enter(prompt, "echo status $?", "status 5")


WORKS_THEN_READS = """
import os, time
print("up", flush=True)
while not os.path.exists("go"): time.sleep(0.01)
print("got", input())
"""


def test_to_the_back_and_to_the_front_while_it_works(prompt, place):
    (place.work / "works.py").write_text(WORKS_THEN_READS)
    prompt.send("$rw run -- /usr/bin/python3 works.py\n")
    prompt.expect("up\r\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    enter(prompt, "bg", "&.*%% ")
    enter(prompt, "jobs", "Running.*%% ")
    enter(prompt, "touch go", "%% ")
    wait_until(lambda: b"Stopped" in enter(prompt, "jobs", "jobs\r\n.*%% ").group())
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("yes\n")
    prompt.expect("got yes\r\n")


def test_control_c_after_fg_of_a_job_from_the_back(prompt):
    prompt.send("$rw run -- sh -c 'echo up; exec sleep 60' &\n")
    prompt.expect("up\r*\n")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*sleep 60'\r\n")
    wait_until(lambda: prompt.in_front() != prompt.pid)
    prompt.send(b"\x03")
    prompt.expect("%% ")
    enter(prompt, "echo status $?", "status 130")


def test_control_z_after_fg_of_a_job_from_the_back(prompt):
    prompt.send("$rw run -- sh -c 'echo up; exec sleep 60' &\n")
    prompt.expect("up\r*\n")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*sleep 60'\r\n")
    wait_until(lambda: prompt.in_front() != prompt.pid)
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    end_job(prompt)


def test_a_shell_inside_has_jobs_of_its_own(prompt, place):
    prompt.send("$rw run -- bash --norc --noprofile --noediting -i\n")
    prompt.expect(r"\$ ")
    prompt.send("PS1='inside: '\n")
    prompt.expect("inside: ")
    enter(prompt, "sleep 100", "sleep 100\r\n")
    wait_until(lambda: any(b"sleep\x00100" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in place.processes()))
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*inside: ")
    enter(prompt, "jobs", r"\[1\]\+  Stopped .*sleep 100.*inside: ")
    enter(prompt, "bg; jobs", "Running .*inside: ")
    enter(prompt, "fg", "sleep 100\r\n")
    wait_until(lambda: has_keyboard(place, ["sleep", "100"]))
    prompt.send(b"\x03")
    prompt.expect("inside: ")
    # And the whole shell is a job of the one outside.
    enter(prompt, "sleep 100 & echo $((6*7))", "42.*inside: ")
    enter(prompt, "suspend", "Stopped.*%% ")
    enter(prompt, "jobs", "Stopped.*rw run.*%% ")
    prompt.send("fg\n")
    wait_until(prompt.is_raw)
    enter(prompt, "jobs", "Running .*sleep 100 &.*inside: ")
    enter(prompt, "kill %1; exit 9")
    enter(prompt, "echo status $?", "status 9")


def test_vim_is_stopped_and_goes_on(prompt, place):
    (place.work / "text").write_text("first line\n")
    prompt.send("$rw run -- vim -u NONE -N text\n")
    prompt.expect("first line")
    wait_until(prompt.is_raw)
    prompt.send(b"\x1a")
    prompt.expect(r"\x1b\[\?1049l.*Stopped.*%% ")  # it left the alternate screen before it stopped
    enter(prompt, "echo be''tween", "between\r\n")
    prompt.send("fg\n")
    prompt.expect(r"\x1b\[\?1049h.*first line")
    prompt.send("osecond line\x1b:wq\r")
    prompt.expect("%% ")
    enter(prompt, "echo status $?", "status 0")
    assert (place.work / "text").read_text() == "first line\nsecond line\n"


def test_a_stop_signal_from_outside(prompt, run_at, place):
    """kill -TSTP stops the job, kill -CONT and fg bring it back."""
    prompt.send(f"$rw run -- sh -c '{COUNT}'\n")
    prompt.expect("up\r\n")
    (front_end,) = children_of(prompt.pid)
    os.kill(front_end, signal.SIGTSTP)
    prompt.expect("Stopped.*%% ")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("b\n")
    prompt.expect("got b\r\n")
    prompt.send(b"\x04")
    prompt.expect("%% ")


def test_a_stop_that_cannot_be_caught(prompt):
    """After kill -STOP of the front end the shell has set the terminal as it likes it."""
    prompt.send(f"$rw run -- sh -c '{COUNT}'\n")
    prompt.expect("up\r\n")
    (front_end,) = children_of(prompt.pid)
    os.kill(front_end, signal.SIGSTOP)
    prompt.expect("Stopped.*%% ")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("b\n")
    prompt.expect("b\r\ngot b\r\n")
    prompt.send(b"\x04")
    prompt.expect("%% ")


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_stopped_run_ends_with_the_window(prompt, place):
    prompt.send("$rw run -- sh -c 'echo up; read x'\n")
    prompt.expect("up\r\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    prompt.hang_up()
    place.wait_until_gone()


def test_a_stopped_run_can_be_asked(prompt, ringwall):
    """The front end is stopped; the supervisor is not."""
    prompt.send("$rw run --name held -- sh -c 'echo up; read x'\n")
    prompt.expect("up\r\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    assert ringwall("exec", "held", "--", "echo", "here", timeout=120).ok() == "here"
    assert "held" in ringwall("ls", timeout=120).ok()


# Pipelines.


def test_the_keyboard_is_the_pagers(prompt, place):
    """run … | less: the run does not read, so every key is for less."""
    prompt.send("$rw run -- seq 1 200 | LESS= less\n")
    prompt.expect("\n23\r\n")
    prompt.send("G")
    prompt.expect("200\r\n")
    prompt.send("q")
    prompt.expect("%% ")
    enter(prompt, "echo for the sh''ell", "for the shell\r\n")


def test_a_pager_inside(prompt):
    """x | run less: less reads its keys from /dev/tty."""
    prompt.send("seq 1 200 | $rw run -- less\n")
    prompt.expect("\n23\r\n")
    prompt.send("G")
    prompt.expect("200\r\n")
    prompt.send("q")
    prompt.expect("%% ")
    enter(prompt, "echo ${PIPESTATUS[*]}", r"0 0\r\n|141 0\r\n")


def test_a_reader_in_a_pipeline_gets_the_keyboard_when_it_reads(prompt):
    prompt.send("$rw run -- sh -c 'echo ask >&2; read x </dev/tty; echo got $x' | cat\n")
    prompt.expect("ask\r+\n")
    wait_until(prompt.is_raw)
    prompt.send("abc\n")
    prompt.expect("got abc\r*\n")
    prompt.expect("%% ")
    enter(prompt, "stty -a | grep -o -- '-*icanon'", "\nicanon")


def test_a_pipeline_stops_as_a_whole(prompt):
    prompt.send(f"$rw run -- sh -c '{COUNT}' | sed -u s/got/had/\n")
    prompt.expect("had/\r\nup\r*\n")
    wait_until(prompt.is_raw)
    prompt.send("a\n")
    prompt.expect("had a\r*\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    prompt.send("fg\n")
    prompt.expect("rw run[^\n]*\r\n")
    wait_until(prompt.is_raw)
    prompt.send("b\n")
    prompt.expect("had b\r*\n")
    prompt.send(b"\x04")
    prompt.expect("%% ")


def test_control_c_ends_a_whole_pipeline(prompt, place):
    """Whoever else is in it, too."""
    prompt.send("sh -c 'echo up >&2; exec sleep 60' | $rw run -- cat\n")
    prompt.expect("up\r*\n")
    wait_until(prompt.is_raw)
    prompt.send(b"\x03")
    prompt.expect("%% ")
    enter(prompt, "echo status $?", "status 130")


def test_control_c_before_anything_runs(at_terminal, ringwall):
    """Typed as soon as the terminal is ours, it waits for who is to be interrupted."""
    for _ in range(10):
        person = at_terminal(*ringwall.command(["run", "--", "sleep", "60"]))
        wait_until(person.is_raw)
        person.send(b"\x03")
        assert person.status() == 130


def test_control_c_ends_a_loop_around_it(prompt):
    """A shell that sees its child end by SIGINT ends what it does itself."""
    prompt.send("for i in 1 2 3; do $rw run -- sh -c 'echo up; exec sleep 60'; done; echo end''ed\n")
    prompt.expect("up\r\n")
    prompt.send(b"\x03")
    found = prompt.expect("%% |up\r\n")
    if found.group() != b"%% ":
        for _ in range(2):
            prompt.send(b"\x03")
            prompt.expect("%% |up\r\n")
    assert found.group() == b"%% ", "the loop went on"


def test_a_script_without_job_control(at_terminal, ringwall):
    run = quoted(ringwall, "run", "--", "sh", "-c", "echo up; read x; echo got $x")
    script = at_terminal("sh", "-c", f"{run}; {run}; echo done")
    for word in ("a", "b"):
        script.expect("up\r\n")
        script.send(word + "\n")
        script.expect(f"got {word}\r\n")
    script.expect("done\r\n")


def test_a_stopped_run_can_be_ended(prompt, place):
    prompt.send("$rw run -- sh -c 'echo up; read x'\n")
    prompt.expect("up\r\n")
    prompt.send(b"\x1a")
    prompt.expect("Stopped.*%% ")
    end_job(prompt)


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(words[11]) + int(words[12])
    return total / os.sysconf("SC_CLK_TCK")


def test_a_reader_in_the_back_whom_nobody_can_bring_to_the_front(prompt, place):
    """Its process group is an orphan: the kernel does not stop it. No time is burnt, and the keyboard is not its own."""
    # In the back from the start, with a parent that is gone.
    prompt.send("sh -c '$rw run -- sh -c \"echo up; exec cat\" </dev/tty &' &\n")
    prompt.expect("%% up\r+\n")
    enter(prompt, "echo o''n", "on\r\n.*%% ")
    runs = [pid for pid in place.processes() if pid != prompt.pid]
    before, start = cpu_seconds(runs), time.monotonic()
    while time.monotonic() < start + 0.5 and any(Path(f"/proc/{pid}").exists() for pid in runs):
        time.sleep(0.05)
    assert cpu_seconds(runs) - before < 0.1
    assert enter(prompt, "echo mi''ne", "mine\r\n")
    prompt.hang_up()
    place.wait_until_gone()


def test_a_shell_that_edits_lines_is_not_copied(at_terminal, ringwall):
    """Its raw modes are the terminal's while a job starts in the back."""
    env = {"PS1": "%% ", "rw": ringwall.command([])[0]}
    person = at_terminal("bash", "--norc", "--noprofile", "-i", env=env)
    person.expect("%% ")
    person.send("$rw run -- sh -c 'stty -a > modes; cat' &\n")
    job = int(person.expect(r"\[1\] (\d+).*%% ")[1])
    wait_until(person.is_raw)
    modes = ringwall.place.work / "modes"
    wait_until(lambda: modes.exists() and modes.read_text().endswith("\n"))
    for word in ("icanon", "echo", "isig", "icrnl", "onlcr"):
        assert word in modes.read_text().split(), modes.read_text()
    wait_until(lambda: Path(f"/proc/{job}/stat").read_text().split()[2] == "T")  # it wants to read
    person.send("fg\n")
    person.expect("rw run[^\n]*\r\n")
    wait_until(lambda: not person.modes()[3] & 1)  # no signals: it is ours, and not the shell's
    person.send("typed\n")
    person.expect("typed\r\ntyped\r\n")
    person.send(b"\x04")
    person.expect("%% ")


INTERRUPTED = 'trap "echo CALLER INTERRUPTED" INT; "$0" run -- sh -c "$1"; echo "goes on $?"'


def test_what_runs_inside_cannot_interrupt_the_caller(at_terminal, ringwall):
    """Who ends by SIGINT without a Ctrl-C ends alone."""
    person = at_terminal("bash", "--norc", "-c", INTERRUPTED, *ringwall.command([]), "kill -INT $$")
    shown = person.until_end()
    assert b"goes on 130" in shown and b"INTERRUPTED" not in shown


@pytest.mark.parametrize("how", ["key", "signal"])
def test_control_c_interrupts_the_caller_too(at_terminal, ringwall, how):
    person = at_terminal("bash", "--norc", "-c", INTERRUPTED, *ringwall.command([]), "echo up; exec sleep 60")
    person.expect("up")
    wait_until(person.is_raw)
    if how == "key":
        person.send(b"\x03")
    else:
        os.killpg(person.pid, signal.SIGINT)
    assert b"CALLER INTERRUPTED" in person.until_end()
