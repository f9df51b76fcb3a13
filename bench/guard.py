#!/usr/bin/python3 -B
"""Measures what root's guard costs the sandboxes of an ordinary user, and fapolicyd on the same work.

    bench/guard.py build/ringwall [--rounds N] [--json FILE]

Needs root. The guard's programs slow every process of the host a little while they are attached, so the other side is
measured without a guard: it is started and ended in every round. fapolicyd (its package is unpacked, not installed)
watches the mounts of a mount namespace of its own alone, says yes to everything, and is killed after a minute whatever
happens.
"""

import argparse
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import loads
import measure
import report
from report import CannotMeasure, Row

HERE = pathlib.Path(__file__).resolve().parent
SPAWNS = 500
CEILING = 1.05
START_SECONDS = 30
WATCHDOG_SECONDS = 60
PRIVATE = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]
GUARD = 'mkdir -p /run/ringwall && mount -t tmpfs -o mode=755 none /run/ringwall && exec "$0" guard'
BUILD = ["/usr/bin/g++", "-std=c++20", "-O1", "-c", "unit.cc", "-o", "tmp/unit.o"]


class Bench:
    def __init__(self, binary, room):
        self.binary = str(binary)
        self.user = pwd.getpwnam(subprocess.check_output([HERE.parent / "tools/test_user.sh"], text=True).strip())
        self.room = room
        self.home = room / "home"
        self.work = room / "work"
        (self.work / "tmp").mkdir(parents=True)
        self.home.mkdir()
        self.programs = room / "programs"
        self.programs.mkdir()
        subprocess.run(["gcc", "-O2", "-o", self.programs / "spawn", HERE / "spawn.c"], check=True)
        shutil.copy(HERE / "stopwatch.py", self.work)
        loads.generate_cpp(self.work, {})
        for folder, _, names in os.walk(room):
            for path in [folder, *(os.path.join(folder, name) for name in names)]:
                os.lchown(path, self.user.pw_uid, self.user.pw_gid)
        room.chmod(0o755)

    def load(self, name):
        if name.endswith("exec"):
            return [str(self.programs / "spawn"), str(SPAWNS)]
        return ["/usr/bin/python3", "-I", "stopwatch.py", "1", "-", *BUILD]

    def as_user(self, words):
        who = ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        return [*who, "env", "-i", f"HOME={self.home}", "PATH=/usr/bin:/bin", *words]

    def read(self, line):
        done = subprocess.run(
            line, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
        )
        words = done.stdout.split()
        if done.returncode != 0 or words[:1] != ["nanoseconds"]:
            raise CannotMeasure(f"gave {done.returncode}: {done.stdout}{done.stderr}")
        return int(words[1])


@contextlib.contextmanager
def started(line, log, ready):
    """A process of root's and the mount namespace it is in; killed in the end, and after a minute in any case."""
    with open(log, "wb") as words:
        process = subprocess.Popen(
            ["timeout", "--signal=KILL", str(WATCHDOG_SECONDS), *line], stdin=subprocess.DEVNULL, stdout=words, stderr=words
        )
    try:
        end = time.monotonic() + START_SECONDS
        while not ready(pathlib.Path(log).read_text(errors="replace")):
            if process.poll() is not None or time.monotonic() > end:
                raise CannotMeasure(f"{line[-1]} did not start: {pathlib.Path(log).read_text(errors='replace')[-600:]}")
            time.sleep(0.05)
        child = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        yield ["nsenter", f"--mount=/proc/{child}/ns/mnt", f"--wd={os.getcwd()}"], child
    finally:
        with contextlib.suppress(ProcessLookupError, UnboundLocalError):
            os.kill(child, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, UnboundLocalError):
                os.kill(child, signal.SIGKILL)
            process.wait()


def guarded(bench, name):
    """With cached verdicts: the first time in a sandbox everything is hashed, so the load runs twice in it."""
    rules = ["--guard", "tracepoints", "--deny-program", "file:/usr/bin/wget"]
    twice = 'for i in 1 2; do out=$("$@") || exit; done; echo $out'
    line = bench.as_user(
        [bench.binary, "run", "--ro", str(bench.programs), *rules, "--", "sh", "-c", twice, "sh", *bench.load(name)]
    )
    with started([*PRIVATE, GUARD, bench.binary], bench.room / "guard.log", lambda words: "listens at" in words) as (
        inside,
        _,
    ):
        inside[-1] = f"--wd={bench.work}"
        return bench.read([*inside, *line])


def unguarded(bench, name):
    twice = 'for i in 1 2; do out=$("$@") || exit; done; echo $out'
    return bench.read(
        bench.as_user([bench.binary, "run", "--ro", str(bench.programs), "--", "sh", "-c", twice, "sh", *bench.load(name)])
    )


def guard_row(bench, name, rounds):
    sides = {"guarded": lambda: guarded(bench, name), "sandbox alone": lambda: unguarded(bench, name)}
    result = measure.compare(measure.take_turns(sides, rounds, 1), "guarded", "sandbox alone")
    return row_of(name, result, "guarded", "sandbox alone", CEILING)


def row_of(name, result, ours, theirs, ceiling):
    medians, (low, high) = result["median_ms"], result["quartiles"]
    measured = f"{ours} {medians[ours]:.1f} ms, {theirs} {medians[theirs]:.1f} ms, half of the rounds {low:.3f} to {high:.3f}"
    return Row(name, measured, result["ratio"], ceiling, "x", result)


