"""ringwall run: what is there inside, and what a person sees of it."""

import json
import os
import re
import socket
import subprocess

import pytest
from conftest import IS_ROOT


def test_runs_a_command_silently(ringwall):
    result = ringwall.sh("echo out; echo err >&2")
    assert (result.status, result.out, result.err) == (0, "out\n", "err\n")
    assert ringwall("run", "true").ok() == ""


def test_the_commands_own_flags_are_not_ringwalls(ringwall):
    assert ringwall("run", "echo", "--ro", "-w", "--explain").ok() == "--ro -w --explain"
    assert ringwall("run", "--", "echo", "--", "--json").ok() == "-- --json"
    assert ringwall("run", "--fresh", "echo", "--fresh").ok() == "--fresh"


def test_arguments_arrive_byte_for_byte(ringwall):
    words = ["", " ", "a b", "'\"", "\n", "ä€😀", b"\xff\xfe".decode("utf-8", "surrogateescape")]
    script = "import sys; sys.stdout.buffer.write(b'|'.join(a.encode('utf-8','surrogateescape') for a in sys.argv[1:]))"
    result = ringwall("run", "--", "/usr/bin/python3", "-c", script, *words)
    assert result.raw == b"|".join(word.encode("utf-8", "surrogateescape") for word in words)


def test_the_workspace_keeps_its_path_and_is_writable(ringwall, place):
    assert ringwall.sh("pwd; echo new > file").ok() == str(place.work)
    assert (place.work / "file").read_text() == "new\n"
    assert (place.work / "file").stat().st_uid == os.getuid()


def test_nothing_else_of_the_host_is_there(stopped, place):
    (place.root / "beside").write_text("BESIDE")
    assert stopped(f"cat {place.root}/beside", "new-root,landlock", "BESIDE").out == ""
    # Landlock lets names be read.
    assert stopped(f"ls {place.root}", "new-root", "beside").out == "home\n"


SYSTEM_FOLDERS = "/ /usr /usr/bin /etc /dev /var /run /opt".split()
MAKE_FILES = f"""
import os
for folder in {SYSTEM_FOLDERS}:
    try:
        os.close(os.open(folder + "/x", os.O_CREAT | os.O_WRONLY))
        print(folder)
    except OSError as error:
        print("not", folder, error.strerror)
"""


def test_the_system_cannot_be_written(ringwall, mutant, bare, place):
    def written(result):
        return {line for line in result.out.splitlines() if line.startswith("/")}

    # Bare in a made-up system: the act is not for the host's.
    system = place.root / "system"
    for folder in SYSTEM_FOLDERS:
        (system / folder[1:]).mkdir(parents=True, exist_ok=True)
    enter = f"import os; os.chroot({str(system)!r}); os.chdir('/')"
    result = bare("unshare", "--user", "--map-root-user", "/usr/bin/python3", "-c", enter + MAKE_FILES)
    assert written(result) == set(SYSTEM_FOLDERS), result
    result = ringwall.python(MAKE_FILES)
    assert written(result) == set() and len(result.ok().splitlines()) == len(SYSTEM_FOLDERS)
    # What belongs to root outside stays shut by its permissions.
    result = mutant("read-only,landlock").python(MAKE_FILES)
    assert {"/", "/etc", "/dev", "/var", "/run"} <= written(result), result
    assert ringwall.sh("touch /tmp/x /var/tmp/y ~/z /dev/shm/s && ls /tmp/x /tmp/y").ok() == "/tmp/x\n/tmp/y"


def test_etc_is_a_list_of_files(ringwall, stopped, place):
    listing = set(stopped("ls /etc", "new-root", "shadow").ok().split())
    assert {"passwd", "group", "hosts", "hostname", "nsswitch.conf", "resolv.conf"} <= listing
    assert not listing & {"shadow", "gshadow", "sudoers", "ssh", "machine-id", "fstab", "crontab"}
    passwd = ringwall.sh("cat /etc/passwd").ok().splitlines()
    assert len(passwd) == 3 and any(str(place.home) in line for line in passwd)
    assert ringwall.sh("hostname; cat /etc/hostname").ok() == "ringwall\nringwall"


HARMLESS = set("fd full null ptmx pts random shm stderr stdin stdout tty urandom zero".split())


