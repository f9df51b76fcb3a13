"""Rows `network-*`: what the network wall costs, in a network of its own with real servers.

The network is the one of the tests (tests/network/lab); what is measured in it, and how, stands in
network_side.py, which runs on its host side.
"""

import json
import pathlib
import shlex
import shutil
import subprocess
import sys

import network_side
from report import CannotMeasure, Row

NAMES = list(network_side.ROWS)
HERE = pathlib.Path(__file__).resolve().parent
IN_LAB = HERE.parent / "tests" / "network" / "in_lab.py"


def build(folder):
    """The programs at both ends, and the yardstick in between."""
    for name in ("stream", "splice_relay"):
        source = HERE / f"{name}.c"
        subprocess.run(["cc", "-O2", "-o", folder / name, source, "-lpthread"], check=True)


def site(workspace):
    """A big file, and the command that serves it."""
    file = workspace / network_side.HTTP_FILE
    file.parent.mkdir()
    block = bytes(range(256)) * 4096
    with open(file, "wb") as big:
        for _ in range(network_side.HTTP_BYTES // len(block)):
            big.write(block)
    port, folder = network_side.HTTP_PORT, shlex.quote(str(file.parent))
    return f"/usr/bin/python3 -m http.server {port} --directory {folder}"


def row(name, place, options):
    workspace = place.workspace(name)
    build(workspace)
    order = {
        "row": name,
        "binary": place.binary,
        "workspace": str(workspace),
        "log": place.log,
        "env": place.env,
        "rounds": options.rounds,
        "work_rounds": options.work_rounds,
    }
    servers = [f"{workspace}/stream serve {network_side.PORT}"]
    if name == "network-http":
        servers.append(site(workspace))
    far = [word for server in servers for word in ("--far", server)]
    side = [sys.executable, "-B", HERE / "network_side.py", json.dumps(order)]
    done = subprocess.run(
        [sys.executable, "-B", IN_LAB, *far, *side],
        env=place.env,
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CannotMeasure(f"{done.stdout}{done.stderr}".strip())
    shutil.rmtree(workspace)
    return Row(**json.loads(done.stdout))
