"""Runs of one agent at the same time: they share its login, and nothing that would run or steer by itself (P38)."""

import fcntl
import itertools
import os
import select

import pytest
from conftest import PATIENCE_SECONDS

STORE = ("--login", "ag:.ag", "--no-undo", "--no-audit")
COPIED = ("settings.json", "agents/", "hooks/", "deep/er/steer.json")
FORGOTTEN = ("plugins/", "settings.local.json", ".env")
AGENT = (
    *STORE,
    *(word for name in COPIED for word in ("--copy", f".ag/{name}")),
    *(word for name in FORGOTTEN for word in ("--forget", f".ag/{name}")),
)
# A file in each of them.
PLACES = ("settings.json", "agents/a.md", "hooks/h", "deep/er/steer.json", "plugins/p/code", "settings.local.json", ".env")


class Going:
    """A run that goes on, and does what it is told."""

    numbers = itertools.count()

    def __init__(self, ringwall, *options):
        self.process = ringwall.start("run", *options, "--", "sh")

    def __call__(self, script):
        end = f"END{next(self.numbers)}"
        self.process.stdin.write(f"cd ~/.ag; {{ {script}\n}} 2>&1; echo; echo {end}\n".encode())
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().decode()) != f"{end}\n":
            assert line, f"it ended: {lines} {self.process.stderr.read()}"
            lines.append(line)
        return "".join(lines).strip()

    def end(self):
        out, err = self.process.communicate(b"", PATIENCE_SECONDS)
        assert self.process.returncode == 0, err


@pytest.fixture
def going(ringwall):
    started = []

    def start(*options):
        started.append(Going(ringwall, *options))
        started[-1]("true")
        return started[-1]

    yield start
    for run in started:
        if run.process.returncode is None:
            run.process.communicate(b"", PATIENCE_SECONDS)


@pytest.fixture
def settings(place):
    """The person's own."""
    folder = place.home / ".ag"
    (folder / "agents").mkdir(parents=True)
    (folder / "settings.json").write_text("PERSONS")
    (folder / "agents/mine.md").write_text("PERSONS")
    return folder


def write(word):
    made = "mkdir -p plugins/p; " + "; ".join(f"echo {word} > {name}" for name in PLACES)
    return f"{made}; echo {word} > .credentials.json"


LOOK = "; ".join(f"cat {name} 2>/dev/null" for name in PLACES)


@pytest.mark.parametrize("other_workspace", [False, True])
def test_what_one_run_writes_the_other_does_not_obey(going, ringwall, place, settings, other_workspace):
    """P38, also for a run that goes on."""
    (place.root / "other").mkdir()
    elsewhere = ("-w", str(place.root / "other")) if other_workspace else ()
    one, other = going(*AGENT), going(*AGENT, *elsewhere)
    assert one("cat settings.json agents/*") == other("cat settings.json agents/*") == "PERSONSPERSONS"
    one(write("PLANTED"))
    # The twin: it obeys its own, and the login is that of both.
    assert one(LOOK).split() == ["PLANTED"] * len(PLACES)
    assert other(LOOK) == "PERSONS"
    assert other("cat .credentials.json") == "PLANTED"
    other(write("OTHERS"))
    assert other(LOOK).split() == ["OTHERS"] * len(PLACES) and one(LOOK).split() == ["PLANTED"] * len(PLACES)
    assert one("cat .credentials.json") == "OTHERS"
    # A start beside them takes nothing from them, and has nothing of them.
    third = going(*AGENT)
    assert third(LOOK) == "PERSONS" and third("ls agents plugins hooks; cat .credentials.json").endswith("OTHERS")
    assert "PLANTED" not in third("grep -r PLANTED . ~")
    for run in (one, other, third):
        assert run("true") == ""
        run.end()
    assert ringwall("run", *AGENT, "--", "sh", "-c", "cd ~/.ag; cat .credentials.json").ok() == "OTHERS"
    assert (settings / "settings.json").read_text() == "PERSONS" and os.listdir(settings / "agents") == ["mine.md"]


# An agent saves by a new file and a rename; one that follows links does that beside what it saves.
SAVE = (
    "python3 -c 'import os, sys; file = os.path.realpath(sys.argv[1]); "
    'open(file + ".new", "w").write(sys.argv[2]); os.replace(file + ".new", file)\' '
)


def test_settings_can_be_saved_by_a_rename(going, settings):
    one, other = going(*AGENT), going(*AGENT)
    for name in ("settings.json", "settings.local.json"):
        assert one(f"{SAVE} {name} SAVED; cat {name}") == "SAVED"
        assert other(f"cat {name} 2>/dev/null") == ("PERSONS" if name == "settings.json" else "")


def test_what_is_not_there_seems_missing(going):
    """No settings at home, none inside: neither empty files nor folders where files belong."""
    run = going(*AGENT)
    assert run("for f in settings.json settings.local.json .env; do [ -e $f ] || echo none; done").split() == ["none"] * 3
    assert run("mkdir -p agents/sub plugins hooks && touch agents/sub/x && mv agents/sub plugins/ && ls plugins") == "sub"