def test_devices_are_harmless_ones(ringwall, stopped):
    def more(result):
        return set(result.out.split()) - HARMLESS - {"mqueue"}

    assert set(stopped("ls /dev", "private-dev", more).ok().split()) - {"mqueue"} == HARMLESS
    assert ringwall.sh("head -c 4 /dev/zero | wc -c; echo x > /dev/null").ok() == "4"


def test_only_its_own_processes_are_seen(ringwall, stopped):
    script = f"test -d /proc/{os.getpid()} && echo SEEN; ls /proc | grep -c '^[0-9]*$'"
    assert int(stopped(script, "fresh-proc", "SEEN").out) <= 6
    for act in (f"kill -0 {os.getpid()}", f"kill -CONT {os.getpid()}"):
        stopped(act, "pid-namespace,landlock,own-identity", lambda result: result.status == 0)
    assert ringwall.sh("sleep 9 & kill -0 $! && kill $! && echo RAN").ok() == "RAN"


def test_pid_1_shows_nothing_of_the_caller(stopped):
    """The parent of a command is who started it: pid 1 inside, this test when there is no wall."""

    def shown(*words):
        return lambda result: any(word in result.out for word in words)

    act = "cat /proc/$PPID/cmdline; echo"
    inside = stopped(act, "environment", shown("pytest", "nameofrun"), "--name", "nameofrun")
    assert inside.out == "ringwall-init" + "\0" * (len(inside.out) - 14) + "\n"
    # Nor can it be looked into: it is closed to tracing, for root by its change of id already.
    walls = "environment,pid-namespace,own-identity"
    inside = stopped("cat /proc/$PPID/environ; echo", walls, shown("HOME="))
    assert "Permission denied" in inside.err


def test_only_loopback_is_there(ringwall, stopped):
    script = "import socket; print(sorted(name for _, name in socket.if_nameindex()))"
    if len(socket.if_nameindex()) == 1:
        pytest.skip("this host has loopback only")
    others = lambda result: result.out.strip() not in ("", "['lo']")  # noqa: E731
    assert stopped(["/usr/bin/python3", "-c", script], "network-namespace", others).ok() == "['lo']"


def test_no_address_is_reached(ringwall):
    script = """
import socket
for target in (("192.0.2.1", 80), ("2001:db8::1", 80)):
    try:
        socket.create_connection(target, timeout=2)
        print("CONNECTED")
    except OSError as error:
        print(error.errno)
"""
    done = ringwall.python(script)
    assert done.status == 0 and done.out == "101\n101\n"
    assert "this run had no network" in done.err and "--allow HOST" in done.err


