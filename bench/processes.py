"""Who runs below us: a look at /proc that misses nobody, since orphans are handed to us."""

import ctypes
import dataclasses
import os
import pathlib

PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass
class Process:
    pid: int
    parent: int
    name: str
    state: str
    inside: bool  # in a pid namespace below ours
    rss_kb: int
    anonymous_kb: int  # of that, what is no file's: a program's pages come and go by themselves


def adopt_orphans():
    """From now on a descendant whose parent ends becomes our child, so it cannot slip away."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def reap_adopted():
    """Does for dead orphans what init would have done. Only when no child of ours is unwaited."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def read_process(pid):
    """The process, or None if it has gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    return Process(
        pid=pid,
        parent=int(fields["PPid"]),
        name=fields["Name"],
        state=fields["State"].split()[0],
        inside=len(fields.get("NSpid", "").split()) > 1,
        rss_kb=int(fields.get("VmRSS", "0 kB").split()[0]),
        anonymous_kb=int(fields.get("RssAnon", "0 kB").split()[0]),
    )


def descendants(ancestor):
    everyone = [read_process(int(p.name)) for p in pathlib.Path("/proc").glob("[0-9]*")]
    everyone = [process for process in everyone if process]
    found, parents = [], {ancestor}
    while parents:
        children = [process for process in everyone if process.parent in parents]
        found += children
        parents = {process.pid for process in children}
    return found


def pss_kb(pid):
    """Resident memory with shared pages divided among their users; None if we may not look."""
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return None
    return next((int(x.split()[1]) for x in text.splitlines() if x.startswith("Pss:")), None)
