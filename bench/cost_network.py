"""Rows of the comparison's cost: a new connection, and a long stream, over HTTP, which every wall has some way for."""

import contextlib
import shlex
import statistics

import network_side
from cost_sides import Workspace, output, rounds_of, row_of, take_turns
from report import CannotMeasure

SERVER, PORT = network_side.SERVER, network_side.HTTP_PORT
REQUESTS = 40
BYTES = 256 << 20
SMALL, BIG = "small", "big"


@contextlib.contextmanager
def site(disk):
    """The files, and the command that serves them on the far side of the lab."""
    folder = disk / "site"
    folder.mkdir(exist_ok=True)
    (folder / SMALL).write_text("small\n", encoding="utf-8")
    with open(folder / BIG, "wb") as big:
        for _ in range(BYTES >> 20):
            big.write(bytes(range(256)) * 4096)
    folder.chmod(0o755)
    yield f"/usr/bin/python3 -m http.server {PORT} --directory {shlex.quote(str(folder))}"


def sides_of(name, options, script):
    here = Workspace(name, options, hosts=[f"{SERVER}:{PORT}"])
    network_side.wait_for(PORT)
    return here, here.commands(["/bin/sh", "-c", script])


def connect(name, options):
    url = f"http://{SERVER}:{PORT}/{SMALL}"
    ask = f"curl -sS -o /dev/null -w '%{{http_code}} %{{time_total}}\\n' {url}"
    here, commands = sides_of(name, options, f"n=0; while [ $n -lt {REQUESTS} ]; do {ask}; n=$((n+1)); done")

    def median(argv):
        def spend():
            lines = [line.split() for line in output(argv, here.env).splitlines()]
            if len(lines) != REQUESTS or any(line[0] != "200" for line in lines):
                raise CannotMeasure(f"answers: {lines[:3]}")
            return statistics.median(float(line[1]) for line in lines) * 1e3

        return spend

    times, reasons = take_turns({side: median(argv) for side, argv in commands.items()}, rounds_of(options, 7))
    says = f"a new connection with one small request and its answer, median of {REQUESTS}"
    return row_of(name, "connection", says, "ms", times, reasons)


def stream(name, options):
    url = f"http://{SERVER}:{PORT}/{BIG}"
    here, commands = sides_of(name, options, f"curl -sS -o /dev/null -w '%{{size_download}} %{{time_total}}' {url}")

    def rate(argv):
        def spend():
            size, seconds = output(argv, here.env).split()
            if int(size) != BYTES:
                raise CannotMeasure(f"{size} bytes came")
            return BYTES / float(seconds) / 1e6

        return spend

    times, reasons = take_turns({side: rate(argv) for side, argv in commands.items()}, rounds_of(options, 5))
    return row_of(name, "throughput", "256 MB over HTTP", "MB/s", times, reasons, more_is_better=True)


ROWS = {"connect": connect, "stream": stream}
