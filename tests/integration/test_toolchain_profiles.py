"""Profiles of toolchains: what the workspace's files choose, and what waits for the person's word."""

import json
import shutil

import pytest

from conftest import needs_root
from terminals import Terminal
from test_policy_layers import in_own_etc, organisation
from test_toolchains import needs, tarball, write

MARKS = {
    "node": ["package.json"],
    "python": ["pyproject.toml", "requirements.txt", "setup.py"],
    "rust": ["Cargo.toml"],
    "go": ["go.mod"],
    "java": ["pom.xml", "build.gradle"],
    "cpp": ["CMakeLists.txt", "Makefile"],
}


def settings(ringwall, *flags, **more):
    """The rows of `policy show` that no default says, by their keys."""
    found = {}
    for row in json.loads(ringwall("policy", "show", "--json", *flags, **more).ok()):
        if row["layer"] != "defaults":
            found.setdefault(row["key"], []).append(row)
    return found


def brought(ringwall, *flags, **more):
    """Names of what profiles bring beyond variables."""
    return sorted(set(settings(ringwall, *flags, **more)) - {"environment.set"})


def agreements(ringwall):
    return [row for row in json.loads(ringwall("trust", "--list", "--json").ok()) if "workspace" in row]


@pytest.fixture
def node(place):
    (place.work / "package.json").write_text("{}")
    (place.home / ".npm/_cacache").mkdir(parents=True)
    return place.work


@pytest.fixture
def ask(ringwall, place):
    """A run on a terminal; ANSWER is typed when the question is there. What was seen, and the status."""

    def ask(answer, *flags, command=("echo", "RAN")):
        terminal = Terminal(ringwall.command(["run", *flags, "--", *command]), cwd=place.work, env=place.environment())
        try:
            if answer is not None:
                terminal.expect(r"Agree\? \[y/N/never\] ")
                terminal.send(answer)
            status = terminal.status()
            return terminal.seen.decode(), status
        finally:
            terminal.end()

    return ask


# Recognition


@pytest.mark.parametrize("name, mark", [(name, mark) for name, marks in MARKS.items() for mark in marks])
def test_a_toolchain_is_known_by_a_file_at_the_top(ringwall, place, name, mark):
    (place.home / ".cache/ccache").mkdir(parents=True)
    (place.work / mark).write_text("")
    hint = ringwall("run", "true")
    assert hint.status == 0 and f"looks like {name}:" in hint.err, hint
    assert f"ringwall trust --workspace {place.work}" == hint.hint()
    # Once.
    assert ringwall("run", "true").ok() == ""
    assert agreements(ringwall) == []


def test_what_lies_deeper_or_is_a_folder_chooses_nothing(ringwall, place):
    (place.work / "sub").mkdir()
    (place.work / "sub/package.json").write_text("{}")
    (place.work / "Cargo.toml").mkdir()
    assert ringwall("run", "true").ok() == "" and settings(ringwall) == {}


def test_several_are_one_question(ringwall, place, node, ask):
    (place.work / "Cargo.toml").write_text("")
    seen, status = ask("y\n")
    assert "looks like node and rust" in seen and seen.count("Agree?") == 1 and status == 0
    assert agreements(ringwall)[0]["toolchains"] == {"node": "yes", "rust": "yes"}


def test_a_cache_that_is_not_there_is_nothing_to_ask_about(ringwall, place, ask):
    (place.work / "Makefile").write_text("")
    seen, status = ask(None)
    assert status == 0 and seen.strip() == "RAN"


# The person's word


def test_without_it_there_is_no_network_and_no_cache(ringwall, place, node):
    (place.home / ".npm/_cacache/mark").write_text("x")
    assert brought(ringwall) == []
    assert ringwall.sh("ls ~/.npm/_cacache").out == ""
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    assert brought(ringwall) == ["home.caches", "network.allow"]
    assert "mark" in ringwall.sh("ls ~/.npm/_cacache").out


