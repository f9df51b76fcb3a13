"""ringwall learn: what a command missed becomes a policy, and nothing is given before a person says so."""

import json
import os
import re
import signal
import socket
import stat
import time

import pytest
from conftest import IS_ROOT, not_for_root
from terminals import at_terminal, run_at  # noqa: F401

DATA = ("one", "two")


@pytest.fixture
def tool(place):
    """A program's data in the home, as toolchains keep it."""
    folder = place.home / ".tool/data"
    folder.mkdir(parents=True)
    for name in DATA:
        (folder / name).write_text(f"{name} of the host\n")
    return folder


@pytest.fixture
def learn(ringwall):
    """What learn says as data, of a shell's script."""

    def run(script, *flags, **options):
        result = ringwall("learn", "--json", *flags, "--", "sh", "-c", script, **options)
        events = [json.loads(line) for line in result.err.splitlines() if line.startswith("{")]
        found = [event for event in events if event["event"] == "learned"]
        assert len(found) == 1, result
        found[0]["result"] = result
        return found[0]

    return run


def proposed(found):
    return {(entry["key"], entry["value"]) for entry in found["proposed"]}


def left_out(found):
    return {entry["what"]: entry["why"] for entry in found["left_out"]}


def test_a_folder_that_was_missed_is_proposed_and_works(place, ringwall, tool):
    script = "import os\nfor name in sorted(os.listdir(os.path.expanduser('~/.tool/data'))): print(name)"
    command = ("/usr/bin/python3", "-B", "-c", script)
    policy = place.root / "learned.toml"
    result = ringwall("learn", "--write", policy, "--", *command)
    assert result.status == 1 and "~/.tool/data" in result.err, result
    assert 'read = [\n  "~/.tool/data",  # 1 time, by python3' in policy.read_text()
    assert stat.S_IMODE(policy.stat().st_mode) == 0o600
    assert f"--policy {policy}" in result.err
    assert ringwall("run", "--policy", policy, "--", *command).ok() == "one\ntwo"
    # Nothing is wanted any more.
    again = ringwall("learn", "--policy", policy, "--", *command)
    assert again.status == 0 and "nothing of this host was missed" in again.err, again


def test_the_flags_that_are_named_work(place, ringwall, learn, tool):
    found = learn("cat ~/.tool/data/one")
    assert proposed(found) == {("files.read", "~/.tool/data/one")}
    assert found["flags"] == ["--ro", "~/.tool/data/one"]
    assert found["proposed"][0]["programs"] == ["cat"] and found["proposed"][0]["times"] == 1
    path = found["flags"][1].replace("~", str(place.home))
    assert ringwall("run", "--ro", path, "--", "cat", tool / "one").ok() == "one of the host"


def test_the_walls_stand(place, ringwall, learn, tool):
    found = learn("cat ~/.tool/data/one; echo x >~/.tool/data/two; exit 7")
    assert found["result"].status == 7 and "of the host" not in found["result"].out
    assert (tool / "two").read_text() == "two of the host\n"


def test_a_file_to_be_written(place, ringwall, learn):
    out = place.home / "out"
    out.mkdir()
    script = "echo made >~/out/new && cat ~/out/new"
    found = learn(script)
    assert proposed(found) == {("files.write", "~/out")}, found
    assert not (out / "new").exists()
    assert ringwall("run", "--rw", out, "--", "sh", "-c", script).ok() == "made"


def test_a_program_is_missed_with_its_installation(place, ringwall, learn):
    tree = place.home / "kit"
    (tree / "bin").mkdir(parents=True)
    (tree / "lib").mkdir()
    (tree / "lib/greeting").write_text("hello")
    program = tree / "bin/greet"
    program.write_text(f"#!/bin/sh\ncat {tree}/lib/greeting\n")
    program.chmod(0o755)
    found = learn("~/kit/bin/greet")
    assert proposed(found) == {("files.read", "~/kit")}
    assert ringwall("run", "--ro", tree, "--", "sh", "-c", "~/kit/bin/greet").ok() == "hello"


def test_a_program_by_a_link_is_missed_with_both(place, ringwall, learn):
    tree = place.home / "kit"
    (tree / "bin").mkdir(parents=True)
    program = tree / "bin/greet"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    (place.home / "links").mkdir()
    (place.home / "links/greet").symlink_to(program)
    found = learn("~/links/greet")
    assert proposed(found) == {("files.read", "~/kit"), ("files.read", "~/links/greet")}
    flags = [word.replace("~", str(place.home)) for word in found["flags"]]
    assert ringwall("run", *flags, "--", "sh", "-c", "~/links/greet").ok() == "hello"


