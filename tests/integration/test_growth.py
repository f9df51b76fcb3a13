"""Growth on disk: watched, told, and nothing else is taken for it."""

import os
import time

import pytest

from limit_events import end, limits_told, states, wait_for_limit


@pytest.mark.parametrize(
    "flag, limit, folder",
    [
        ("--workspace-size", "workspace_size", "."),
        ("--home-size", "home_size", "$HOME/.cache"),
    ],
)
def test_growth_on_disk(ringwall, place, flag, limit, folder):
    script = f"cd {folder}; for i in $(seq 60); do head -c 4M /dev/zero > $i; sleep 0.05; done; sleep 30"
    process = ringwall.start("run", "--json", flag, "20M", "--", "sh", "-c", script)
    event, _ = wait_for_limit(process)
    assert (event["limit"], event["then"], event["flag"]) == (limit, "paused", flag)
    end(process)


def test_what_goes_into_quarantine_grows_too(ringwall, place):
    """Else a run could fill the disk with what is taken from it."""
    script = """
for n in $(seq 6); do
  mkdir d$n; head -c 8M /dev/zero > t; mv t d$n/.envrc
  while [ -e d$n/.envrc ]; do sleep 0.02; done
done
sleep 30"""
    process = ringwall.start("run", "--json", "--workspace-size", "20M", "--", "sh", "-c", script)
    event, _ = wait_for_limit(process)
    assert (event["limit"], event["then"]) == ("workspace_size", "paused")
    end(process)


def test_what_little_goes_into_quarantine_pauses_nobody(ringwall, place):
    script = "head -c 8M /dev/zero > .envrc; while [ -e .envrc ]; do sleep 0.02; done; sleep 1.5; echo RAN"
    result = ringwall.sh(script, "--workspace-size", "20M")
    assert result.status == 0 and result.out == "RAN\n" and "are allowed" not in result.err, result


def test_a_removed_file_that_is_open_grows_too(ringwall):
    script = "exec 3>x; rm x; for i in $(seq 60); do head -c 4M /dev/zero >&3; sleep 0.05; done; sleep 30"
    process = ringwall.start("run", "--json", "--workspace-size", "20M", "--", "sh", "-c", script)
    assert wait_for_limit(process)[0]["limit"] == "workspace_size"
    end(process)


def test_a_removed_file_of_a_process_that_cannot_be_looked_at(ringwall):
    script = """
import ctypes, os, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
file = os.open("x", os.O_CREAT | os.O_WRONLY)
os.unlink("x")
for _ in range(60):
    os.write(file, bytes(4 << 20))
    time.sleep(0.05)
time.sleep(30)
"""
    process = ringwall.start(
        "run", "--json", "--workspace-size", "20M", "--", "/usr/bin/python3", "-c", script
    )
    assert wait_for_limit(process)[0]["limit"] == "workspace_size"
    end(process)


def test_long_links_are_growth(ringwall, place):
    script = """
import os, time
for i in range(20000):
    os.symlink("x" * 4000, str(i))
time.sleep(30)
"""
    (place.work / "one").symlink_to("x" * 4000)
    if os.lstat(place.work / "one").st_blocks == 0:
        pytest.skip("links take no blocks on this filesystem")
    process = ringwall.start(
        "run", "--json", "--workspace-size", "20M", "--", "/usr/bin/python3", "-c", script
    )
    assert wait_for_limit(process)[0]["limit"] == "workspace_size"
    end(process)


# To look at everything that these have open takes long, and nothing to make them.
HARD_TO_MEASURE = """
import os, resource, time
for _ in range(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 50):
    os.dup(0)
for _ in range(12):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
print("ready", flush=True)
"""


def is_stopped(place, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if "T" in states(place).values():
            return True
        time.sleep(0.02)
    return False


def test_growth_that_is_hard_to_measure_is_seen_in_time(ringwall):
    script = HARD_TO_MEASURE + """
file = os.open("x", os.O_CREAT | os.O_WRONLY)
os.unlink("x")
for _ in range(100):
    os.write(file, bytes(4 << 20))
    time.sleep(0.03)
print("never stopped", flush=True)
time.sleep(30)
"""
    process = ringwall.start(
        "run", "--json", "--workspace-size", "20M", "--", "/usr/bin/python3", "-c", script
    )
    event, _ = wait_for_limit(process, 20)
    assert event["limit"] == "workspace_size"
    process.terminate()
    assert b"never stopped" not in process.communicate(timeout=120)[0]


def test_a_run_that_is_hard_to_measure_goes_on_when_others_write(ringwall, place):
    """It is held until it is known whose the files are, and nobody is told."""
    script = HARD_TO_MEASURE + """
for _ in range(30):
    time.sleep(0.1)
print("done", flush=True)
"""
    process = ringwall.start(
        "run", "--json", "--name", "held", "--workspace-size", "20M", "--", "/usr/bin/python3", "-c", script
    )
    assert process.stdout.readline() == b"ready\n"
    for i in range(20):
        (place.home / f"others{i}").write_bytes(bytes(8 << 20))
    assert is_stopped(place)
    out, err = process.communicate(timeout=120)
    assert out == b"done\n" and limits_told(err.decode()) == []


def test_what_was_there_before_is_not_growth(ringwall, place):
    (place.work / "old").write_bytes(bytes(60 << 20))
    time.sleep(3)  # what is as old as the run counts, where others fill the same disk meanwhile
    result = ringwall.sh("cat old > /dev/null; head -c 1M /dev/zero > new; sleep 0.5", "--workspace-size", "20M")
    result.ok()


def test_writing_and_removing_is_not_growth(ringwall):
    script = "for i in $(seq 12); do head -c 4M /dev/zero > x; rm x; sleep 0.05; done"
    ringwall.sh(script, "--workspace-size", "20M").ok()