def test_yes_is_asked_for_once(ringwall, place, node, ask):
    seen, status = ask("y\n")
    assert status == 0 and "RAN" in seen and "registry.npmjs.org:443" in seen and "npm" in seen
    assert [row["workspace"] for row in agreements(ringwall)] == [str(place.work)]
    seen, status = ask(None)
    assert status == 0 and "Agree" not in seen
    assert brought(ringwall) == ["home.caches", "network.allow"]
    # Another workspace is another question.
    other = place.home / "other"
    other.mkdir()
    (other / "package.json").write_text("{}")
    assert brought(ringwall, cwd=other) == []


@pytest.mark.parametrize("answer", ["n\n", "\n", "x\n", "\x04", "yess\n", "nevermind y\n"])
def test_no_is_not_stored(ringwall, node, ask, answer):
    seen, status = ask(answer)
    assert status == 0 and "RAN" in seen
    assert agreements(ringwall) == [] and brought(ringwall) == []
    ask("y\n")
    assert brought(ringwall) == ["home.caches", "network.allow"]


def test_never_is_not_asked_again(ringwall, place, node, ask):
    ask("never\n")
    assert agreements(ringwall)[0]["toolchains"] == {"node": "never"} and brought(ringwall) == []
    seen, status = ask(None)
    assert status == 0 and "Agree" not in seen
    assert ringwall("run", "true").ok() == ""
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    assert brought(ringwall) == ["home.caches", "network.allow"]


def test_what_was_typed_before_the_question_is_no_answer(ringwall, place, node):
    terminal = Terminal(
        ["sh", "-c", 'sleep 0.5; exec "$@"', "sh", *ringwall.command(["run", "--", "echo", "RAN"])], cwd=place.work, env=place.environment()
    )
    try:
        terminal.send("y\n")
        terminal.expect("never\\] ")
        assert terminal.process.poll() is None
        terminal.send("\n")
        assert terminal.status() == 0
    finally:
        terminal.end()
    assert agreements(ringwall) == []


def test_who_only_looks_is_not_asked(ringwall, place, node):
    for words in (["run", "--explain", "true"], ["policy", "show"], ["explain", "env", "HOME"], ["run", "--json", "true"]):
        terminal = Terminal(ringwall.command(words), cwd=place.work, env=place.environment())
        try:
            assert terminal.status() == 0 and b"Agree" not in terminal.seen, words
        finally:
            terminal.end()


def test_a_new_toolchain_is_a_new_question(ringwall, place, node, ask):
    ask("y\n")
    (place.work / "go.mod").write_text("")
    seen, _ = ask("n\n")
    assert "looks like go." in seen
    allowed = [row["value"] for row in settings(ringwall)["network.allow"]]
    assert "registry.npmjs.org:443" in allowed and "proxy.golang.org:443" not in allowed


def test_it_can_be_taken_back(ringwall, place, node):
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    assert str(place.work) in ringwall("trust", "--list").ok()
    assert "forgotten" in ringwall("trust", "--revoke", place.work).ok()
    assert brought(ringwall) == [] and agreements(ringwall) == []
    ringwall("trust", "--revoke", place.work).refused("not trusted")
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    ringwall("trust", "--revoke", "all").ok()
    assert brought(ringwall) == []


def test_trust_of_a_workspace_is_a_persons_word(ringwall, place, node):
    ringwall("trust", "--workspace", place.work).refused("no terminal", "--yes")
    ringwall("trust", "--workspace", place.work, "--yes", env={"RINGWALL_RUN": "x-1"}).refused("outside of every run")
    assert agreements(ringwall) == []
    (place.work / "package.json").unlink()
    assert "nothing to agree to" in ringwall("trust", "--workspace", place.work, "--yes").ok()


# What a repository cannot bring about


def test_a_repository_cannot_agree(ringwall, place, node):
    """Neither by its own settings, nor by files that look like the answer, nor from inside."""
    for text in ('[run]\nprofiles = ["node"]\n', '[home]\ncaches = ["npm"]\n', '[network]\nallow = ["registry.npmjs.org:443"]\n'):
        (place.work / ".ringwall.toml").write_text(text)
        ringwall("run", "true").refused(".ringwall.toml")
    (place.work / ".ringwall.toml").unlink()
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    trust = place.state / "trust"
    notes = {entry.name: entry.read_text() for entry in trust.iterdir()}
    ringwall("trust", "--revoke", place.work).ok()
    for folder in (place.work / ".local/state/ringwall/trust", place.work / "trust"):
        folder.mkdir(parents=True)
        for name, text in notes.items():
            (folder / name).write_text(text)
    assert brought(ringwall) == []
    inside = ringwall.sh(f"mkdir -p {trust} && cp trust/* {trust}/; ringwall trust --workspace . --yes; true")
    assert inside.status == 0
    assert brought(ringwall) == [] and agreements(ringwall) == []