def test_a_cache_is_offered_as_one(place, learn):
    (place.home / ".cargo/registry/index").mkdir(parents=True)
    (place.home / ".cargo/registry/index/x").write_text("x")
    # The private home keeps a folder of its own there where cargo is installed.
    found = learn("cat ~/.cargo/registry/index/x", "--fresh")
    assert proposed(found) == {("home.caches", "cargo")}, found


CREDENTIALS = [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", ".claude/.credentials.json",
               ".bash_history", ".gnupg/pubring.kbx", ".kube/config", ".npmrc", "notes/server.pem"]


@pytest.mark.parametrize("name", CREDENTIALS)
def test_credentials_are_marked_and_left_out(place, learn, name):
    path = place.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n-----END PRIVATE KEY-----\n")
    found = learn(f"cat ~/{name}")
    assert proposed(found) == set() and found["policy"] == "", found
    assert str(path) in left_out(found), found


def test_the_folder_of_credentials_is_left_out_too(place, learn):
    (place.home / ".config/gh").mkdir(parents=True)
    (place.home / ".config/tool").mkdir()
    (place.home / ".config/tool/settings").write_text("x")
    found = learn("/usr/bin/python3 -Bc \"import os; os.listdir(os.path.expanduser('~/.config'))\"; cat ~/.config/tool/settings")
    assert proposed(found) == {("files.read", "~/.config/tool/settings")}
    assert "holds ~/.config/" in left_out(found)[str(place.home / ".config")]


def test_what_looks_like_a_secret_is_not_handed_on(place, ringwall):
    """In a name that was asked for: of a host, where it would leave with the next run, or of a file."""
    token = "ghp_Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
    (place.home / "stuff").mkdir()
    (place.home / "stuff" / token).write_text("x")
    policy = place.root / "learned.toml"
    script = f"cat {place.home}/stuff/{token}; getent hosts {token}.example.com; getent hosts fine.example.com"
    result = ringwall("learn", "--write", policy, "--", "sh", "-c", script)
    told = result.err.split("try it:")[0]  # that is the person's own line
    assert "[redacted]" in told and "looks like a secret" in told, result
    assert token not in told.replace(f"cat: {place.home}", "").split("learned:")[1] and token not in policy.read_text()
    assert "fine.example.com" in policy.read_text()


def test_a_thousand_decoys_bring_nothing_along(place, ringwall, learn):
    """Harmless names around a secret one, until their folder would be the shorter line."""
    folder = place.home / "stuff"
    folder.mkdir()
    for number in range(1000):
        (folder / f"note{number}").write_text("x")
    secret = folder / "server.key"
    secret.write_text("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n-----END PRIVATE KEY-----\n")
    (folder / "link").symlink_to(place.home / ".ssh")
    (place.home / ".ssh").mkdir()
    (place.home / ".ssh/config").write_text("Host x")
    found = learn("cat ~/stuff/note*; cd ~; for n in $(seq 0 999); do echo stuff/note$n; done | xargs cat; "
                  "cat ~/stuff/server.key ~/stuff/link/config")
    values = [value for _, value in proposed(found)]
    assert "~/stuff" not in values and len(values) <= 100
    assert not [value for value in values if "server.key" in value or "link" in value or ".ssh" in value]
    assert str(secret) in left_out(found)
    assert any("ssh" in why for what, why in left_out(found).items() if "link" in what)


def test_a_link_of_the_workspace_is_judged_by_where_it_leads(place, learn, tool):
    (place.home / ".ssh").mkdir()
    (place.home / ".ssh/id_rsa").write_text("secret")
    (place.work / "innocent").symlink_to(place.home / ".ssh")
    (place.work / "data").symlink_to(place.home / ".tool/data")
    found = learn("cat innocent/id_rsa data/one")
    # Named by its real path: the agent can lead the link elsewhere.
    assert proposed(found) == {("files.read", "~/.tool/data/one")}
    assert str(place.home / ".ssh/id_rsa") in left_out(found)


def test_never_the_home_for_the_sake_of_many_files(place, learn):
    for name in "abcdef":
        (place.home / f"{name}.txt").write_text(name)
    found = learn("cat ~/a.txt ~/b.txt ~/c.txt ~/d.txt ~/e.txt ~/f.txt")
    assert proposed(found) == {("files.read", f"~/{name}.txt") for name in "abcdef"}


@pytest.mark.parametrize("folder", [".cache", "Documents", ".local/share", ".."])
def test_never_a_folder_of_everything(place, learn, folder):
    (place.home / folder).mkdir(parents=True, exist_ok=True)
    found = learn(f"cd / && /usr/bin/python3 -Bc \"import os; os.listdir(os.path.expanduser('~/{folder}'))\"", "--fresh")
    assert proposed(found) == set()