@pytest.mark.parametrize("family, address", [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_server_of_the_host_is_out_of_reach(stopped, family, address):
    try:
        server = socket.create_server((address, 0), family=family, backlog=8)
    except OSError:
        pytest.skip(f"this host has no {address}")
    script = f"import socket; socket.create_connection(({address!r}, {server.getsockname()[1]}), 2); print('IN')"
    assert "refused" in stopped(["/usr/bin/python3", "-c", script], "network-namespace", "IN").err
    server.close()


SOCKET_FAMILIES = """
import errno, socket
out = []
for family, kind, protocol in ((1, 1, 0), (2, 1, 0), (2, 2, 0), (10, 1, 0), (10, 2, 17), (16, 3, 0),
                               (16, 3, 16), (17, 3, 0), (40, 1, 0), (38, 5, 0), (2, 3, 1), (31, 3, 1)):
    try:
        socket.socket(family, kind, protocol).close()
        out.append("yes")
    except OSError as error:
        out.append(errno.errorcode[error.errno])
print(*out)
"""


def test_socket_families_are_an_allowlist(stopped):
    def others(result):
        """netlink beyond routing and AF_ALG do exist on this host: it is the wall that says no."""
        return "yes" in result.out.split()[6:]

    words = ["/usr/bin/python3", "-c", SOCKET_FAMILIES]
    answers = stopped(words, "system-calls", others).ok().split()
    assert answers[:6] == ["yes"] * 6
    assert answers[6:10] == ["EAFNOSUPPORT"] * 4 and answers[10] in ("EPERM", "EAFNOSUPPORT")
    assert answers[11] == "EAFNOSUPPORT"


def test_environment_is_built_not_inherited(stopped):
    planted = {
        "CANARY": "SECRET1",
        "AWS_SECRET_ACCESS_KEY": "SECRET2",
        "LD_LIBRARY_PATH": "/SECRET3",
        "BASH_ENV": "/SECRET4",
        "GIT_DIR": "/SECRET5",
        "https_proxy": "SECRET6",
        "PYTHONPATH": "/SECRET7",
        "SSH_AUTH_SOCK": "/SECRET8",
    }
    count = lambda result: len(set(re.findall("SECRET[0-9]", result.out))) == len(planted)  # noqa: E731
    inside = stopped(["env"], "environment", count, env=planted).ok()
    assert "SECRET" not in inside
    names = {line.split("=")[0] for line in inside.splitlines()}
    expected = {"HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "TMPDIR", "RINGWALL_RUN", "TERM", "LANG"}
    assert {name for name in names if not name.startswith("GIT_CONFIG")} == expected


def test_env_passes_one_variable_by_name(ringwall):
    planted = {"WANTED": "yes with spaces\nand a line", "OTHER": "no"}
    result = ringwall.sh('printf %s "$WANTED$OTHER"', "--env", "WANTED", env=planted)
    assert result.ok() == "yes with spaces\nand a line"
    absent = ringwall.sh("echo ${ABSENT-none}", "--env", "ABSENT")
    assert absent.out == "none\n" and "ABSENT (--env) is not set" in absent.err


@pytest.mark.parametrize("name", "SSH_AUTH_SOCK HTTPS_PROXY PATH HOME ANTHROPIC_BASE_URL".split())
def test_variables_that_lead_elsewhere_are_not_passed(ringwall, name):
    value = {} if name == "HOME" else {name: "/usr/bin:/bin"}
    result = ringwall.sh("echo RAN", "--env", name, env=value)
    assert f"--set {name}=" in result.refused(name).hint()


@pytest.mark.parametrize(
    "name", "LD_PRELOAD LD_AUDIT BASH_ENV NODE_OPTIONS PYTHONPATH GIT_DIR PROMPT_COMMAND".split()
)
def test_variables_that_inject_code_are_refused_however_asked_for(ringwall, place, name):
    # The loader reads its variables for Ringwall itself too.
    value = {} if name.startswith("LD_") else {name: "/x"}
    assert f"env {name}=" in ringwall.sh("echo RAN", "--env", name, env=value).refused(name).hint()
    for flag in ("--set", "--env"):
        ringwall.sh("echo RAN", flag, f"{name}=/x").refused(name, flag, "never given")
    file = place.home / "policy.toml"
    file.write_text(f'[environment]\npass = ["{name}"]\n')
    ringwall.sh("echo RAN", "--policy", file, env=value).refused(f"{file}:2", name)


def test_set_gives_a_variable_on_purpose(ringwall):
    script = 'echo "$A" "$B" "$HTTPS_PROXY"'
    result = ringwall.sh(script, "--set", "A=1=2", "--set", "B=", "--set", "HTTPS_PROXY=x")
    assert result.ok() == "1=2  x"
    assert "NAME=VALUE" in ringwall.sh("echo RAN", "--set", "NOVALUE").refused("NOVALUE").err
    ringwall.sh("echo RAN", "--env", "1BAD").refused("1BAD")


def test_explain_says_why_and_runs_nothing(ringwall, place):
    result = ringwall("run", "--explain", "--", "touch", "ran")
    assert result.status == 0 and result.err == ""
    assert not (place.work / "ran").exists()
    for word in (str(place.work), "private home", "Environment", "Walls", "seccomp", "workspace"):
        assert word in result.out


def test_explain_as_json_is_what_the_run_gets(ringwall, place):
    plan = ringwall.plan("--env", "CANARY", env={"CANARY": "1"})
    assert plan["workspace"] == str(place.work)
    assert all(mount["reason"] for mount in plan["mounts"])
    assert all(wall["present"] for wall in plan["walls"] if wall["required"])
    planned = {entry["name"]: entry["value"] for entry in plan["environment"]}
    planned.pop("RINGWALL_RUN")
    env = dict(
        line.split("=", 1)
        for line in ringwall("run", "--env", "CANARY", "env", env={"CANARY": "1"}).ok().splitlines()
    )
    env.pop("RINGWALL_RUN")
    assert env == planned
    targets = {mount["path"] for mount in plan["mounts"]}
    inside = ringwall.sh("cut -d' ' -f5 /proc/self/mountinfo").ok().splitlines()
    assert {target for target in inside if target not in ("/",)} <= targets


def test_messages_as_json(ringwall):
    lines = ringwall("run", "--json", "--name", "called", "true").err.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["event"] for event in events] == ["run_started", "run_ended"]
    assert events[0]["run"] == "called" and events[1]["exit_status"] == 0
    event = json.loads(ringwall("run", "--json", "-w", "/", "true").err)
    assert event["event"] == "refused" and event["hint"]
    event = json.loads(ringwall("run", "--json", "missing-program").err)
    assert event["event"] == "cannot_run" and event["program"] == "missing-program"


def test_widenings_are_told_with_where_they_came_from(ringwall, place):
    (place.home / "data").mkdir()
    err = ringwall("run", "--json", "--ro", place.home / "data", "true").err
    assert f"files.read={place.home}/data (--ro)" in json.loads(err.splitlines()[0])["widenings"]


def test_no_colours_but_on_a_terminal(ringwall, place):
    assert "\x1b" not in ringwall("run", "-w", "/", "true").err
    assert "\x1b" not in ringwall("run", "--explain", "true").out
    for variables, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({}, False)):
        leader, follower = os.openpty()
        process = ringwall.start("run", "-w", "/", "true", env=variables, stderr=follower)
        process.communicate(timeout=120)
        os.close(follower)
        assert (b"\x1b[" in os.read(leader, 65536)) == coloured, variables
        os.close(leader)


def test_names_chosen_by_others_are_quoted(ringwall, place):
    name = "a\x1b]52;c;AAAA\x07b\u202ec"
    result = ringwall("run", "-w", place.home / name, "true").refused("\\x1b")
    assert "\x1b" not in result.err and "\u202e" not in result.err


def test_a_run_has_a_name(ringwall, place):
    assert ringwall.sh("echo $RINGWALL_RUN").ok() == "project-1"
    assert ringwall.sh("echo $RINGWALL_RUN", "--name", "my.run-2_x").ok() == "my.run-2_x"
    for bad in ("", ".hidden", "a/b", "-x", "a b", "x" * 65, "ä", "3", "1h", "always", "ok.invalid"):
        ringwall.sh("echo RAN", f"--name={bad}").refused("name")


def test_help_and_version(ringwall):
    for words in (["help"], ["--help"], ["run", "--help"], ["exec", "--help"], ["ls", "--help"], []):
        result = ringwall(*words)
        assert result.status == 0 and "ringwall" in result.out and result.err == "", words
    assert re.match(r"ringwall \d+\.\d+\.\d+", ringwall("--version").ok())


def test_completion(ringwall, bare, tmp_path):
    script = ringwall("completion", "bash").ok()
    ask = 'COMP_WORDS=(ringwall %s); COMP_CWORD=%d; _ringwall; echo "${COMPREPLY[@]}"'
    assert bare("bash", "-c", f"{script}\n{ask % ('at', 1)}").ok() == "attach"
    assert "--fresh" in bare("bash", "-c", f"{script}\n{ask % ('run --fr', 2)}").ok()
    assert "-l workspace" in ringwall("completion", "fish").ok()
    assert "bashcompinit" in ringwall("completion", "zsh").ok()
    assert "bash, zsh, fish" in ringwall("completion", "csh").refused("csh").hint()


@pytest.mark.parametrize(
    "words, offered",
    [
        ("run --cache ''", "npm cargo maven pip go ccache"),
        ("run --cache = n", "npm"),
        ("completion ''", "bash zsh fish"),
        ("import ''", "claude srt"),
        ("audit ''", "repo"),
        ("doctor --", "--json --help"),
        ("verify --", "--json --help"),
        ("ls --", "--json --names --help"),
        ("run --policy ''", "a file"),
        ("run --ro ''", "a file"),
        ("run --rw ''", "a file"),
        ("run -w ''", "a file"),
        ("run --ro x --exp", "--explain"),
        ("run cat --exp", ""),
        ("run -- cat ''", "a file"),
        ("help doc", "doctor"),
    ],
)
def test_what_completion_offers(ringwall, bare, place, words, offered):
    (place.work / "a file").write_text("")
    script = ringwall("completion", "bash").ok()
    ask = f"COMP_WORDS=(ringwall {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _ringwall"
    assert bare("bash", "-c", f'{script}\n{ask}; echo "${{COMPREPLY[@]}}"').ok() == offered


@pytest.mark.parametrize("command", ["run", "learn", "verify", "doctor", "ls", "log", "inspect", "allow", "kill", "exec", "import", "completion"])
def test_help_fits_the_screen_and_completion_knows_its_flags(ringwall, bare, command):
    text = ringwall("help", command).ok()
    assert text == ringwall(command, "--help").ok()
    assert max(map(len, text.splitlines())) <= 80 and "\n\n\n" not in text
    flags = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M))
    script = ringwall("completion", "bash").ok()
    ask = f"COMP_WORDS=(ringwall {command} --); COMP_CWORD=2; _ringwall"
    assert set(bare("bash", "-c", f'{script}\n{ask}; echo "${{COMPREPLY[@]}}"').ok().split()) == flags