@pytest.mark.parametrize("act", ["mv -T {new} {place}", "rm -rf {place}", "mv {place} {new}", "ln -sfT /etc {place}"])
@pytest.mark.parametrize("at", ["settings.json", "settings.local.json", "plugins", "deep", "deep/er"])
def test_no_place_can_be_taken_away(going, settings, act, at):
    """Who could would have the next thing there in common with the other run."""
    one, other = going(*AGENT), going(*AGENT)
    one(write("MINE"))
    other(f"if [ -d {at} ]; then mkdir new; else echo NEW > new; fi; {act.format(new='new', place=at)}")
    other("mkdir -p deep/er; " + write("PLANTED"))
    assert one(LOOK).split() == ["MINE"] * len(PLACES)
    third = going(*AGENT)
    assert third(LOOK) == "PERSONS"
    # The twin: what lies beside them can be moved and removed.
    assert other("mkdir -p deep/more away; mv deep/more away/ && rm -r away && echo moved") == "moved"


def test_what_lies_in_the_store_already(going, ringwall, place, settings):
    """Another profile, or Ringwall before this, may have left anything there, while others go on."""
    (place.home / "precious").mkdir()
    (place.home / "precious/keep").write_text("keep")
    one = going(*AGENT)
    one(write("MINE"))
    plant = (
        f"cd ~/.ag; rm -rf *; ln -s {place.home}/precious plugins; ln -s {place.home}/precious deep; mkdir settings.json hooks;"
        "echo PLANTED | tee settings.json/x hooks/h settings.local.json agents > .env; chmod 0 hooks .env"
    )
    ringwall("run", *STORE, "--", "sh", "-c", plant).ok()
    fresh = going(*AGENT)
    assert fresh(LOOK) == "PERSONS" and "PLANTED" not in fresh("grep -r PLANTED .")
    fresh(write("OWN"))
    assert os.listdir(place.home / "precious") == ["keep"]
    assert "PLANTED" not in one(LOOK)


def test_a_start_does_not_uncover_a_run_that_goes_on(going, ringwall, settings):
    """The places are emptied where they are: one that was replaced would take the mount over it away."""
    one = going(*AGENT)
    one(write("MINE"))
    ringwall("run", *STORE, "--", "sh", "-c", "cd ~/.ag; mkdir -p plugins/p hooks; echo x | tee plugins/p/code .env > hooks/h").ok()
    assert ringwall("run", *AGENT, "--", "sh", "-c", "cd ~/.ag; find plugins hooks -type f; [ -e .env ] || echo none").ok() == "none"
    assert one(LOOK).split() == ["MINE"] * len(PLACES)


def test_starts_at_once_wait_for_each_other(ringwall, place, settings):
    """One that replaced a place which another has made and is about to cover would uncover it."""
    ringwall("run", *AGENT, "--", "true").ok()
    store = os.open(place.state / "logins/ag", os.O_RDONLY)
    fcntl.flock(store, fcntl.LOCK_EX)
    late = ringwall.start("run", *AGENT, "--", "echo", "up")
    # The twin: who has another store does not wait.
    ringwall("run", "--login", "other:.other", "--forget", ".other/x", "--", "true").ok()
    assert not select.select([late.stdout], [], [], 1)[0]
    os.close(store)
    assert late.communicate(timeout=PATIENCE_SECONDS)[0] == b"up\n"


def test_the_real_home_says_what_is_a_folder(going, place):
    folder = place.home / ".ag"
    (folder / "rules.d").mkdir(parents=True)
    (folder / "rules.d/one").write_text("ONE")
    (folder / "rc").write_text("RC")
    run = going(*STORE, "--copy", ".ag/rules.d", "--copy", ".ag/rc", "--copy", ".ag/none", "--forget", ".ag/cache.d/")
    assert run("cat rules.d/one rc; touch rules.d/x none/y cache.d/z && echo ok") == "ONERCok"


def test_what_was_granted_by_name_is_the_real_one(going, settings):
    run = going(*AGENT, "--rw", str(settings / "agents"), "--ro", str(settings / "settings.json"))
    run("echo CHANGED > agents/mine.md; echo CHANGED > settings.json")
    assert (settings / "agents/mine.md").read_text() == "CHANGED\n"
    assert run("cat settings.json") == "PERSONS" == (settings / "settings.json").read_text()


def test_members_of_a_shared_file_are_shared(going, ringwall, place):
    """A limit: a file that holds state and settings is one for all runs; the next start removes the settings."""
    options = (*STORE, "--forget", ".ag/state.json#servers")
    one, other = going(*options), going(*options)
    one("""echo '{"servers": 1, "n": 2}' > state.json""")
    assert "servers" in other("cat state.json")
    assert ringwall("run", *options, "--", "sh", "-c", "cat ~/.ag/state.json").ok() == '{"n":2}'


def test_what_it_is_told_as(ringwall, place, settings):
    shown = ringwall("run", *AGENT, "--explain", "--", "true").ok()
    row = shown.split(f"  {place.home}/.ag/settings.json")[1].split(f"  {place.home}")[0]
    assert "own file" in row and "copy of the real home's (1 file)" in row
    assert "own folder" in shown and "empty at each start" in shown and ".ringwall-own" not in shown
    may = lambda act, name: ringwall("explain", *AGENT, act, f"{place.home}/.ag/{name}").out.split(":")[0]  # noqa: E731
    assert [may("write", name) for name in ("settings.json", "settings.local.json", "agents/a.md")] == ["yes"] * 3
    assert [may("read", name) for name in ("settings.json", "agents/mine.md")] == ["yes"] * 2
    assert [may("read", name) for name in ("settings.local.json", "agents/none.md", ".env")] == ["no"] * 3
    assert not (place.state / "logins").exists()


def test_such_a_run_can_be_verified(going, ringwall, settings):
    run = going(*AGENT, "--name", "own-places")
    run(write("MINE"))
    ringwall("verify", "own-places", timeout=300).ok()