def test_a_policy_that_is_there_already_is_kept_in_what_is_named(place, ringwall, tool):
    first, second = place.root / "first.toml", place.root / "second.toml"
    first.write_text(f'[files]\nread = ["{tool}/one"]\n')
    result = ringwall("learn", "--policy", first, "--write", second, "--", "cat", tool / "one", tool / "two")
    assert f"ringwall run --policy {first} --ro ~/.tool/data/two -- cat" in result.err, result
    assert result.out == "one of the host\n"


def test_many_files_of_one_folder_become_the_folder(place, learn):
    folder = place.home / ".tool/many"
    folder.mkdir(parents=True)
    for name in "abcdef":
        (folder / name).write_text(name)
    found = learn("cd ~ && cat .tool/many/a .tool/many/b .tool/many/c .tool/many/d")
    assert proposed(found) == {("files.read", "~/.tool/many")}
    assert found["proposed"][0]["files"] == 4


def test_secrets_and_protected_files_of_the_workspace_are_marked(place, learn):
    (place.work / ".git/hooks").mkdir(parents=True)
    for name in ("HEAD", "config"):
        (place.work / ".git" / name).write_text("")
    (place.work / ".env").write_text("TOKEN=abcdefghijkl")
    found = learn("cat .env; echo x >.git/hooks/pre-commit")
    assert proposed(found) == set()
    marked = left_out(found)
    assert "environment file" in marked[str(place.work / ".env")]
    assert "protected" in marked[str(place.work / ".git/hooks/pre-commit")]


def test_a_socket_is_marked(place, learn):
    path = place.home / "daemon.sock"
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.bind(str(path))
        daemon.listen()
        script = f"import socket; socket.socket(socket.AF_UNIX).connect('{path}')"
        found = learn(f'/usr/bin/python3 -Bc "{script}"')
    assert proposed(found) == set()
    assert "socket" in left_out(found)[str(path)]


def test_searches_that_fail_everywhere_are_no_finding(learn):
    """Along PATH, for libraries, for headers, for what is nowhere."""
    found = learn("no-such-program; cat /usr/lib/nowhere ~/nowhere /etc/nowhere nowhere; python3 -Bc 'import nowhere'; true")
    assert proposed(found) == set() and left_out(found) == {}, found


def test_private_addresses_are_marked(learn):
    script = """import socket
for host in ('10.9.8.7', '169.254.169.254', '8.8.4.4'):
    try: socket.create_connection((host, 80), 2)
    except OSError as problem: print(host, problem.errno)
"""
    found = learn(f'/usr/bin/python3 -Bc "{script}"')
    # As in a run that does not learn: at once.
    assert found["result"].out.split()[1::2] == ["111"] * 3, found["result"]
    assert proposed(found) == {("network.allow", "8.8.4.4:80")}
    assert "private" in left_out(found)["10.9.8.7:80"] and "169.254.169.254:80" in left_out(found)


def test_names_that_lie_reach_neither_the_terminal_nor_the_file(place, ringwall):
    folder = place.home / "odd"
    folder.mkdir()
    names = ['a"]\n[network]\nallow = ["*', "esc\x1b[31m", "\u202etxt", "back\\slash", "new\nline"]
    for name in names:
        (folder / name).write_text("x")
    os.mkdir(os.fsencode(folder) + b"/\xff\xfe")
    policy = place.root / "odd.toml"
    script = "import os\nfor n in %r: \n  try: open(os.path.expanduser('~/odd/') + n)\n  except OSError: pass" % names[:3]
    result = ringwall("learn", "--write", policy, "--", "/usr/bin/python3", "-Bc", script)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\x9b\u202e]", result.err), repr(result.err)
    shown = ringwall("policy", "check", policy)
    assert shown.status == 0, shown
    assert '\nallow = ["*' not in policy.read_text()


def test_a_file_is_never_written_over(place, ringwall):
    taken = place.root / "taken.toml"
    taken.write_text("mine")
    ringwall("learn", "--write", taken, "--", "echo", "RAN").refused("is there already")
    ringwall("learn", "--write", place.work / "in.toml", "--", "echo", "RAN").refused("agent may change")
    ringwall("learn", "--write", place.root / "no/such/folder.toml", "--", "echo", "RAN").refused("no file can be made")
    link = place.root / "link.toml"
    link.symlink_to(place.root / "elsewhere")
    ringwall("learn", "--write", link, "--", "echo", "RAN").refused("is there already")
    assert taken.read_text() == "mine" and not (place.root / "elsewhere").exists()


def test_nothing_to_propose_writes_nothing(place, ringwall):
    policy = place.root / "none.toml"
    result = ringwall("learn", "--write", policy, "--", "true")
    assert result.status == 0 and not policy.exists()


@pytest.mark.parametrize("script, status", [("exit 9", 9), ("kill -9 $$", 137), ("true", 0)])
def test_the_exit_status_is_the_commands(ringwall, script, status):
    assert ringwall("learn", "--", "sh", "-c", script).status == status


