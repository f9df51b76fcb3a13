"""One case behind one wall: a host is made, the act is run, and what came of it is said in one word.

attacks: `through` (it succeeded), `stopped`, `refused` (the wall did not start it, as the case expects)
work:    `works`, `breaks`
both:    `broken` (the act was not run at all), `hangs` (no answer in launch.PATIENCE_SECONDS), `left` (the wall left something on the host)
"""

import signal
import traceback
from dataclasses import dataclass

import host as hosts


@dataclass
class Verdict:
    word: str
    why: str = ""
    seconds: float = 0.0


def shown(done):
    """The end of what was printed, for a person who has to find out why."""
    tail = "\n".join((done.out + done.err).strip().splitlines()[-6:])
    return f"status {done.status}: {tail[-600:]}" if tail else f"status {done.status}, nothing printed"


def word_of(case, done, happened):
    if case.kind == "attacks" and happened:
        return "through"
    if not done.ended:
        return "hangs"
    if case.kind == "work":
        return "works" if happened else "breaks"
    if done.began:
        return "stopped"
    return "refused" if case.get("REFUSED") else "broken"


def judged(case, wall):
    """Runs a case behind a wall on a host of its own."""
    host = hosts.Host(wall.user())
    try:
        host.variables |= {name: host.fill_in(value) for name, value in case.get("ENVIRONMENT", {}).items()}
        case.get("prepare", lambda host: None)(host)
        host.own()
        done = wall.run(host, case)
        # Before the judge, which may look for what is still there. Who was killed cleans up at the next start.
        left = None if done.status == -signal.SIGKILL else wall.left(host)
        word = word_of(case, done, bool(case.judge(host, done)))
        if left and word not in ("through", "hangs"):
            return Verdict("left", left, done.seconds)
        return Verdict(word, shown(done), done.seconds)
    except Exception:  # a mistake in a case is that case's failure, and no other's
        return Verdict("broken", traceback.format_exc(limit=-3).strip())
    finally:
        host.close()
