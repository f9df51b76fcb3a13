"""Limits: each is kept, told with the flag that raises it, and disturbs no ordinary work."""

import json
import os
import subprocess
import time

import pytest

from conftest import IS_ROOT
from limit_events import end, events, limits_told, states, wait_for_limit

TIME_IS_UP = 124  # as timeout(1) says it

FORK_UNTIL_REFUSED = """
import os, time
made = 0
try:
    while made < 400:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        made += 1
except OSError as problem:
    print(made, problem.errno, flush=True)
time.sleep({rest})
"""


# Kept by the kernel


def test_processes(ringwall):
    out = ringwall.python(FORK_UNTIL_REFUSED.format(rest=0), "--processes", 50).out.split()
    assert (int(out[0]), out[1]) == (49, "11"), "EAGAIN, with the one that forks"


def test_helpers_take_no_processes_of_the_inside(ringwall, bare):
    """In a repository one of them works in the user namespace of the sandbox."""
    bare("git", "init", "-q").ok()
    result = ringwall.python(FORK_UNTIL_REFUSED.format(rest=1.5), "--json", "--processes", 50)
    out = result.out.split()
    assert (int(out[0]), out[1]) == (49, "11")
    (event,) = limits_told(result.err)
    assert (event["limit"], event["then"], event["flag"]) == ("processes", "refused", "--processes")


def test_threads_count_as_processes(ringwall):
    script = """
import threading, time
made = 0
try:
    while made < 400:
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start()
        made += 1
except RuntimeError:
    print(made)
"""
    done = ringwall.python(script, "--processes", 40)  # which may tell that there is no room for more
    assert done.status == 0 and int(done.out) == 39, done


def test_a_full_sandbox_can_still_be_entered(ringwall, place):
    """Pid 1 keeps a few processes in reserve: a person can look, and end what is too much."""
    process = ringwall.start(
        "run", "--name", "full", "--processes", "30", "--", "/usr/bin/python3", "-c",
        FORK_UNTIL_REFUSED.format(rest=20),
    )
    assert process.stdout.readline().split()[1] == b"11"
    assert ringwall("exec", "full", "--", "/bin/echo", "here").ok() == "here"
    end(process)


def test_open_files(ringwall):
    script = """
import os
made = []
try:
    while len(made) < 2000:
        made.append(os.dup(1))
except OSError as problem:
    print(len(made), problem.errno)
"""
    made, err = ringwall.python(script, "--open-files", 100).ok().split()
    assert int(made) < 100 and err == "24"
    assert ringwall.python(script).ok() == "", "by default two thousand are no matter"


def test_limits_cannot_be_raised_inside(ringwall):
    script = """
import resource as r
for what in (r.RLIMIT_NPROC, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE):
    most = r.getrlimit(what)[1]
    try:
        r.setrlimit(what, (most + 1, most + 1))
        print("raised", what)
    except (ValueError, OSError):
        pass
"""
    limits = ("--processes", 100, "--open-files", 100, "--file-size", "2M")
    assert ringwall.python(script, *limits).ok() == ""


def test_file_size(ringwall):
    result = ringwall.sh("head -c 3M /dev/zero > large; ls -s --block-size=1 large", "--file-size", "1M")
    assert result.out.split()[0] == str(1 << 20)


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "$HOME"])
def test_folders_in_memory(ringwall, folder):
    script = f"head -c 9M /dev/zero > {folder}/x; stat -c %s {folder}/x"
    result = ringwall.sh(script, "--tmp-size", "4M")
    assert int(result.out) == 4 << 20
    assert "No space left" in result.err


def test_files_in_memory(ringwall):
    result = ringwall.sh("cd /tmp; for i in $(seq 200); do touch $i || break; done; ls | wc -l", "--tmp-files", 100)
    assert 90 <= int(result.out) <= 100


def test_larger_pipes_are_refused_and_pipes_work(ringwall):
    script = """
import fcntl, os
r, w = os.pipe()
try:
    fcntl.fcntl(w, 1031, 1 << 20)
except PermissionError:
    print("refused", fcntl.fcntl(w, 1032))
"""
    assert ringwall.python(script).ok() == "refused 65536"


TAKE_INOTIFY_INSTANCES = """
import ctypes, sys, time
libc = ctypes.CDLL(None)
print(sum(libc.inotify_init() >= 0 for _ in range(5000)), flush=True)
sys.stdin.read()
"""


