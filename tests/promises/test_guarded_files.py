"""P10 and P11: what runs outside later cannot be planted, and secrets of the workspace stay hidden."""

import os
import shutil
import subprocess
import time

import layers
import pytest
import sandbox_run

KEY = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n"
THERE = {
    ".git/config": "[core]\n\tbare = false\n",
    ".git/hooks/pre-commit": "#!/bin/sh\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".vscode/tasks.json": "{}\n",
    "sub/.envrc": "# nothing\n",
}
PROTECTED = [name for name in THERE if not name.endswith("HEAD")]
HIDDEN = {".env": "KEY=MC4CAQAwBQ\n", "sub/deploy.pem": KEY}
ABSENT = (".mcp.json", ".claude/settings.json", ".cursor/mcp.json", ".git/commondir", "sub/.npmrc", ".idea/x", ".ringwall.toml")

CHANGES = {
    "write": "echo planted >>$f",
    "replace": "echo planted >fresh; mv -f fresh $f",
    "remove": "rm -f $f; test ! -e $f",
    "rename": "mv $f away",
    "rename its folder": "mv $(dirname $f) away",
    "exchange its folder": "/usr/bin/python3 -c 'import ctypes, os, sys; os.mkdir(\"other\"); sys.exit(-ctypes.CDLL(None).renameat2(-100, os.path.dirname(sys.argv[1]).encode(), -100, b\"other\", 2))' $f",
    "hard link and write": "ln $f link && echo planted >>link",
}
READS = {
    "read": "cat $f",
    "open up and read": "chmod 600 $f; cat $f",
    "rename and read": "mv $f seen; cat seen",
    "link and read": "ln $f link; cat link",
    "its folder renamed": "mv $(dirname $f) away; cat away/*",
}
PLANTS = {
    "a file": "mkdir -p $(dirname $f); echo planted >$f",
    "a hard link": "mkdir -p $(dirname $f); echo planted >x; ln x $f",
    "a link": "mkdir -p $(dirname $f); echo planted >x; ln -s $PWD/x $f",
    "a rename": "mkdir -p $(dirname $f); echo planted >x; mv x $f",
    "a folder renamed into place": "mkdir -p new/$(dirname $f); echo planted >new/$f; mv new/$f $f || mv new/$(dirname $f) $(dirname $f)",
}


class Workspace:
    def __init__(self, path):
        self.path = path
        self.facts = {}

    def furnish(self):
        shutil.rmtree(self.path, ignore_errors=True)
        for name, text in {**THERE, **HIDDEN}.items():
            os.makedirs(os.path.dirname(os.path.join(self.path, name)), exist_ok=True)
            with open(os.path.join(self.path, name), "w") as file:
                file.write(text)
        os.makedirs(os.path.join(self.path, ".git/objects"))
        os.makedirs(os.path.join(self.path, ".git/refs"))

    def is_changed(self):
        return [name for name in PROTECTED if self.read(name) != THERE[name]]

    def has(self, name):
        return os.path.lexists(os.path.join(self.path, name))

    def read(self, name):
        try:
            with open(os.path.join(self.path, name)) as file:
                return file.read()
        except OSError as error:
            return error


@pytest.fixture
def workspace(outside, tmp_path):
    made = Workspace(os.path.join(os.path.dirname(outside.workspace), "guarded"))  # watched by no other run
    made.furnish()
    yield made
    shutil.rmtree(made.path)


