"""What the host has: counted before the soak and after, when it must be the same."""

import os
import re
import subprocess
import time
from pathlib import Path

FIRST_NAMESPACE = 0xF0000000
# Rooms of other tests, benches and soaks that may be going on beside this one.
OTHER_ROOMS = ("ringwall-tests.", "ringwall-bench.", "ringwall-soak.", "ringwall-disk.", "ringwall-verify-", "ringwall-unit-")

# Counts of the whole host move by themselves, and Ringwall may be used elsewhere meanwhile: so much more is no
# finding, and one more for every so many runs.
ALLOWANCES = {"namespaces": 300, "sockets of the host": 24, "kernel memory": 256 * 1024, "per cpu": 16 * 1024}
ALLOWANCES |= {"control sockets": 8, "terminals": 8, "terminals of sandboxes": 8, "keys": 8}
RUNS_FOR_ONE = 50
SAMPLES = 4
UNITS = {"kernel memory": " KiB", "per cpu": " KiB"}


def listing(folder):
    """Paths below a folder."""
    found = []
    for at, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(at, name), folder) for name in folders + files]
    return found


def is_a_record(path):
    """What was decided in a run that has ended stays; what is open belongs to a run."""
    return "@" in path and not path.startswith("heads/open/")


def names_in(folder, wanted):
    try:
        return [name for name in os.listdir(folder) if wanted(name)]
    except OSError:
        return []


def mounts():
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()


def sockets():
    """All, and those that are bound to the name of a control socket."""
    lines = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    return len(lines), sum(1 for line in lines if line.endswith("/control"))


def next_namespace():
    """Numbers of namespaces are given out from below: what is left over pushes the next one up."""
    words = ["unshare", "-Urnmpiu", "--fork", "sh", "-c", "readlink /proc/self/ns/*"]
    out = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL).stdout
    numbers = [int(number) for number in re.findall(r"\[(\d+)\]", out)]
    return max(numbers, default=FIRST_NAMESPACE) - FIRST_NAMESPACE


def terminals():
    """Those in the host's own folder, and those in folders of sandboxes."""
    own = len(names_in("/dev/pts", str.isdigit))
    return own, int(Path("/proc/sys/kernel/pty/nr").read_text(encoding="ascii")) - own


def keys():
    for line in Path("/proc/key-users").read_text(encoding="ascii").splitlines():
        user, rest = line.split(":", 1)
        if int(user) == os.getuid():
            return int(rest.split()[0])
    return 0


def cgroups():
    found = []
    for at, folders, _ in os.walk("/sys/fs/cgroup"):
        found += [os.path.join(at, name) for name in folders if "ringwall" in name]
    return found


def memory(name):
    match = re.search(rf"^{name}:\s+(\d+)", Path("/proc/meminfo").read_text(encoding="ascii"), re.MULTILINE)
    return int(match.group(1)) if match else 0


def temporary_files():
    return names_in("/tmp", lambda name: name.startswith("ringwall") and not name.startswith(OTHER_ROOMS))


class Census:
    """One count of everything; lists are compared by their entries, numbers by their size."""

    def __init__(self, place, table):
        everything, control = sockets()
        own_terminals, inner_terminals = terminals()
        self.counts = {
            "processes": [process.describe() for process in table.all()],
            "mounts": mounts(),
            "namespaces": next_namespace(),
            "control sockets": control,
            "sockets of the host": everything,
            "terminals": own_terminals,
            "terminals of sandboxes": inner_terminals,
            "entries of runs": place.registered(),
            "files of Ringwall": [path for path in listing(place.state) if not is_a_record(path)],
            "files of the workspace": listing(place.workspace),
            "files in /tmp": temporary_files(),
            "keys": keys(),
            "control groups": cgroups(),
            "descriptors of the soak": len(os.listdir("/proc/self/fd")),
            "kernel memory": memory("SUnreclaim"),
            "per cpu": memory("Percpu"),
        }

    def more_than(self, before, runs):
        """What is there that was not: a description by name."""
        left = {}
        for name, after in self.counts.items():
            earlier = before.counts[name]
            if isinstance(after, list):
                new = sorted(set(after) - set(earlier))
                if new:
                    left[name] = new
            elif after > earlier + (ALLOWANCES[name] + runs // RUNS_FOR_ONE if name in ALLOWANCES else 0):
                left[name] = [f"{after}{UNITS.get(name, '')} instead of {earlier}"]
        return left


def quietest(place, table):
    """The least of some counts: what goes on elsewhere must not hide what is left later."""
    least = Census(place, table)
    for _ in range(SAMPLES - 1):
        time.sleep(0.3)
        for name, count in Census(place, table).counts.items():
            if not isinstance(count, list):
                least.counts[name] = min(least.counts[name], count)
    return least


def settle(place, table, before, runs, patience):
    """Counts until nothing is left or patience ends: the kernel removes network namespaces later."""
    end = time.monotonic() + patience
    while True:
        place.clean()
        place.start()  # whoever was killed last has had none after it
        census = Census(place, table)
        left = census.more_than(before, runs)
        if not left or time.monotonic() > end:
            return census, left
        time.sleep(0.5)


def table_of(before, after, left):
    lines = [f"{'':26}{'before':>12}{'after':>12}"]
    for name, count in after.counts.items():
        earlier = before.counts[name]
        numbers = [len(value) if isinstance(value, list) else value for value in (earlier, count)]
        unit = UNITS.get(name, "")
        mark = "  LEFT" if name in left else ""
        lines.append(f"{name:26}" + "".join(f"{str(number) + unit:>12}" for number in numbers) + mark)
    return "\n".join(lines)
