"""What happened at the lab's servers: one line of JSON for each thing, in one file."""

import json
import os
import time


class Journal:
    def __init__(self, path):
        self.path = str(path)
        # O_APPEND: servers are processes of their own, and a short write is not cut in two.
        self.descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, server, **facts):
        line = json.dumps({"server": server, "time": time.time(), **facts}) + "\n"
        os.write(self.descriptor, line.encode())


class Reader:
    """Reads on from where it stood."""

    def __init__(self, path):
        self.path = path
        self.place = 0
        self.forget()

    def forget(self):
        """What was written until now does not count."""
        with open(self.path, "rb") as file:
            file.seek(self.place)
            # A line that is just being written is cut where a page of the file ends: it still counts.
            self.place += file.read().rfind(b"\n") + 1

    def entries(self, server=None, **facts):
        """Everything since the last forget() that has these facts."""
        with open(self.path, "rb") as file:
            file.seek(self.place)
            lines = file.read().split(b"\n")[:-1]
        found = [json.loads(line) for line in lines]
        wanted = {**facts, **({"server": server} if server else {})}
        return [e for e in found if all(e.get(name) == value for name, value in wanted.items())]

    def wait_for(self, server, seconds=60, **facts):
        """The first such entry; it must come in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.entries(server, **facts):
                return found[0]
            time.sleep(0.005)
        raise AssertionError(f"{server} never saw {facts}; it saw {self.entries(server)}")
