#!/usr/bin/python3 -B
"""Runs a command in a private network where real servers with made-up names stand.

    in_lab.py [--far 'PROGRAM ARGS...']... COMMAND ARGS...

An ordinary user can do so; nothing leaves the machine, and nothing is left when the command has ended.
--far starts one more server on the far side. RINGWALL_LAB names the folder with the journal of the
servers, their certificates and keys.
"""

import shlex
import sys

from lab import start


def main(words):
    programs = []
    while len(words) > 1 and words[0] == "--far":
        programs.append(shlex.split(words[1]))
        words = words[2:]
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    return start.run(words, programs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