def test_a_shell_line_is_no_command(ringwall):
    for words in (["ls -l"], ["A=b", "env"], ["cd", "/tmp"]):
        assert "ringwall run -- sh -c" in ringwall("run", *words).refused(words[0], status=127).hint()
    assert "→" not in ringwall("run", "no-such-program").refused("not found", status=127).err


def test_explain_of_a_command_that_cannot_be_started(ringwall, place):
    result = ringwall("run", "--explain", "no-such-program")
    assert result.status == 127 and "no-such-program (not found in PATH)" in result.out
    (place.work / "folder").mkdir()
    result = ringwall("run", "--explain", "./folder")
    assert result.status == 126 and "folder (is a folder)" in result.out
    assert "is a folder" in ringwall("run", "./folder").refused(status=126).err


def test_explain_is_tidy(ringwall):
    lines = ringwall("run", "--explain", "true").ok().splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert any(line.startswith("  git: core.fsmonitor=false  ") for line in lines)
    assert not any("GIT_CONFIG_KEY" in line for line in lines)


def test_limits(ringwall):
    assert ringwall.sh("ulimit -c; ulimit -Hc").ok() == "0\n0"
    script = "import resource as r; a, b = r.getrlimit(r.RLIMIT_NOFILE); print(a == b)"
    assert ringwall.python(script).ok() == "True"