def test_what_cannot_be(ringwall):
    ringwall("learn").refused("no command")
    ringwall("learn", "--detach", "--", "echo", "RAN").refused("detach")
    ringwall("learn", "--explain", "--", "echo", "RAN").refused("explain")
    ringwall("learn", "--", "no-such-program").refused("not found", status=127)


def test_only_a_run_that_learns_is_traced(ringwall, place):
    """One filter more; and none without, whose calls would wait for somebody."""
    script = "grep Seccomp_filters /proc/self/status"
    counts = [int(ringwall(verb, "--", "sh", "-c", script).out.split()[1]) for verb in ("run", "learn")]
    assert counts == [1, 2]


def test_threads_and_forks_do_not_hang(ringwall, tool):
    script = """
import os, subprocess, threading
def look():
    for _ in range(300):
        os.path.exists(os.path.expanduser('~/.tool/data/one'))
threads = [threading.Thread(target=look) for _ in range(16)]
for thread in threads: thread.start()
for _ in range(200):
    if os.fork() == 0:
        os.path.exists(os.path.expanduser('~/.tool/data/two'))
        os._exit(0)
for thread in threads: thread.join()
for _ in range(200): os.wait()
for _ in range(50): subprocess.run(['/bin/true'])
print('all')
"""
    result = ringwall("learn", "--json", "--", "/usr/bin/python3", "-Bc", script, timeout=120)
    assert result.status == 0 and result.out == "all\n", result
    found = json.loads(result.err.splitlines()[-1])
    times = {entry["value"]: entry["times"] for entry in found["proposed"]}
    assert times["~/.tool/data/one"] == 4800 and times["~/.tool/data/two"] == 200, times


def test_a_fork_storm_can_be_ended(ringwall, place):
    script = "while :; do (cat ~/nowhere &) 2>/dev/null; done"
    process = ringwall.start("learn", "--processes", "100", "--", "sh", "-c", script)
    time.sleep(1)
    process.terminate()
    process.communicate(timeout=120)
    place.wait_until_gone()


@pytest.mark.parametrize("victim", ["supervisor", "hand"])
def test_a_kill_leaves_nothing(ringwall, place, victim):
    script = "echo up; while :; do cat ~/nowhere 2>/dev/null; done"
    process = ringwall.start("learn", "--name", "learns", "--", "sh", "-c", script)
    assert process.stdout.readline() == b"up\n"
    pid = process.pid
    if victim == "hand":
        children = open(f"/proc/{pid}/task/{pid}/children").read().split()
        pid = next(int(c) for c in children if b"ringwall-hand" in open(f"/proc/{c}/cmdline", "rb").read())
    os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=120)
    assert process.returncode == (-9 if victim == "supervisor" else 125)
    place.wait_until_gone()
    ringwall("ls").ok()


def test_what_found_no_room_is_counted(place, ringwall):
    script = """
import os
home = os.path.expanduser('~/')
for n in range(20500): os.path.exists(f'{home}nowhere{n}')
"""
    result = ringwall("learn", "--", "/usr/bin/python3", "-Bc", script, timeout=120)
    assert re.search(r"\d+ calls for further files could not be noted", result.err), result


def test_on_a_terminal_it_is_shown_at_the_end(run_at, tool):
    screen = run_at("learn", "--", "sh", "-c", "cat ~/.tool/data/one; echo done")
    screen.expect("done")
    screen.expect("~/.tool/data/one")
    screen.expect("try it: ringwall run --ro ~/.tool/data/one -- sh")
    assert screen.process.wait(60) == 0


def test_on_a_terminal_a_long_list_is_waited_for(place, run_at):
    """More than a second's work for who judges it."""
    for number in range(3000):
        folder = place.home / f"many/{number}"
        folder.mkdir(parents=True)
        (folder / "file").write_text("x")
    script = "cd ~ && for n in $(seq 0 2999); do echo many/$n/file; done | xargs cat 2>/dev/null; echo done"
    screen = run_at("learn", "--", "sh", "-c", script)
    screen.expect("done", 30)
    screen.expect("100 things were wanted", 30)
    screen.expect("try it: ringwall run", 30)
    assert screen.process.wait(60) == 0


@not_for_root
def test_what_the_person_may_not_do_outside_is_no_finding(learn):
    found = learn("echo x >/usr/lib/new; mkdir /etc/new; echo y >>/etc/hostname; true")
    assert proposed(found) == set() and left_out(found) == {}, found


def test_the_caller_may_be_root(learn):
    """Root may write the system outside; nobody is told to let an agent do so."""
    found = learn("echo x >/usr/lib/new; cat /etc/shadow; true")
    assert proposed(found) == set(), found
    if IS_ROOT:
        assert "/etc/shadow" in left_out(found)