def unpack_fapolicyd(folder):
    """Its package without its installation, which would start it for the whole host."""
    line = ["apt-get", "-qq", "-o", f"APT::Sandbox::User={pwd.getpwuid(os.getuid()).pw_name}", "download", "fapolicyd"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    packages = list(folder.glob("fapolicyd_*.deb"))
    if done.returncode != 0 or not packages:
        raise CannotMeasure(f"fapolicyd cannot be had: {done.stderr.strip()}")
    subprocess.run(["dpkg-deb", "-x", packages[0], folder / "unpacked"], check=True)
    return folder / "unpacked"


# In its own mount namespace: its settings and its database over empty folders, then fapolicyd itself.
FAPOLICYD = """
set -e
for folder in /etc/fapolicyd /var/lib/fapolicyd /run/fapolicyd; do
    mkdir -p $folder; mount -t tmpfs -o mode=755 none $folder
done
mkdir -p /etc/fapolicyd/trust.d /etc/fapolicyd/rules.d
cat >/etc/fapolicyd/fapolicyd.conf <<END
permissive = 1
nice_val = 0
q_size = 800
uid = root
gid = root
do_stat_report = 0
detailed_report = 0
db_max_size = 50
subj_cache_size = 1549
obj_cache_size = 8191
watch_fs = ext4,tmpfs,overlay,xfs,btrfs
trust = file
integrity = sha256
syslog_format = rule,dec,perm,auid,pid,exe,:,path,ftype,trust
END
for file in $(cat "$2"); do
    echo "$file $(stat -L -c %s $file) $(sha256sum $file | cut -d' ' -f1)"
done >/etc/fapolicyd/fapolicyd.trust
printf '%s\\n' 'allow perm=open all : all' 'allow perm=execute all : trust=1' 'deny perm=execute all : all' \
    >/etc/fapolicyd/fapolicyd.rules
cp /etc/fapolicyd/fapolicyd.rules /etc/fapolicyd/compiled.rules
exec "$1" --debug-deny --permissive
"""


def trusted_files(bench):
    """What the loads execute and map: by the names that the loader and the kernel use."""
    programs = ["/bin/true", "/usr/bin/setpriv", "/usr/bin/env", "/usr/bin/g++", "/usr/bin/as", "/usr/bin/ld", "/usr/bin/python3", str(bench.programs / "spawn")]
    programs.append(subprocess.check_output(["g++", "-print-prog-name=cc1plus"], text=True).strip())
    files = set()
    for program in programs:
        real = os.path.realpath(program)
        files.add(real)
        listed = subprocess.run(["ldd", real], capture_output=True, text=True, check=False).stdout
        files.update(os.path.realpath(word) for word in listed.split() if word.startswith("/"))
    return sorted(files)


def fapolicyd_row(bench, name, rounds):
    folder = bench.room / "fapolicyd"
    if not folder.exists():
        folder.mkdir()
        unpack_fapolicyd(folder)
    (folder / "files").write_text("\n".join(trusted_files(bench)) + "\n", encoding="utf-8")
    program = next((folder / "unpacked").glob("**/sbin/fapolicyd"))
    start = [*PRIVATE, FAPOLICYD, "sh", str(program), str(folder / "files")]

    def watched():
        with started(start, folder / "log", lambda words: "Starting to listen" in words) as (inside, _):
            inside[-1] = f"--wd={bench.work}"
            line = [*inside, *bench.as_user(bench.load(name.replace("fapolicyd", "guard")))]
            bench.read(line)
            spent = bench.read(line)
        # Who is denied, though let through, would pay for the complaint too.
        refused = (folder / "log").read_text(errors="replace").count("dec=deny")
        if refused > 0:
            raise CannotMeasure(f"fapolicyd does not trust the load: {refused} refusals")
        return spent

    def bare():
        line = bench.as_user(bench.load(name))
        bench.read(line)
        return bench.read(line)

    result = measure.compare(measure.take_turns({"fapolicyd": watched, "bare": bare}, rounds, 0), "fapolicyd", "bare")
    return row_of(name, result, "fapolicyd", "bare", float("inf"))


ROWS = {
    "guard-exec": guard_row,
    "guard-build": guard_row,
    "fapolicyd-exec": fapolicyd_row,
    "fapolicyd-build": fapolicyd_row,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], choices=list(ROWS))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    if os.getuid() != 0:
        print("the guard's rows need root")
        return 0
    rows = []
    with tempfile.TemporaryDirectory(prefix="ringwall-bench-", dir="/tmp") as name:
        bench = Bench(options.binary.resolve(), pathlib.Path(name))
        for row, measure_it in ROWS.items():
            if options.only and row not in options.only:
                continue
            try:
                rows.append(measure_it(bench, row, options.rounds))
            except (CannotMeasure, OSError, subprocess.SubprocessError) as error:
                rows.append(report.Failure(row, str(error)))
    notes = [f"kernel {os.uname().release}, {os.cpu_count()} processors; {SPAWNS} x /bin/true, one compiled file"]
    report.print_table(rows, notes)
    if options.json:
        report.write_json(options.json, rows, {"kernel": os.uname().release, "processors": os.cpu_count()})
    return 1 if any(isinstance(row, report.Failure) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