def test_a_repository_cannot_lift_what_a_profile_sets(ringwall, place, node):
    (place.work / ".ringwall.toml").write_text('[environment]\nset = ["npm_config_ignore_scripts=false"]\n')
    ringwall("run", "true").refused("can only narrow")
    (place.work / ".ringwall.toml").write_text("[run]\nno_profile = true\n")
    ringwall("run", "true").refused("can only narrow")


def test_another_folder_at_the_same_path_is_another_workspace(ringwall, place, node):
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    place.work.rename(place.home / "moved")
    place.work.mkdir()
    (place.work / "package.json").write_text("{}")
    assert brought(ringwall) == []


def test_a_broken_note_says_nothing(ringwall, place, node):
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    (note,) = (place.state / "trust").iterdir()
    good = json.loads(note.read_text())
    broken = [b"", b"{", b"[]", b'{"workspace": 1}', json.dumps({**good, "said": {"node": "yes"}}).encode()]
    broken.append(json.dumps({**good, "said": {"node": {"answer": "yes", "sha256": "0"}}}).encode())
    broken.append(json.dumps({**good, "workspace": "/elsewhere"}).encode())
    for text in broken:
        note.write_bytes(text)
        assert brought(ringwall) == [], text
    note.write_text(json.dumps(good))
    assert brought(ringwall) == ["home.caches", "network.allow"]


@needs_root
def test_what_is_locked_is_neither_asked_about_nor_given(ringwall, place, node):
    etc = in_own_etc(organisation('lock = ["network.allow"]'))
    said = ringwall("trust", "--workspace", place.work, "--yes", prefix=etc).ok()
    assert "home.caches npm" in said and "network.allow" not in said
    shown = json.loads(ringwall("policy", "show", "--json", prefix=etc).out)
    assert {row["key"] for row in shown if row["layer"] == "profile"} == {"environment.set", "home.caches"}
    # Where nothing is locked, that was another question.
    assert brought(ringwall) == []
    both = in_own_etc(organisation('lock = ["network.allow", "home.caches"]'))
    assert "nothing to agree to" in ringwall("trust", "--workspace", place.work, "--yes", prefix=both).ok()


# Profiles by name, and without


def test_by_name_it_is_the_persons_wish(ringwall, place):
    assert brought(ringwall, "--profile", "rust") == ["home.caches", "network.allow", "run.profiles"]
    assert "github.com:443" in [row["value"] for row in settings(ringwall, "--profile", "git")["network.allow"]]


def test_without_profiles_nothing_is_set(ringwall, place, node):
    assert ringwall.sh("echo ${npm_config_ignore_scripts-unset}", "--no-profile").ok() == "unset"


def test_a_cache_in_use_or_a_fresh_home_does_not_stop_the_run(ringwall, place, node):
    ringwall("trust", "--workspace", place.work, "--yes").ok()
    first = ringwall.start("run", "--name", "first", "--", "sleep", "30")
    ringwall.wait_for_run("first")
    assert ringwall("run", "echo", "RAN").out == "RAN\n"
    ringwall("run", "--cache", "npm", "true").refused("in use by another run")
    first.terminate()
    first.communicate()
    assert ringwall("run", "--fresh", "echo", "RAN").out == "RAN\n"
    ringwall("run", "--fresh", "--cache", "npm", "true").refused("keeps nothing")


# What the defaults do


def postinstall(place):
    """A package of which an installation leaves a mark."""
    script = "node -e \"require('fs').writeFileSync(process.env.INIT_CWD + '/MARK', '')\""
    tarball(place.work / "dep.tgz", {"package.json": json.dumps({"name": "dep", "version": "1.0.0", "scripts": {"postinstall": script}})})
    write(place.work, {"package.json": '{"name": "app", "version": "1.0.0", "scripts": {"go": "echo RAN"}}'})
    return ["npm", "install", "--offline", "--no-audit", "--no-fund", "./dep.tgz"], place.work / "MARK"


