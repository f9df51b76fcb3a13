"""What a run tells of its limits, and how its processes stand."""

import json
import time


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def limits_told(text):
    return [event for event in events(text) if event["event"] == "limit_reached"]


def wait_for_limit(process, seconds=60):
    """The first limit that the run tells of, and how long that took."""
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        line = process.stderr.readline()
        assert line, "the run ended without a word about a limit"
        event = json.loads(line)
        if event["event"] == "limit_reached":
            return event, time.monotonic() - start
    raise AssertionError("no limit was told in time")


def end(process):
    process.terminate()
    process.communicate(timeout=120)


def states(place):
    """The states of the processes of the test's runs that are inside, by name."""
    found = {}
    for pid in place.processes():
        try:
            stat = open(f"/proc/{pid}/stat").read()
        except OSError:
            continue
        name, _, rest = stat.partition("(")[2].rpartition(")")
        if name != place.mark:
            found[name] = rest.split()[0]
    return found
