"""Measures one `network-*` row. Runs on the host side of the tests' network; see row_network.py.

The server is named in the host's own list of names: a resolver's time is not ours.
"""

import contextlib
import dataclasses
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import types

import measure
import processes
from report import CannotMeasure, Row

SERVER = "listed.rwlab.net"
ADDRESS = "93.184.216.10"
PORT, HTTP_PORT, RELAY_PORT = 9100, 8088, 9101
HTTP_FILE = "site/big"
STREAM_BYTES = 1_000_000_000
HTTP_BYTES = 256 << 20
CONNECTIONS = 1_000
SETTLE_SECONDS = 0.5
PATIENCE_SECONDS = 20
MS = measure.MS


class Side:
    """The programs, bare and behind the wall."""

    def __init__(self, order):
        self.__dict__.update(order)
        os.chdir(self.workspace)

    def inside(self, *words, grant=PORT):
        return [self.binary, "run", "--allow", f"{SERVER}:{grant}", "--", *words]

    def output(self, argv):
        done = subprocess.run(
            argv, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CannotMeasure(f"{' '.join(argv)} gave {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    @contextlib.contextmanager
    def splice_relay(self, port=PORT):
        words = ["./splice_relay", str(RELAY_PORT), ADDRESS, str(port)]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as relay:
            if relay.stdout.readline() != b"up\n":
                raise CannotMeasure("the yardstick did not start")
            try:
                yield
            finally:
                relay.kill()


def wait_for(port):
    """Until the server answers there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return socket.create_connection((ADDRESS, port), 1).close()
        except OSError:
            if time.monotonic() > end:
                raise CannotMeasure(f"nobody listens on {port}") from None
            time.sleep(0.05)


def described(result):
    medians = ", ".join(f"{name} {ms:.0f} ms" for name, ms in result["median_ms"].items())
    low, high = result["quartiles"]
    return f"{medians}, half of the rounds {low:.3f} to {high:.3f}"


def stream(side):
    """A long stream against the least that a relay can do, and against none."""

    def nanoseconds(argv):
        return int(side.output(argv).split()[3])

    def fetch(host, port):
        return ["./stream", "fetch", host, str(port), str(STREAM_BYTES)]

    with side.splice_relay():
        times = measure.take_turns(
            {
                "ringwall": lambda: nanoseconds(side.inside(*fetch(SERVER, PORT))),
                "splice relay": lambda: nanoseconds(fetch("127.0.0.1", RELAY_PORT)),
                "direct": lambda: nanoseconds(fetch(SERVER, PORT)),
            },
            side.work_rounds,
            1,
        )
    result = measure.compare(times, "ringwall", "splice relay")
    result["of_direct"] = measure.compare(times, "direct", "ringwall")["ratio"]
    measured = f"{described(result)}; {result['of_direct']:.2f} of direct"
    return measured, result["ratio"], 1 / 0.95, "x", result


def http(side):
    """A file of 256 MB from Python's own HTTP server; the minimal relay is there for comparison."""

    def fetch(host):
        words = ["curl", "-sS", "-o", "/dev/null", "-w", "%{size_download} %{time_total}"]
        return [*words, f"http://{host}/big"]

    def nanoseconds(argv):
        size, seconds = side.output(argv).split()
        if int(size) != HTTP_BYTES:
            raise CannotMeasure(f"{size} bytes came")
        return float(seconds) * 1e9

    wait_for(HTTP_PORT)
    with side.splice_relay(HTTP_PORT):
        times = measure.take_turns(
            {
                "ringwall": lambda: nanoseconds(
                    side.inside(*fetch(f"{SERVER}:{HTTP_PORT}"), grant=HTTP_PORT)
                ),
                "splice relay": lambda: nanoseconds(fetch(f"127.0.0.1:{RELAY_PORT}")),
                "direct": lambda: nanoseconds(fetch(f"{SERVER}:{HTTP_PORT}")),
            },
            side.work_rounds,
            1,
        )
    result = measure.compare(times, "ringwall", "direct")
    result["relay_of_direct"] = measure.compare(times, "splice relay", "direct")["ratio"]
    measured = f"{described(result)}; splice relay {result['relay_of_direct']:.2f}"
    return measured, result["ratio"], 1 / 0.9, "x", result


def connect(side):
    """A new connection and a byte there and back, what the wall adds."""
    words = ["./stream", "connect", SERVER, str(PORT), str(CONNECTIONS)]

    def median(argv):
        return statistics.median(map(int, side.output(argv).split()))

    with side.splice_relay():
        relayed = ["./stream", "connect", "127.0.0.1", str(RELAY_PORT), str(CONNECTIONS)]
        times = measure.take_turns(
            {
                "ringwall": lambda: median(side.inside(*words)),
                "splice relay": lambda: median(relayed),
                "direct": lambda: median(words),
            },
            side.work_rounds,
            1,
        )
    added = [(a - b) / MS for a, b in zip(times["ringwall"], times["direct"])]
    medians = {name: statistics.median(values) / MS for name, values in times.items()}
    measured = ", ".join(f"{name} {value:.3f} ms" for name, value in medians.items())
    return measured, statistics.median(added), 0.3, "ms", {"median_ms": medians}


def series(side):
    """10,000 connections one after another."""
    count = 10_000
    begin = time.monotonic()
    said = side.output(side.inside("./stream", "connect", SERVER, str(PORT), str(count)))
    seconds = time.monotonic() - begin
    measured = f"{count} one after another in {seconds:.1f} s"
    return measured, count - len(said.split()), 0, "lost", {"seconds": seconds}


def many(side):
    """1,000 connections at once, with bytes of their own on each."""
    size = 3_000
    argv = side.inside("./stream", "many", SERVER, str(PORT), str(CONNECTIONS), str(size))
    begin = time.monotonic()
    wrong = int(side.output(argv).split()[1])
    seconds = time.monotonic() - begin
    measured = f"{CONNECTIONS} at once, {size} bytes each way on each, in {seconds:.1f} s"
    return measured, wrong, 0, "wrong", {"seconds": seconds}


def outside_kb(side, count):
    """What our processes outside hold while so many connections are idle."""
    with open(side.log, "wb") as log:
        run = subprocess.Popen(
            side.inside("./stream", "hold", SERVER, str(PORT), str(count)),
            env=side.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    with run:
        try:
            if run.stdout.readline() != f"up {count}\n".encode():
                with open(side.log, encoding="utf-8", errors="replace") as log:
                    raise CannotMeasure(log.read().strip())
            time.sleep(SETTLE_SECONDS)
            mine = [p for p in processes.descendants(os.getpid()) if not p.inside and p.state != "Z"]
            return sum(process.anonymous_kb for process in mine)
        finally:
            run.stdin.close()


def idle(side):
    few, more = outside_kb(side, 1), outside_kb(side, CONNECTIONS + 1)
    value = (more - few) / CONNECTIONS
    measured = f"memory outside {few / 1024:.2f} MB with 1, {more / 1024:.2f} MB with {CONNECTIONS + 1}"
    return measured, value, 4, "KB", {"few_kb": few, "more_kb": more}


def start(side):
    """A run with the wall against one without."""

    def timer(argv):
        return lambda: measure.time_program(argv, side.env, side.log)

    sides = {
        "with": timer(side.inside("/bin/true")),
        "without": timer([side.binary, "run", "--", "/bin/true"]),
    }
    times = measure.take_turns(sides, side.rounds, 5)
    added = [(a - b) / MS for a, b in zip(times["with"], times["without"])]
    result = measure.compare(times, "with", "without")
    medians = ", ".join(f"{name} {ms:.2f} ms" for name, ms in result["median_ms"].items())
    return medians, statistics.median(added), 1.5, "ms", result


ROWS = types.MappingProxyType(
    {
        "network-stream": stream,
        "network-http": http,
        "network-connect": connect,
        "network-series": series,
        "network-many": many,
        "network-idle": idle,
        "network-start": start,
    }
)


def main():
    order = json.loads(sys.argv[1])
    processes.adopt_orphans()
    try:
        measured, value, ceiling, unit, details = ROWS[order["row"]](Side(order))
    except CannotMeasure as error:
        sys.exit(str(error))
    row = Row(order["row"], measured, value, ceiling, unit, details)
    print(json.dumps(dataclasses.asdict(row)))


if __name__ == "__main__":
    main()
