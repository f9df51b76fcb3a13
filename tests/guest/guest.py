"""Boots a small Linux guest under software emulation and runs test scripts in it.

One boot runs any number of scripts, one after the other, as root, and reports the output and the
exit status of each. Scripts are sh; `as_user CMD...` runs a command as the guest's ordinary user
(uid 1000) in an empty folder. Before each script the guest's switches are set back.

Results come over a serial port of their own, so that kernel messages on the console can neither
split nor imitate them. The emulator never outlives the call, nor the process that made it.
"""

import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# Firmware, kernel and both inits: seconds when idle, more on a machine busy with other work.
BOOT_LIMIT_SECONDS = 60
CONSOLE_LINES_SHOWN = 25

KERNEL_ARGUMENTS = "console=ttyS0 panic=-1 quiet random.trust_cpu=on"

# A processor with rdrand (`max`), or the first getrandom waits a second for entropy.
MACHINE = "-accel tcg -cpu max -m 512 -smp 1 -nographic -nodefaults -no-reboot -monitor none"

AS_USER = """#!/bin/sh
cd /home/user/workspace || exit
exec env -i HOME=/home/user USER=user LOGNAME=user SHELL=/bin/bash \\
    PATH=/usr/local/bin:/usr/bin:/bin setpriv --reuid 1000 --regid 1000 --init-groups "$@"
"""

# Programs that busybox has too are called by their path: its shell prefers its own.
RUNNER = """#!/bin/busybox sh
export PATH=/guest/bin:/usr/bin:/usr/sbin
switches='/proc/sys/user/max_user_namespaces /proc/sys/kernel/unprivileged_userns_clone'
mkdir /run/switches
for switch in $switches; do
    [ -e "$switch" ] && cat "$switch" >"/run/switches/${switch##*/}"
done
set_back() {
    mount -o remount,nosuid,nodev,noexec,hidepid=0 /proc
    for switch in $switches; do
        [ -e "$switch" ] && cat "/run/switches/${switch##*/}" >"$switch"
    done
    /usr/bin/setpriv --reuid 1000 --clear-groups busybox kill -KILL -1 2>/dev/null
    rm -rf /home/user/workspace
    mkdir /home/user/workspace
    chown 1000:1000 /home/user/workspace
}
stty -F /dev/ttyS1 raw
for script in /guest/scripts/*; do
    set_back
    /usr/bin/timeout -k 5 "$(cat /guest/limit)" /bin/sh "$script" </dev/null >/run/output 2>&1
    status=$?
    {
        echo "result ${script##*/} $status $(stat -c %s /run/output)"
        cat /run/output
    } >/dev/ttyS1
done
"""


class GuestError(Exception):
    """The guest ended, or was ended, without a result of the script."""


class Result(NamedTuple):
    output: str
    status: int


class Guest:
    """A kernel and an initramfs (see make_guest.sh); each call of run or run_all is a new boot."""

    def __init__(self, kernel, initramfs, arguments=""):
        self.kernel = Path(kernel)
        self.arguments = arguments  # of the kernel, beside those of every guest
        self.initramfs = Path(initramfs)
        self.console = ""

    def run(self, script, timeout=30):
        """Output and exit status of one script; 124 when it took more than `timeout` seconds."""
        results = self.run_all([script], timeout)
        if not results:
            raise GuestError(f"the guest gave no result; its console ends:\n{self.last_words()}")
        return results[0]

    def run_all(self, scripts, timeout=30):
        """Results in the order of the scripts; fewer when the guest died on the way."""
        with tempfile.TemporaryDirectory(prefix="guest-") as name:
            folder = Path(name)
            write_initrd(folder / "initrd", self.initramfs, guest_files(scripts, timeout))
            run_emulator(self.command(folder), folder, BOOT_LIMIT_SECONDS + timeout)
            self.console = read_text(folder / "console")
            return parse_results(read_if_there(folder / "results"))

    def last_words(self):
        return "\n".join(self.console.splitlines()[-CONSOLE_LINES_SHOWN:])

    def command(self, folder):
        # setpriv ties the emulator's life to ours even when we are killed.
        return [
            *shlex.split("setpriv --pdeathsig KILL qemu-system-x86_64"),
            *shlex.split(MACHINE),
            *("-serial", f"file:{folder}/console", "-serial", f"file:{folder}/results"),
            *("-kernel", str(self.kernel), "-initrd", f"{folder}/initrd"),
            *("-append", f"{KERNEL_ARGUMENTS} {self.arguments}"),
        ]


def run_emulator(command, folder, patience):
    """Waits for the guest to end itself; ends it after `patience` seconds without a new result.

    The guest limits each script by itself, so silence for longer means that its kernel hangs.
    """
    with open(folder / "emulator", "wb") as words:
        emulator = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=words, stderr=subprocess.STDOUT
        )
    try:
        wait_while_growing(emulator, folder / "results", patience)
    finally:
        emulator.kill()
        emulator.wait()
    # Negative when the line above ended it: then the results so far are still good.
    if emulator.returncode > 0:
        raise GuestError(f"the emulator failed: {read_text(folder / 'emulator')}")


def wait_while_growing(process, path, patience):
    size, deadline = 0, time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            process.wait(timeout=1)
            return
        except subprocess.TimeoutExpired:
            grown = len(read_if_there(path))
        if grown > size:
            size, deadline = grown, time.monotonic() + patience


def guest_files(scripts, limit):
    """What the second archive holds, as path -> text; all of it is executable."""
    files = {"guest/runner": RUNNER, "guest/bin/as_user": AS_USER, "guest/limit": f"{limit}\n"}
    for number, script in enumerate(scripts):
        files[f"guest/scripts/{number:03}"] = script
    return files


def write_initrd(target, initramfs, files):
    """The kernel unpacks archives that follow each other into the same root."""
    folders = sorted({str(parent) for path in files for parent in Path(path).parents} - {"."})
    with open(target, "wb") as initrd:
        initrd.write(initramfs.read_bytes())
        for path in folders:
            initrd.write(archive_entry(path, 0o040755, b""))
        for path, text in files.items():
            initrd.write(archive_entry(path, 0o100755, text.encode()))
        initrd.write(archive_entry("TRAILER!!!", 0, b""))


def archive_entry(path, mode, content):
    """One entry of cpio's newc format: 13 numbers in hex, name, content, each padded to 4 bytes."""
    name = path.encode() + b"\0"
    numbers = (0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
    head = b"070701" + b"".join(b"%08X" % number for number in numbers)
    return padded(head + name) + padded(content)


def padded(content):
    return content + b"\0" * (-len(content) % 4)


def read_if_there(path):
    return path.read_bytes() if path.exists() else b""


def read_text(path):
    return read_if_there(path).decode(errors="replace")


def parse_results(stream):
    """Reads `result NUMBER STATUS LENGTH` and that many bytes, until what is left is not whole."""
    results = []
    while stream.startswith(b"result "):
        head, _, rest = stream.partition(b"\n")
        _, _, status, length = head.split()
        if len(rest) < int(length):
            break
        results.append(Result(rest[: int(length)].decode(errors="replace"), int(status)))
        stream = rest[int(length) :]
    return results
