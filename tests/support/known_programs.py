"""What a first run learns of this host's programs: reading them all takes minutes, and no test is about that.

Suites of one user share it in the folder that RINGWALL_KNOWN_PROGRAMS names. As a program this fills the folder, beside
the suites that begin without it.
"""

import fcntl
import os
import subprocess
import time
from pathlib import Path

NOBODYS = "sha256:" + 64 * "0"  # any rule over programs has them hashed
SECONDS = 900
LONG = 2  # seconds


def learn(folder, ringwall):
    """The programs' part of Ringwall's state, in `folder`; who comes second waits for the first."""
    home = Path(folder)
    done = home / "done"
    kept = home / ".local/state/ringwall/programs"
    lock = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "dumb"}
            (home / "work").mkdir(exist_ok=True)
            # Refused, so that nothing runs: what took long to learn is kept all the same.
            words = [ringwall, "run", "--deny-program", NOBODYS, "--deny-program", "true", "--", "true"]
            begin = time.monotonic()
            refused = subprocess.run(words, cwd=home / "work", env=environment, check=False, timeout=SECONDS)
            took_long = time.monotonic() - begin > LONG
            if refused.returncode != 125 or (took_long and not any(kept.glob("tree-*"))):
                raise AssertionError(f"status {refused.returncode}, nothing kept in {kept}")
            done.touch()
    finally:
        os.close(lock)
    return kept


if __name__ == "__main__":
    if shared := os.environ.get("RINGWALL_KNOWN_PROGRAMS"):  # else each suite finds out for itself
        learn(shared, os.environ["RINGWALL_BIN"])