@pytest.mark.parametrize(
    "walls, line",
    [
        ("capabilities", "CapBnd:\t.*[1-9a-f]"),
        ("no-new-privileges,landlock,system-calls", "NoNewPrivs:\t0"),
        ("system-calls", "Seccomp:\t0"),
    ],
)
def test_rights_that_are_given_up(stopped, walls, line):
    stopped("cat /proc/self/status", walls, lambda result: re.search(line, result.out))


def test_identity_inside(ringwall):
    uid, groups = ringwall.sh("id -u; id -G").ok().splitlines()
    assert uid == "65532" or int(uid) == os.getuid() or IS_ROOT
    assert uid != "0" and "0" not in groups.split()
    status = ringwall.sh("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status").ok()
    assert set(re.findall(r"Cap\w+:\s+(\w+)", status)) == {"0" * 16}
    assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status


def test_nested_is_refused_with_words(ringwall):
    inner = os.path.realpath(ringwall.path)
    result = ringwall("run", "--ro", inner, "--", inner, "run", "sh", "-c", "echo RAN")
    result.refused("sandbox")
    assert "outside" in result.hint()


def test_the_released_binary_has_no_switch(ringwall, place):
    canary = place.home / "canary"
    canary.write_text("CANARY")
    result = ringwall.sh(f"cat {canary}", env={"RINGWALL_TAKE_AWAY": "new-root,landlock,private-home"})
    assert "CANARY" not in result.out and result.status != 0


def test_the_build_for_tests_has_a_switch(stopped, mutant, place):
    canary = place.home / "canary"
    canary.write_text("CANARY")
    stopped(f"cat {canary}", "new-root,landlock", "CANARY")
    assert "CANARY" not in mutant("").sh(f"cat {canary}").out
