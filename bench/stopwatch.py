"""Times a command from beside it: stopwatch.py REPEAT FRESH_FOLDER COMMAND ARGS...

It is copied into a workspace and runs inside and outside of a sandbox alike, so that only the work
is compared and not the start of a sandbox. FRESH_FOLDER (- for none) is emptied before each
repetition, unmeasured. Temporary files go below the workspace on both sides, because /tmp inside is
another filesystem than /tmp outside. Prints the nanoseconds.
"""

import os
import shutil
import subprocess
import sys
import time


def main():
    repeat, fresh, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    environment = os.environ | {"TMPDIR": os.path.abspath("tmp")}
    spent = 0
    for _ in range(repeat):
        if fresh != "-":
            shutil.rmtree(fresh, ignore_errors=True)
            os.mkdir(fresh)
        begin = time.monotonic_ns()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
        spent += time.monotonic_ns() - begin
    print("nanoseconds", spent)


if __name__ == "__main__":
    main()