def clean(place):
    shutil.rmtree(place.work / "node_modules", ignore_errors=True)
    for name in ("MARK", "package-lock.json"):
        (place.work / name).unlink(missing_ok=True)


@needs("npm")
def test_packages_run_nothing_while_they_are_installed(ringwall, bare, place):
    command, mark = postinstall(place)
    assert bare(*command).status == 0 and mark.exists(), "bare, it runs"
    clean(place)
    # No file of the project is stronger.
    (place.work / ".npmrc").write_text("ignore-scripts=false\n")
    result = ringwall("run", "--", *command, timeout=120)
    assert result.status == 0 and (place.work / "node_modules/dep").is_dir() and not mark.exists(), result
    assert "RAN" in ringwall("run", "npm", "run", "go", timeout=120).out
    clean(place)
    lifted = ringwall("run", "--set", "npm_config_ignore_scripts=false", "--", *command, timeout=120)
    assert lifted.status == 0 and mark.exists(), lifted


REGISTRY = """
import datetime, http.server, json, subprocess, sys, threading
now = datetime.datetime.now(datetime.timezone.utc)
times = {"1.0.0": now - datetime.timedelta(days=400), "2.0.0": now - datetime.timedelta(hours=1)}
class Registry(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.endswith(".tgz"):
            body = open("dep" + self.path[-9:-4] + ".tgz", "rb").read()
        else:
            base = f"http://localhost:{server.server_port}/dep"
            versions = {v: {"name": "dep", "version": v, "dist": {"tarball": f"{base}/-/{v}.tgz"}} for v in times}
            stamps = {v: t.strftime("%Y-%m-%dT%H:%M:%S.000Z") for v, t in times.items()}
            body = json.dumps({"name": "dep", "dist-tags": {"latest": "2.0.0"}, "versions": versions, "time": stamps}).encode()
        self.send_response(200); self.send_header("content-length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *a): pass
server = http.server.ThreadingHTTPServer(("localhost", 0), Registry)
threading.Thread(target=server.serve_forever, daemon=True).start()
done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", f"--registry=http://localhost:{server.server_port}/", "dep"], capture_output=True, text=True)
if done.returncode: sys.exit(done.stdout + done.stderr)
print(json.load(open("node_modules/dep/package.json"))["version"])
"""


@needs("npm")
def test_npm_waits_until_a_version_is_some_days_old(ringwall, bare, place):
    if "min-release-age =" not in bare("npm", "config", "ls", "-l").out:
        pytest.skip("this npm knows no min-release-age")
    for version in ("1.0.0", "2.0.0"):
        tarball(place.work / f"dep{version}.tgz", {"package.json": json.dumps({"name": "dep", "version": version})})
    write(place.work, {"package.json": '{"name": "app", "version": "1.0.0"}', "install.py": REGISTRY})
    command = ["/usr/bin/python3", "install.py"]
    assert bare(*command).out == "2.0.0\n", "bare, the newest"
    for flags, version in (([], "1.0.0"), (["--set", "npm_config_min_release_age=0"], "2.0.0")):
        write(place.work, {"package.json": '{"name": "app", "version": "1.0.0"}'})
        clean(place)
        result = ringwall("run", *flags, "--", *command, timeout=120)
        assert result.status == 0 and result.out == f"{version}\n", result


def test_explain_names_the_line_of_the_profile(ringwall, node):
    said = ringwall("explain", "env", "npm_config_ignore_scripts").ok()
    assert "profile node:" in said and "ringwall run --set npm_config_ignore_scripts=" in said
    shown = json.loads(ringwall("explain", "--json", "env", "npm_config_ignore_scripts").ok())
    text = ringwall("profiles", "node").ok().splitlines()
    assert shown["layer"] == "profile" and "npm_config_ignore_scripts=true" in text[shown["line"] - 1]
    lifted = ringwall("explain", "env", "npm_config_ignore_scripts", "--set", "npm_config_ignore_scripts=false").ok()
    assert "--set" in lifted and "false" in lifted