def test_watches_are_left_for_the_person(ringwall):
    hosts = int(open("/proc/sys/fs/inotify/max_user_instances").read())
    assert int(ringwall.python(TAKE_INOTIFY_INSTANCES).ok()) == max(hosts // 4, 16)
    watches = int(open("/proc/sys/fs/inotify/max_user_watches").read())
    assert int(ringwall.sh("cat /proc/sys/user/max_inotify_watches").ok()) == watches // 4


def test_two_runs_at_once_leave_watches_for_the_person(ringwall):
    hosts = int(open("/proc/sys/fs/inotify/max_user_instances").read())
    command = ("run", "--", "/usr/bin/python3", "-c", TAKE_INOTIFY_INSTANCES)
    runs = [ringwall.start(*command, stdin=subprocess.PIPE) for _ in range(2)]
    try:
        taken = sum(int(run.stdout.readline()) for run in runs)
        assert 0 < taken <= hosts // 2
        # And a third starts, with its watch over the workspace.
        assert ringwall.sh("echo here").ok() == "here"
    finally:
        for run in runs:
            end(run)


def test_no_user_namespace_is_left(mutant):
    """Behind the system-call filter stands a quota."""
    result = mutant("system-calls").sh("unshare -U true || echo refused")
    assert "refused" in result.out and "No space left" in result.err


def test_first_in_line_for_the_oom_killer(ringwall):
    assert ringwall.sh("cat /proc/self/oom_score_adj").ok() == "1000"
    assert open("/proc/self/oom_score_adj").read().strip() != "1000"


# Watched


@pytest.mark.alone
def test_memory_is_paused_and_told_once(ringwall, place):
    script = "x = b'x' * (200 << 20); import time; time.sleep(30)"
    process = ringwall.start(
        "run", "--json", "--name", "big", "--memory", "100M", "--", "/usr/bin/python3", "-c", script
    )
    event, took = wait_for_limit(process)
    assert (event["limit"], event["then"], event["flag"]) == ("memory", "paused", "--memory")
    assert event["run"] == "big" and "100M are allowed" in event["what"]
    assert took < 2
    time.sleep(0.3)
    assert "T" in states(place).values(), states(place)
    process.terminate()
    _, err = process.communicate(timeout=120)
    assert limits_told(err.decode()) == []


def test_memory_of_all_processes_together(ringwall):
    script = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        x = b"x" * (40 << 20)
        time.sleep(30)
time.sleep(30)
"""
    process = ringwall.start(
        "run", "--json", "--memory", "150M", "--", "/usr/bin/python3", "-c", script
    )
    event, _ = wait_for_limit(process)
    assert event["limit"] == "memory"
    end(process)


WITHOUT_A_FIRST_THREAD = """
import ctypes, threading, time
def work():
    time.sleep(0.2)
    {work}
    time.sleep(30)
threading.Thread(target=work).start()
ctypes.CDLL(None).syscall(60, 0)  # exit, of this thread alone
"""


def test_memory_of_a_process_whose_first_thread_has_ended(ringwall):
    script = WITHOUT_A_FIRST_THREAD.format(work="x = b'x' * (200 << 20)")
    process = ringwall.start(
        "run", "--json", "--memory", "100M", "--", "/usr/bin/python3", "-c", script
    )
    assert wait_for_limit(process)[0]["limit"] == "memory"
    end(process)


def test_a_full_tmp_is_seen_past_a_first_thread_that_has_ended(ringwall):
    script = WITHOUT_A_FIRST_THREAD.format(work="open('/tmp/x', 'wb').write(bytes(4 << 20))")
    process = ringwall.start(
        "run", "--json", "--tmp-size", "4M", "--", "/usr/bin/python3", "-c", script
    )
    assert wait_for_limit(process)[0]["limit"] == "tmp_size"
    end(process)


def test_memory_that_is_shared_counts_once(ringwall):
    """A server with workers: each sees the same 60 MB."""
    script = """
import mmap, os, time
shared = mmap.mmap(-1, 60 << 20)
shared.write(b"x" * (60 << 20))
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        sum(shared[i] for i in range(0, 60 << 20, 4096))
        time.sleep(0.6)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print("done")
"""
    assert ringwall.python(script, "--memory", "150M").ok() == "done"


def test_files_in_memory_count_as_memory(ringwall):
    script = "head -c 60M /dev/zero > /tmp/a; head -c 60M /dev/zero > /dev/shm/b; sleep 30"
    process = ringwall.start(
        "run", "--json", "--memory", "100M", "--tmp-size", "80M", "--", "sh", "-c", script
    )
    event, _ = wait_for_limit(process)
    assert event["limit"] == "memory"
    end(process)


def test_a_paused_run_can_go_on(ringwall, place):
    script = "x = b'x' * (150 << 20); import time; time.sleep(0.5); print('done')"
    process = ringwall.start(
        "run", "--json", "--name", "big", "--memory", "100M", "--", "/usr/bin/python3", "-c", script
    )
    try:
        wait_for_limit(process)
        ringwall("resume", "big").ok()
        out, _ = process.communicate(timeout=120)
    finally:
        process.terminate()
    assert (out, process.returncode) == (b"done\n", 0)


def test_time(ringwall):
    start = time.monotonic()
    result = ringwall("run", "--json", "--timeout", "0.3s", "--", "sleep", "30")
    assert time.monotonic() - start < 5
    (event,) = limits_told(result.err)
    assert (event["limit"], event["then"], event["flag"]) == ("time", "ended", "--timeout")
    assert result.status == TIME_IS_UP


def test_time_ends_what_ignores_the_first_signal(ringwall):
    start = time.monotonic()
    result = ringwall.sh("trap '' TERM; sleep 30", "--timeout", "300ms")
    assert time.monotonic() - start < 5
    assert result.status == TIME_IS_UP
    assert "has used up its time, 300ms" in result.err and "--timeout" in result.err


def test_time_is_not_reached_by_a_shorter_command(ringwall):
    assert ringwall.sh("echo done", "--timeout", "20s").ok() == "done"


# Told, where the kernel refuses


def test_too_many_processes_are_told(ringwall):
    script = FORK_UNTIL_REFUSED.format(rest=1.5)
    err = ringwall("run", "--json", "--processes", "40", "--", "/usr/bin/python3", "-c", script).err
    (event,) = limits_told(err)
    assert (event["limit"], event["then"], event["flag"]) == ("processes", "refused", "--processes")


def test_too_many_open_files_are_told(ringwall):
    script = """
import time
made = []
try:
    while True:
        made.append(open("/dev/null"))
except OSError:
    time.sleep(2.5)
"""
    err = ringwall("run", "--json", "--open-files", "500", "--", "/usr/bin/python3", "-c", script).err
    (event,) = limits_told(err)
    assert (event["limit"], event["then"], event["flag"]) == ("open_files", "refused", "--open-files")
    fewer = script.replace("while True", "for _ in range(450)") + "time.sleep(1.5)"
    err = ringwall("run", "--json", "--open-files", "500", "--", "/usr/bin/python3", "-c", fewer).err
    assert limits_told(err) == []


@pytest.mark.parametrize(
    "command", ["exec head -c 3M /dev/zero >large", "exec 2>/dev/null; head -c 3M /dev/zero >large; exit"]
)
def test_a_file_that_became_too_large_is_told(ringwall, command):
    err = ringwall("run", "--json", "--file-size", "1M", "--", "sh", "-c", command).err
    (event,) = limits_told(err)
    assert (event["limit"], event["then"], event["flag"]) == ("file_size", "killed", "--file-size")
    assert "ended as one does whose file would become larger than 1M" in err
    # Without such a limit the status is the command's own affair.
    assert limits_told(ringwall("run", "--json", "--", "sh", "-c", "exit 153").err) == []


def test_a_full_tmp_is_told(ringwall):
    result = ringwall.sh("head -c 9M /dev/zero > /tmp/x; sleep 1.5", "--tmp-size", "4M")
    assert "has filled /tmp" in result.err and "--tmp-size" in result.err


# Ordinary work


def test_ordinary_work_is_silent(ringwall):
    script = "seq 300 | xargs -P 50 -I{} sh -c 'echo {} > f{}; cat f{} >/dev/null'; ls f* | wc -l; rm f*"
    assert ringwall.sh(script).ok() == "300"


def test_large_maps_that_are_not_used_are_no_memory(ringwall):
    """As browsers and runtimes reserve them."""
    script = """
import mmap
all = [mmap.mmap(-1, 16 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000) for _ in range(8)]
import time; time.sleep(0.4); print("done")
"""
    assert ringwall.python(script, "--memory", "200M").ok() == "done"


# Without a cgroup


def has_cgroup(ringwall):
    rows = json.loads(ringwall("doctor", "--json").out)["rows"]
    return next(row for row in rows if row["name"] == "cgroup v2")["state"] == "ok"


def test_processors_need_a_cgroup(ringwall):
    if has_cgroup(ringwall):
        ringwall("run", "--cpu", "0.5", "--", "true").ok()
        return
    result = ringwall.sh("echo RAN", "--cpu", "0.5").refused("--cpu", "needs a cgroup")
    assert result.hint()


def test_disk_traffic_needs_a_cgroup(ringwall):
    result = ringwall.sh("echo RAN", "--io", "10M")
    if result.status != 0:
        result.refused("--io", "needs a")
        assert result.hint()


def test_a_cgroup_that_is_wanted_and_not_there_is_told(ringwall):
    with_limit = events(ringwall("run", "--json", "--memory", "1G", "--", "true").err)[0]
    without = events(ringwall("run", "--json", "--", "true").err)[0]
    assert ("cgroup" in with_limit["missing_walls"]) == (not has_cgroup(ringwall))
    assert "cgroup" not in without["missing_walls"], "nobody asked for one"


# Bad input


@pytest.mark.parametrize(
    "flag, value, words",
    [
        ("--memory", "4X", "must be a size such as 512M or 4G, or none"),
        ("--memory", "", "needs a value"),
        ("--memory", "-1", "must be a size"),
        ("--memory", "1K", "is too little"),
        ("--memory", "99999999T", "is too much"),
        ("--processes", "many", "must be a whole number such as 200"),
        ("--processes", "1.5", "must be a whole number"),
        ("--processes", "0", "is too little"),
        ("--processes", "none", "must be a whole number"),
        ("--timeout", "soon", "must be a time such as 90s, 30m or 2h, or none"),
        ("--timeout", "0", "is too little"),
        ("--cpu", "two", "must be a number of processors such as 2 or 1.5, or none"),
        ("--cpu", "0", "is too little"),
        ("--io", "fast", "must be a size such as 512M or 4G, or none"),
        ("--io", "1K", "is too little"),
        ("--tmp-size", "1", "is too little"),
    ],
)
def test_bad_values(ringwall, flag, value, words):
    result = ringwall("run", f"{flag}={value}", "--", "echo", "RAN")
    result.refused(words, flag)


def test_a_bad_value_in_a_file_names_its_place(ringwall, place):
    file = place.home / "policy.toml"
    file.write_text('[limits]\nmemory = "4X"\nprocesses = 5\ncpu = "1"\nproceses = 9\n')
    result = ringwall.sh("echo RAN", "--policy", file).refused("policy.toml:2:10", "3 mistakes")
    assert "did you mean limits.processes?" in result.err


def test_a_file_sets_limits_and_a_flag_replaces_them(ringwall, place):
    file = place.home / "policy.toml"
    file.write_text('[limits]\nopen_files = 100\nprocesses = "60"\ntime = "20s"\n')
    script = "ulimit -n; ulimit -u 2>/dev/null || true"
    assert ringwall("run", "--policy", file, "--", "bash", "-c", script).ok().split() == ["100", "61"]
    words = ringwall("run", "--policy", file, "--open-files", 77, "--", "bash", "-c", script).ok()
    assert words.split() == ["77", "61"]


def test_more_than_the_callers_own_limit_is_refused(ringwall):
    own = ["prlimit", "--nofile=500:500", "--"]
    result = ringwall.sh("echo RAN", "--open-files", 600, prefix=own)
    result.refused("--open-files", "more than your own limit, 500")
    assert ringwall.sh("ulimit -n", prefix=own).ok() == "500"


def test_explain_tells_limits(ringwall):
    plan = ringwall.plan("--memory", "2G", "--processes", 99)
    rows = {row["limit"]: row for row in plan["limits"]}
    assert rows["memory"]["value"] == "2G" and rows["processes"]["value"] == "99"
    assert rows["processes"]["kept_by"] == "kernel"
    assert "Limits" in ringwall("run", "--explain", "true").ok()


def test_limits_are_no_widening(ringwall):
    err = ringwall("run", "--json", "--memory", "8G", "--processes", "9000", "--", "true").err
    started = events(err)[0]
    assert started["event"] == "run_started" and started["widenings"] == []


# What it costs


@pytest.mark.alone
def test_the_watch_takes_little(ringwall):
    """Two seconds of a run that does nothing."""
    before = os.times()
    process = ringwall.start("run", "--memory", "1G", "--workspace-size", "1G", "--", "sleep", "2")
    process.communicate(timeout=120)
    after = os.times()
    assert process.returncode == 0
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < 0.4, "of a processor's two seconds"


@pytest.mark.skipif(not IS_ROOT, reason="root's own case")
def test_roots_sandboxes_are_bounded_too(ringwall):
    """Root itself has no limit of processes; the id inside is an ordinary one."""
    out = ringwall.python(FORK_UNTIL_REFUSED.format(rest=0), "--processes", 50).out.split()
    assert int(out[0]) == 49
    bare = subprocess.run(
        ["prlimit", "--nproc=20:20", "/usr/bin/python3", "-c", "import os; os.fork()"], check=False
    )
    assert bare.returncode == 0
