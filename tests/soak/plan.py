"""What each run of the soak is and how it ends, by the seed and its number alone."""

import dataclasses
import random

# Each ends only with its sandbox: signals that can be ignored are ignored from the start.
CHILDREN = {
    "ignores": "sleep 99 &",
    "leaves": "setsid sleep 99 &",
    "stops": "sh -c 'kill -STOP $$; sleep 99' &",
    "forks": "sh -c 'while :; do sleep 0.02; done' &",
    "orphans": "(setsid sh -c 'while :; do sleep 0.02 & wait; done' &)",
    "writes": "sh -c 'while :; do echo 0123456789; sleep 0.005; done' &",
}
IGNORE = "trap '' HUP INT QUIT TERM TSTP USR1 USR2 PIPE;"

WITHOUT_TERMINAL = ("front end", "pid 1")
WITH_TERMINAL = ("front end", "supervisor", "relay", "pid 1", "terminal")
DETACHED = ("supervisor", "relay", "pid 1")
ATTACHED = ("viewer", "supervisor", "relay", "pid 1", "terminal")
KINDS = {"pipes": WITHOUT_TERMINAL, "terminal": WITH_TERMINAL, "detached": DETACHED}
KINDS |= {"attached": ATTACHED, "watched": DETACHED, "left again": DETACHED, "joined": DETACHED}
WEIGHTS = {"pipes": 50, "terminal": 30, "detached": 5, "attached": 6, "watched": 3, "left again": 3, "joined": 3}
SIGNALS = ("KILL",) * 6 + ("TERM", "HUP", "INT", "QUIT")
LATEST = 0.080  # seconds; a start takes 10 to 30 milliseconds
NORMAL = 0.15  # so many end by themselves


@dataclasses.dataclass
class Plan:
    number: int
    kind: str
    victim: str  # "nobody": it ends by itself
    signal: str
    delay: float
    children: list
    status: int
    registry: bool  # in a runtime folder, or in shared memory
    own_group: bool  # the caller is a shell with job control

    def script(self):
        parts = [IGNORE] + [CHILDREN[name] for name in self.children]
        parts.append(f"sleep {self.delay:.3f}; exit {self.status}" if self.victim == "nobody" else "exec sleep 99")
        return "\n".join(parts)

    def must_end(self):
        """False if the signal may be ignored, or is for the command, which ignores it."""
        ends = {"front end": ("KILL", "TERM", "HUP"), "supervisor": ("KILL", "TERM", "HUP")}
        ends["viewer"] = ends["front end"]
        return self.victim == "terminal" or self.signal in ends.get(self.victim, ("KILL",))

    def describe(self):
        act = f"{self.victim} ends" if self.victim == "terminal" else f"SIG{self.signal} for {self.victim}"
        if self.victim == "nobody":
            act = f"ends by itself with {self.status}"
        return f"run {self.number} ({self.kind}; {'+'.join(self.children)}): {act} after {self.delay * 1000:.0f} ms"


def make_plan(seed, number):
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    nobody = kind in ("pipes", "terminal") and rng.random() < NORMAL
    return Plan(
        number=number,
        kind=kind,
        victim="nobody" if nobody else rng.choice(KINDS[kind]),
        signal=rng.choice(SIGNALS),
        delay=rng.uniform(0, LATEST),
        children=sorted(rng.sample(sorted(CHILDREN), rng.randint(1, 3))),
        status=rng.randint(0, 99),
        registry=rng.random() < 0.75,
        own_group=rng.random() < 0.5,
    )