def run(outside, workspace, script, name, take_away=(), bare=False, flags=()):
    environment = outside.environment()
    program = sandbox_run.RINGWALL
    if take_away:
        environment["RINGWALL_TAKE_AWAY"] = ",".join(take_away)
        program = sandbox_run.MUTANT
    command = ["sh", "-c", f"f={name}; {script}"]
    words = command if bare else [program, "run", "-w", workspace.path, *flags, "--", *command]
    return subprocess.run(words, cwd=workspace.path, env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("act", CHANGES)
@pytest.mark.parametrize("name", PROTECTED)
def test_P10_what_was_there_stays(outside, workspace, name, act):
    run(outside, workspace, CHANGES[act], name)
    assert not workspace.is_changed()
    workspace.furnish()
    # Hidden files pin the folders above them too.
    run(outside, workspace, CHANGES[act], name, take_away=("protected-files", "plant-watch", "hidden-files"))
    assert workspace.is_changed()
    workspace.furnish()
    run(outside, workspace, CHANGES[act], name, bare=True)
    assert workspace.is_changed()


@pytest.mark.parametrize("act", PLANTS)
@pytest.mark.parametrize("name", ABSENT)
def test_P10_what_is_absent_cannot_be_planted(outside, workspace, name, act):
    result = run(outside, workspace, PLANTS[act], name)
    assert not workspace.has(name) and not workspace.is_changed()
    assert "took away" in result.stderr and "ringwall quarantine restore" in result.stderr
    run(outside, workspace, PLANTS[act], name, take_away=("plant-watch",))
    assert workspace.has(name)
    workspace.furnish()
    run(outside, workspace, PLANTS[act], name, bare=True)
    assert workspace.has(name)


@pytest.mark.parametrize("act", [*CHANGES, *PLANTS])
def test_P10_nothing_comes_out_of_a_review(outside, workspace, act):
    """The view inside changes, the real files do not, with the watch taken away too."""
    name = PROTECTED[0] if act in CHANGES else ABSENT[0]
    script = {**CHANGES, **PLANTS}[act] + "; ls -la $f; head -c 100 $f .git/config"

    def changed():
        return workspace.is_changed() or workspace.has(ABSENT[0])

    result = run(outside, workspace, script, name, flags=("--review",))
    assert not changed(), result
    run(outside, workspace, script, name, flags=("--review",), take_away=("plant-watch",))
    assert not changed()
    run(outside, workspace, script, name, flags=("--review",), take_away=("plant-watch", "review-layer"))
    # A real folder cannot be renamed in a view of it, and nothing else is there to be exchanged.
    assert changed() or "its folder" in act


@pytest.mark.parametrize("act", READS)
@pytest.mark.parametrize("name", HIDDEN)
def test_P11_secrets_stay_hidden_under_review(outside, workspace, name, act):
    result = run(outside, workspace, READS[act], name, flags=("--review",))
    assert "MC4CAQAwBQ" not in result.stdout, result
    result = run(outside, workspace, READS[act], name, flags=("--review",), take_away=("hidden-files",))
    assert "MC4CAQAwBQ" in result.stdout or "its folder" in act or "link" in act, result


@pytest.mark.alone
def test_P10_is_caught_in_time(outside, workspace):
    """Seen from outside, while the run goes on."""
    script = "while :; do echo planted >$f; sleep 0.05; done"
    process = subprocess.Popen(
        [sandbox_run.RINGWALL, "run", "-w", workspace.path, "--", "sh", "-c", f"f=.mcp.json; {script}"],
        cwd=workspace.path, env=outside.environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )
    try:
        longest, since, end = 0.0, None, time.monotonic() + 1.0
        while (now := time.monotonic()) < end:
            since = (since or now) if workspace.has(".mcp.json") else None
            longest = max(longest, now - since if since else 0.0)
            time.sleep(0.0005)
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=120)
    assert b"took away" in errors
    assert longest < 0.05 and not workspace.has(".mcp.json")


@pytest.mark.parametrize("name, act", [(name, act) for name in HIDDEN for act in READS if act != "its folder renamed" or "/" in name])
def test_P11_secrets_stay_hidden(outside, workspace, name, act):
    result = run(outside, workspace, READS[act], name)
    assert "MC4CAQAwBQ" not in result.stdout + result.stderr
    assert workspace.read(name) == HIDDEN[name]
    result = run(outside, workspace, READS[act], name, take_away=("hidden-files", "protected-files"))
    assert "MC4CAQAwBQ" in result.stdout
    workspace.furnish()
    assert "MC4CAQAwBQ" in run(outside, workspace, READS[act], name, bare=True).stdout


# What goes on working.


def test_P10_P11_allowed_by_the_person(outside, workspace):
    result = run(outside, workspace, "cat $f && echo mine >.mcp.json && cat .mcp.json", ".env", flags=("--show", ".env", "--unprotect", ".mcp.json"))
    assert result.stdout == HIDDEN[".env"] + "mine\n", result
    assert workspace.read(".mcp.json") == "mine\n"


def test_P10_ordinary_work_is_not_disturbed(outside, workspace):
    script = "mkdir -p a/b && echo x >a/b/c && mv a d && ln d/b/c e && mv d/b/c . && ln -s c l && cat c e l && echo y >sub/new && mv sub/new . && rm -r d"
    result = run(outside, workspace, script, "")
    assert (result.returncode, result.stdout, result.stderr.count("took away")) == (0, "x\n" * 3, 0), result


def test_P10_git_makes_repositories_inside(outside, workspace):
    script = "git init -q new && cd new && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git clone -q . ../copy && git log --oneline | wc -l && ls .git/hooks | grep -vc sample"
    result = run(outside, workspace, script, "")
    assert result.stdout == "1\n0\n" and "took away" not in result.stderr, result
    assert workspace.has("new/.git/config") and workspace.has("copy/.git/config")


def test_P10_the_persons_own_hooks_and_settings_stay(outside, workspace):
    """They lie there at the start, and are not taken for planted ones."""
    assert run(outside, workspace, "true", "").stderr.count("took away") == 0
    assert not workspace.is_changed()
