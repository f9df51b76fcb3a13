"""What explain says is what a run finds."""

import json
import subprocess

import pytest

TRY = r"""
import json, os, sys
def read(path):
    if os.path.isdir(path):
        os.listdir(path)
    else:
        open(path, "rb").read(1)
def write(path):
    if os.path.isdir(path):
        name = os.path.join(path, "made-by-the-test")
        open(name, "wb").close()
        os.unlink(name)
    else:
        there = os.path.exists(path)
        folder = os.path.dirname(path)
        is_new = path.startswith(os.getcwd()) and not os.path.lexists(folder)
        if is_new:
            os.makedirs(folder)
        open(path, "ab").close()
        if not there:
            os.unlink(path)
        if is_new:
            os.rmdir(folder)
out = {}
for path in json.loads(sys.argv[1]):
    for act in (read, write):
        try:
            act(path)
            out[act.__name__ + " " + path] = True
        except OSError:
            out[act.__name__ + " " + path] = False
print(json.dumps(out))
"""


def ask(ringwall, question, subject, *flags, **more):
    result = ringwall("explain", question, subject, "--json", *flags, **more)
    assert result.err == "", result
    answer = json.loads(result.out)
    assert result.status == (0 if answer["answer"] == "yes" else 1), result
    return answer


@pytest.fixture
def workspace(place):
    work = place.work
    (work / ".git/hooks").mkdir(parents=True)
    (work / ".git/objects").mkdir()
    (work / ".git/refs").mkdir()
    (work / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (work / ".git/config").write_text("[core]\n")
    (work / ".vscode").mkdir()
    (work / ".vscode/tasks.json").write_text("{}")
    (work / ".env").write_text("PASSWORD=x")
    (work / "notes").mkdir()
    (work / "notes/plan").write_text("x")
    (work / "src").mkdir()
    (work / "src/main.c").write_text("x")
    (work / "closed-folder").mkdir()
    (work / "closed-folder").chmod(0o500)
    (work / "closed").write_text("x")
    (work / "closed").chmod(0o400)
    (work / "unreadable").write_text("x")
    (work / "unreadable").chmod(0)
    (work / "to-env").symlink_to(".env")
    (work / "to-home").symlink_to(place.home / "private")
    (work / "round").symlink_to("round")
    (work / "to-tool").symlink_to("/usr/bin/env")
    for name in ("private", "shown", "shared"):
        (place.home / name).mkdir()
        (place.home / name / "file").write_text("x")
    return work


def asked_paths(home, work):
    return [
        work,
        work / "src/main.c",
        work / "src/new.c",
        work / "src/none/new.c",
        work / "one/two/new.c",
        work / "src/main.c/new.c",
        work / "closed-folder/none/new.c",
        work / "odd [name] {x} \\ 'q'/new.c",
        work / ".env",
        work / "to-env",
        work / "to-home/file",
        work / "to-tool",
        work / "round",
        work / "closed",
        work / "unreadable",
        work / "notes/plan",
        work / ".git/hooks",
        work / ".git/config",
        work / ".git/HEAD",
        work / ".vscode/tasks.json",
        work.parent / "project/../project/src/main.c",
        home / "private/file",
        home / "shown/file",
        home / "shared/file",
        home / "shared/new",
        home / "anything",
        "/usr/bin/env",
        "/bin/sh",
        "/etc/passwd",
        "/etc/shadow",
        "/etc/machine-id",
        "/tmp/new",
        "/var/tmp/new",
        "/dev/null",
        "/dev/shm/new",
        "/run",
        "/",
        "/proc/sys/kernel/hostname",
        "/proc/1/environ",
        "/proc/1/maps",
        "/proc/1/fd",
        "/proc/1/status",
        "/proc/1/cmdline",
        "/proc/1/task/1/environ",
        "/proc/self/environ",
        "/proc/kmsg",
        "/proc/not-there",
        "/proc/meminfo",
        "/usr/bin/not-there",
        "/nowhere/at/all",
    ]


def test_its_answers_are_what_a_run_finds(ringwall, place, workspace):
    home, work = place.home, place.work
    flags = ["--ro", home / "shown", "--rw", home / "shared", "--hide", "notes/", "--protect", "*.lock"]
    paths = asked_paths(home, work)
    paths = [str(path) for path in paths]
    result = ringwall("run", *flags, "--", "/usr/bin/python3", "-c", TRY, json.dumps(paths))
    found = json.loads(result.out)
    said = {}
    for path in paths:
        for act in ("read", "write"):
            said[f"{act} {path}"] = ask(ringwall, act, path, *flags)["answer"] == "yes"
    assert said == found


def test_a_name_that_is_protected_before_it_is_there(ringwall, place):
    answer = ask(ringwall, "write", ".envrc")
    assert answer["answer"] == "protected" and "--unprotect .envrc" in answer["change"]
    ringwall.sh("echo x > .envrc; sleep 0.3")
    assert not (place.work / ".envrc").exists()
    assert ask(ringwall, "write", ".envrc", "--unprotect", ".envrc")["answer"] == "yes"


@pytest.mark.parametrize(
    "act, subject, answer, flag",
    [
        ("read", ".env", "hidden", "--show /.env"),
        ("read", "notes/plan", "yes", "--hide /notes/plan"),
        ("write", "src/main.c", "yes", "--protect /src/main.c"),
        ("write", ".git/hooks/pre-commit", "protected", "--unprotect GIT/hooks/"),
        ("write", "new/.vscode/tasks.json", "protected", "--unprotect .vscode/"),
        ("write", "one/two/new.c", "yes", "--protect /one/two/new.c"),
        ("read", "~/private/file", "no", "--ro "),
        ("read", "~/private/../private/./file", "no", "--ro "),
        ("write", "~/private/file", "no", "--rw "),
    ],
)
def test_the_command_that_would_change_it_does(ringwall, place, workspace, act, subject, answer, flag):
    told = ask(ringwall, act, subject)
    assert told["answer"] == answer
    assert told["change"].startswith(f"ringwall run {flag}")
    words = told["change"].split()[2:-1]
    assert (ask(ringwall, act, subject, *words)["answer"] == "yes") != (answer == "yes")


def flags_of(change):
    """What a shell makes of the command that was told."""
    words = change.removeprefix("ringwall run ").removesuffix(" …")
    out = subprocess.run(["bash", "-c", f"printf '%s\\0' {words}"], capture_output=True, check=True)
    return out.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize("name", ["a b", "it's [a] {b}", "back\\slash", "end ", "~tilde", "q?*"])
def test_the_command_can_be_copied_to_a_shell(ringwall, place, name):
    (place.work / name).write_text("x")
    (place.home / name).write_text("x")
    told = ask(ringwall, "read", name)
    words = flags_of(told["change"])
    assert words[0] == "--hide" and ask(ringwall, "read", name, *words)["answer"] == "hidden"
    (place.work / name[1:]).write_text("x")  # it means this one and no other
    assert ask(ringwall, "read", name[1:], *words)["answer"] == "yes"
    (place.home / "x").mkdir()
    told = ask(ringwall, "read", f"{place.home}/x/./../{name}")
    words = flags_of(told["change"])
    assert words == ["--ro", str(place.home / name)]
    assert ask(ringwall, "read", str(place.home / name), *words)["answer"] == "yes"


def test_a_command_holds_nothing_that_a_terminal_obeys(ringwall, place):
    file = place.home / "red\x1b[31m'x\\"
    file.write_text("x")
    told = ask(ringwall, "read", str(file))
    assert "\x1b" not in told["change"] and flags_of(told["change"]) == ["--ro", str(file)]


def test_what_is_shown_names_the_rule_that_shows_it(ringwall, place, workspace):
    file = place.work / ".ringwall.toml"
    file.write_text('[files]\nshow = [".env"]\n')
    ringwall("trust", "--yes", file).ok()
    told = ask(ringwall, "read", ".env")
    assert (told["answer"], told["rule"], told["layer"], told["line"]) == ("yes", "files.show", "workspace", 2)
    assert told["change"] == f"remove it from {file}:2"
    file.unlink()
    told = ask(ringwall, "read", ".env", "--show", ".env")
    assert (told["rule"], told["place"], told["change"]) == ("files.show", "--show", "leave out --show")
    # What was no secret is there by the workspace's grant.
    assert ask(ringwall, "read", "src/main.c", "--show", "src/")["rule"] == "files.workspace"


def test_what_a_person_hides_names_the_rule_that_hides_it(ringwall, place, workspace):
    told = ask(ringwall, "read", ".env", "--show", ".env", "--hide", "/.env")
    assert (told["answer"], told["rule"], told["place"]) == ("hidden", "files.hide", "--hide")
    assert told["change"].startswith("leave out --hide, and then: ringwall run --show /.env")
    file = place.home / "policy.toml"
    file.write_text('[files]\nhide = ["*.sql"]\n')
    (place.work / "x.sql").write_text("x")
    told = ask(ringwall, "read", "x.sql", "--policy", file)
    assert (told["answer"], told["change"]) == ("hidden", f"remove it from {file}:2")


def test_why_it_cannot_be_written_or_read(ringwall, place, workspace):
    assert ask(ringwall, "write", "/usr/bin/not-there")["why"].startswith("read-only: ")
    assert "identity" in ask(ringwall, "write", ".git/config")["why"]
    assert "identity" not in ask(ringwall, "write", ".git/hooks/x")["why"]
    assert "process 1" in ask(ringwall, "read", "/proc/1/environ")["why"]


def test_where_a_rule_stands(ringwall, place, workspace):
    file = place.home / ".config/ringwall/policy.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[files]\nread = [\n  "~/shown",\n]\nhide = ["notes/"]\n[network]\nallow = ["a.example"]\n')
    (place.work / ".ringwall.toml").write_text('[files]\nprotect = ["*.lock"]\n')
    told = ask(ringwall, "read", "~/shown/file")
    assert (told["answer"], told["rule"], told["layer"]) == ("yes", "files.read", "person")
    assert (told["place"], told["line"]) == (str(file), 3)
    assert told["change"] == f"remove it from {file}:3"
    told = ask(ringwall, "read", "notes/plan")
    assert (told["answer"], told["rule"], told["line"]) == ("hidden", "files.hide", 5)
    told = ask(ringwall, "write", "a.lock")
    assert (told["answer"], told["layer"], told["line"]) == ("protected", "workspace", 2)
    told = ask(ringwall, "connect", "a.example:443")
    assert (told["answer"], told["rule"], told["line"]) == ("yes", "network.allow", 7)
    text = ringwall("explain", "read", "~/shown/file").out
    assert f"files.read ({file}:3)" in text and "person" in text


def test_variables(ringwall):
    assert ask(ringwall, "env", "HOME")["answer"] == "yes"
    told = ask(ringwall, "env", "CANARY", env={"CANARY": "1"})
    assert told["answer"] == "no" and told["change"] == "ringwall run --env CANARY …"
    told = ask(ringwall, "env", "CANARY", "--env", "CANARY", env={"CANARY": "1"})
    assert (told["answer"], told["rule"], told["place"]) == ("yes", "environment.pass", "--env")
    assert "code" in ask(ringwall, "env", "NODE_OPTIONS")["why"]


def test_hosts(ringwall):
    for host in ("api.example.com", "api.example.com:443"):
        assert ask(ringwall, "connect", host, "--allow", "*.example.com")["answer"] == "yes"
    for host in ("example.com", "192.0.2.1", "[2001:db8::1]:443"):
        told = ask(ringwall, "connect", host, "--allow", "*.example.com")
        assert told["answer"] == "no" and told["change"].startswith("ringwall run --allow "), told
    told = ask(ringwall, "connect", "a.example", "--allow", "a.example", "--no-network")
    assert (told["answer"], told["rule"]) == ("no", "network.off")
    # A denial without a port is for every one, a grant for 443 alone.
    for asked in ("a.example", "a.example:22"):
        told = ask(ringwall, "connect", asked, "--allow", "a.example:*", "--deny", "a.example")
        assert (told["answer"], told["rule"]) == ("no", "network.deny")
    for asked, granted, told in (
        ("a.example", "a.example", "yes"),
        ("a.example:22", "a.example", "no"),
        ("a.example:22", "a.example:*", "yes"),
        ("a.example:8050", "a.example:8000-8100", "yes"),
        ("a.example:8101", "a.example:8000-8100", "no"),
    ):
        assert ask(ringwall, "connect", asked, "--allow", granted)["answer"] == told
    assert ask(ringwall, "connect", "localhost:3000")["answer"] == "yes"
    for host in ("169.254.169.254:80", "[fd00:ec2::254]:80"):
        told = ask(ringwall, "connect", host, "--allow", "0.0.0.0/0:*", "--allow", "[::/0]:*")
        assert (told["answer"], told["change"]) == ("no", ""), told
    ringwall("explain", "connect", "https://x.example").refused("scheme")
    ringwall("explain", "connect", "*.example.com").refused("more than one host")
    for asked in ("example.com:*", "example.com:80-90"):
        ringwall("explain", "connect", asked).refused("more than one port")


@pytest.mark.parametrize("words", [[], ["read"], ["raed", "x"], ["read", "x", "y"]])
def test_questions_that_are_none(ringwall, words):
    ringwall("explain", *words).refused()


def test_show_prints_what_holds_and_who_said_so(ringwall, place):
    (place.work / ".ringwall.toml").write_text("[limits]\nprocesses = 100\n")
    rows = json.loads(ringwall("policy", "show", "--json", "--cache", "npm").ok())
    by_key = {row["key"]: row for row in rows}
    assert by_key["limits.processes"]["value"] == "100"
    assert by_key["limits.processes"]["layer"] == "workspace"
    assert by_key["limits.processes"]["line"] == 2
    assert by_key["home.caches"]["place"] == "--cache"
    assert by_key["git.hooks"]["layer"] == "defaults"
    text = ringwall("policy", "show").ok()
    assert "workspace, " in text
    # What the host decides is named too.
    assert "limits.memory = (seven eighths of the memory, watched)" in text
    assert "files.workspace = (the nearest folder upward" in text
    assert by_key["limits.tmp_size"]["by_default"] == "a quarter of the memory"
    listed = {line.split(" = ")[0] for line in text.splitlines()}
    assert {"run.name", "home.name", "terminal.detach_keys", "limits.home_size"} <= listed


def test_check_finds_variables_that_a_run_refuses(ringwall, place):
    file = place.home / "draft.toml"
    file.write_text('[environment]\npass = ["LD_PRELOAD"]\nset = ["GIT_DIR=x"]\n')
    result = ringwall("policy", "check", file)
    assert result.status == 1 and "2 mistakes" in result.out
    assert "LD_PRELOAD is never given to a run: the loader loads code by it" in result.out


def test_check_finds_every_mistake(ringwall, place):
    file = place.home / "draft.toml"
    file.write_text('[files]\nraed = ["x"]\n[limits]\nmemory = "4X"\n')
    result = ringwall("policy", "check", file)
    assert result.status == 1 and result.err == ""
    lines = result.out.splitlines()
    assert lines[0] == f"{file}:2:1: unknown key files.raed"
    assert lines[1:3] == ['  2 | raed = ["x"]', "    | ^"]
    assert "did you mean files.read?" in lines[3]
    assert "2 mistakes" in lines[-1]
    told = json.loads(ringwall("policy", "check", "--json", file).out)
    assert [(row["line"], row["column"], row["mistake"]) for row in told] == [(2, 1, True), (4, 10, True)]
    piped = ringwall("policy", "check", "-", input=b"[files\n")
    assert piped.status == 1 and "stdin:1:" in piped.out
    file.write_text("[files]\n")
    assert "no mistakes" in ringwall("policy", "check", file).ok()
    ringwall("policy", "check", place.home / "none").refused("none")
    ringwall("policy", "check").refused("which file")


def test_check_says_what_would_need_trust(ringwall, place):
    file = place.work / ".ringwall.toml"
    file.write_text('[files]\nread = ["~/.ssh"]\n')
    result = ringwall("policy", "check", ".ringwall.toml")
    assert result.status == 1 and "needs trust" in result.out
    ringwall.sh("echo RAN").refused("trust")
    ringwall("trust", "--yes", file).ok()
    assert "no mistakes" in ringwall("policy", "check", ".ringwall.toml").ok()
    file.write_text('[files]\nread = ["~/.gnupg"]\n')  # trust is for the exact content
    assert ringwall("policy", "check", file).status == 1
    file.write_text("lock = []\n")
    assert ringwall("policy", "check", file).status == 1
    assert ringwall("policy", "check", "--layer", "organisation", file).status == 0


def test_the_schema_is_json(ringwall):
    schema = json.loads(ringwall("policy", "schema").ok())
    assert "read" in schema["properties"]["files"]["properties"]
    assert "files.read" in schema["properties"]["lock"]["items"]["enum"]


def gate(ringwall, question, subject, *flags, **more):
    result = ringwall("explain", question, subject, "--json", *flags, **more)
    assert result.err == "", result
    answer = json.loads(result.out)
    assert result.status == (0 if answer["answer"] in ("open", "allow") else 1), result
    return answer


def test_command_is_judged_part_by_part(ringwall, place):
    told = gate(ringwall, "command", "cd sub && git -C . push --force")
    assert told["answer"] == "deny"
    assert told["origin"] == "pack git-history"
    assert [part["answer"] for part in told["parts"]] == ["open", "deny"]
    assert gate(ringwall, "command", "git push -u origin topic")["answer"] == "open"
    assert gate(ringwall, "command", "$CMD")["answer"] == "ask"


def test_command_by_rules_of_every_layer(ringwall, place):
    (place.work / ".ringwall.toml").write_text('[tools]\ndeny = [{rule = "Bash(make x *)", reason = "no x"}]\n')
    told = gate(ringwall, "command", "make x y")
    assert told["answer"] == "deny"
    assert told["rule"] == "Bash(make x *)"
    assert told["origin"].endswith(".ringwall.toml:2")
    assert "no x" in told["told"]
    assert gate(ringwall, "command", "make z", "--allow-tool", "Bash(make *)")["answer"] == "allow"
    off = gate(ringwall, "command", "git push --force", "--no-pack", "git-history")
    assert off["answer"] == "open"


def test_a_repository_can_only_narrow_tools(ringwall, place):
    for line in ('allow = ["Bash(make *)"]', 'no_packs = ["privilege"]'):
        (place.work / ".ringwall.toml").write_text(f"[tools]\n{line}\n")
        ringwall("explain", "command", "ls").refused("can only narrow")


def test_tool_calls_of_several_agents(ringwall, place):
    def call(tool, **fields):
        return json.dumps({"tool_name": tool, "tool_input": fields, "cwd": str(place.work)})

    assert gate(ringwall, "tool", call("Read", file_path=".env"))["answer"] == "ask"
    assert gate(ringwall, "tool", call("Read", file_path="a.c"))["answer"] == "open"
    (place.work / "link").symlink_to(".env")
    assert gate(ringwall, "tool", call("Read", file_path="link"))["answer"] == "ask"
    shell = call("run_shell_command", command="rm -rf .")
    assert gate(ringwall, "tool", shell, "--agent", "gemini")["answer"] == "deny"
    assert gate(ringwall, "tool", call("Teleport"))["answer"] == "deny"
    assert gate(ringwall, "tool", call("Teleport"), "--ask-tool", "Teleport")["answer"] == "ask"


def test_decisions_are_shown(ringwall, place):
    text = ringwall("explain", "command", "rm -rf ~ && ls").out
    assert text.startswith("deny\n")
    assert "pack destructive-files" in text
    assert "  part    open  ls" in text


@pytest.mark.parametrize("call", ["{", "[]", "{}", '{"tool_name":1}', '{"tool_name":"Read","tool_input":[]}'])
def test_tool_calls_that_are_none(ringwall, call):
    ringwall("explain", "tool", call).refused()


def test_agents_that_are_none(ringwall):
    ringwall("explain", "tool", '{"tool_name":"Read"}', "--agent", "nobody").refused("nobody")


NET = ("--allow", "a.example:*", "--allow", "192.0.2.7:*")
CONNECTIONS = [
    # What is asked, with which flags; the answer, its rule, and words of why or change.
    ("127.0.0.1:7777 --reach-host 7777", "yes", "network.reach_host", "server of this host"),
    ("localhost:7777 --reach-host 7777", "yes", "network.reach_host", "server of this host"),
    ("127.0.0.1:7778 --reach-host 7777", "yes", "", "loopback of its own"),
    ("127.0.0.1:7777 --reach-host 7777 --no-network", "yes", "", "loopback of its own"),
    ("127.0.0.1:7777 --reach-host 7777 --deny 127.0.0.1", "no", "network.deny", "denied"),
    ("0.0.0.0:7777", "yes", "", "loopback of its own"),
    ("a.example", "yes", "network.allow", "private ones with --private"),
    ("a.example --private a.example", "yes", "network.allow", "public and private addresses"),
    ("a.example --deny 192.0.2.1", "yes", "network.allow", "not those of network.deny: 192.0.2.1:*"),
    ("a.example --deny 0.0.0.0/0", "yes", "network.allow", "not those of network.deny: 0.0.0.0/0:*"),
    ("a.example --deny 0.0.0.0/0 --deny ::/0", "no", "network.deny", "every address"),
    ("a.example --deny *", "no", "network.deny", "denied"),
    ("a.example --deny *.example", "no", "network.deny", "denied"),
    ("a.example:53", "no", "", "resolver"),
    ("a.example --upstream http://127.0.0.1:3128", "yes", "network.allow", "upstream proxy decides"),
    ("192.0.2.7:80 --upstream http://127.0.0.1:3128", "no", "network.upstream", "only names"),
    ("192.0.2.7:80", "yes", "network.allow", ""),
    ("198.18.0.5:80", "no", "", "name the host"),
    ("224.0.0.1:80", "no", "", "multicast"),
    ("b.example --ask", "ask", "network.ask", "ringwall run --allow b.example:443"),
    ("b.example --ask --deny b.example", "no", "network.deny", "denied"),
    ("b.example", "no", "", "ringwall run --allow b.example:443"),
]


@pytest.mark.parametrize("asked, answer, rule, words", CONNECTIONS)
def test_a_connection_is_told_as_a_run_would_find_it(ringwall, asked, answer, rule, words):
    host, *flags = asked.split()
    told = ask(ringwall, "connect", host, *NET, *flags)
    assert (told["answer"], told["rule"]) == (answer, rule), told
    assert words in told["why"] + told["change"], told


def test_a_host_of_a_toolchain_that_was_not_agreed_to(ringwall, place):
    (place.work / "package.json").write_text("{}")
    told = ask(ringwall, "connect", "registry.npmjs.org")
    assert told["answer"] == "no" and f"ringwall trust --workspace {place.work}" in told["change"], told


NEVER = {
    "127.0.0.1:8080": "--reach-host",
    "localhost": "--reach-host",
    "x.localhost:80": "--reach-host",
    "[::1]:443": "--reach-host",
    "0.0.0.0:80": "--reach-host",
    "198.18.3.4": "name the host",
    "224.0.0.0/8:*": "multicast",
    "[ff02::1]:80": "multicast",
    "255.255.255.255": "broadcast",
    "a.example:53": "resolver",
}


@pytest.mark.parametrize("grant", NEVER)
def test_a_grant_that_could_never_work(ringwall, place, grant):
    """It would be silent, and whoever wrote it would think that it holds."""
    ringwall("run", "--allow", grant, "--", "true").refused(NEVER[grant])
    (place.work / "mine.toml").write_text(f'[network]\nallow = ["{grant}"]\n')
    checked = ringwall("policy", "check", "mine.toml")
    assert checked.status != 0 and NEVER[grant] in checked.out + checked.err, checked
    # As a denial it holds.
    ringwall("run", "--deny", grant, "--", "true").ok()


def test_broad_denials_are_taken_and_broad_grants_are_not(ringwall):
    for broad in ("*", "*.ru", "*:80"):
        ringwall("run", "--deny", broad, "--", "true").ok()
        assert ringwall("run", "--allow", broad, "--", "true").status != 0
    told = ask(ringwall, "connect", "a.ru", "--allow", "a.ru", "--deny", "*.ru")
    assert (told["answer"], told["rule"]) == ("no", "network.deny")
