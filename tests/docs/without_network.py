#!/usr/bin/python3 -B
"""Runs a command where there is loopback and no other network: a page's command reaches nobody by mistake.

without_network.py COMMAND ARGS...
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "network"))

from lab import namespaces  # noqa: E402, from the suite beside this one

if __name__ == "__main__":
    namespaces.become_builder()
    namespaces.own_network()
    namespaces.ip("link set lo up")
    os.execvp(sys.argv[1], sys.argv[1:])
