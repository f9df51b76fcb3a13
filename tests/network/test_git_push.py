"""`--git-push`: git logs in to granted hosts, and the keys it logs in with stay outside."""

import getpass
import os
import shutil
import subprocess

import pytest

from lab import names

GIT = names.full("git")
SSH = f"{GIT}:{names.SSH_PORT}"
WHO = getpass.getuser()


@pytest.fixture
def keys(lab, place, monkeypatch):
    """An ssh-agent with the key that the lab's server knows and one more, and a known_hosts."""
    folder = place.home / ".ssh"
    folder.mkdir(mode=0o700)
    shutil.copy(lab.folder / "client_key", folder / "id_lab")
    shutil.copy(lab.folder / "client_key.pub", folder / "id_lab.pub")
    (folder / "id_lab").chmod(0o600)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "other", "-f", folder / "other"], check=True)
    shutil.copy(lab.folder / "known_hosts", folder / "known_hosts")
    socket = place.home / "agent.sock"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    around = dict(os.environ, SSH_AUTH_SOCK=str(socket))
    while subprocess.run(["ssh-add", "-l"], env=around, capture_output=True).returncode == 2:
        assert agent.poll() is None
    plain = place.environment
    monkeypatch.setattr(place, "environment", lambda extra=None: plain({"SSH_AUTH_SOCK": str(socket), **(extra or {})}))
    subprocess.run(["ssh-add", "-q", folder / "id_lab", folder / "other"], env=around, check=True, stderr=subprocess.DEVNULL)
    yield folder
    agent.kill()
    agent.wait()


def push(keys):
    return ["--git-push", "--git-key", keys / "id_lab.pub", "--allow", SSH]


def log_in(said):
    return f"ssh -o BatchMode=yes {WHO}@{GIT} echo {said}"


def test_git_over_ssh(lab, ringwall, keys):
    url = f"ssh://{WHO}@{GIT}{lab.folder}/repositories/thing.git"
    script = f"""set -e
git clone -q {url} copy && cd copy && date >now && git add now
git -c user.name=a -c user.email=a@b.c commit -q -m now && git push -q origin HEAD:refs/heads/by-ssh
git ls-remote {url} refs/heads/by-ssh | wc -l"""
    result = ringwall.sh(script, *push(keys), timeout=120)
    assert result.status == 0 and result.out.strip() == "1", result


@pytest.mark.parametrize("more", [[], ["--profile", "claude"]], ids=["alone", "beside the gate"])
def test_only_the_named_key_is_shown(lab, ringwall, bare, keys, more):
    assert bare("ssh-add", "-l").out.count("\n") == 2
    listed = ringwall.sh("ssh-add -l", *push(keys), *more)
    assert listed.out.count("\n") == 1 and " lab " in listed.out, listed


def test_without_it_there_is_no_agent(lab, ringwall, keys):
    result = ringwall.sh(f"ssh-add -l; {log_in('IN')}; env", "--allow", SSH)
    assert "IN" not in result.out.split() and "SSH_AUTH_SOCK" not in result.out


@pytest.mark.parametrize(
    "act",
    [
        "ssh-add -D",
        "ssh-add -d {home}/.ssh/id_lab.pub",
        "ssh-keygen -q -t ed25519 -N '' -f own && ssh-add own",
        "ssh-add -s /usr/lib/nothing.so",
        "echo word >text && ssh-keygen -Y sign -n file -f {pub} text",
    ],
)
def test_the_agent_does_nothing_but_log_in(lab, ringwall, bare, keys, place, act):
    """Signing anything else, and every change of the keys, is the person's."""
    shutil.copy(keys / "id_lab.pub", place.work / "shown.pub")
    script = act.format(home=place.home, pub="shown.pub")
    assert ringwall.sh(script, *push(keys)).status != 0
    assert bare("ssh-add", "-l").out.count("\n") == 2, "nothing has changed outside"
    if "sign" in act:
        assert bare("sh", "-c", script).status == 0, "outside it works"


def test_a_host_that_is_not_granted_gets_no_login(lab, ringwall, keys, place):
    """Its key is known to the person; inside, the host cannot be reached and no signature is made."""
    result = ringwall.sh(log_in("IN"), "--git-push", "--git-key", keys / "id_lab.pub", "--allow", f"{names.full('www')}:{names.SSH_PORT}")
    assert result.status == 125 and "known_hosts" in result.err, result


def test_a_server_with_another_key_gets_no_login(lab, ringwall, keys, place):
    """As a host in the middle would have: the person's known_hosts decides, not the one inside."""
    lines = (keys / "known_hosts").read_text().split()
    other = (keys / "other.pub").read_text().split()[1]
    (keys / "known_hosts").write_text(f"{lines[0]} {lines[1]} {other}\n")
    script = f"ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null {WHO}@{GIT} echo IN"
    result = ringwall.sh(script, *push(keys))
    assert "IN" not in result.out.split() and "your ssh-agent" in result.err, result


def test_keys_are_not_inside(lab, ringwall, keys):
    secret = (keys / "id_lab").read_text().splitlines()[2]
    script = f"{log_in('IN')}; cat ~/.ssh/* /run/ringwall/* /proc/*/environ 2>/dev/null; echo; ls -A ~/.ssh"
    found = ringwall.sh(script, *push(keys)).out
    assert "IN" in found and secret not in found and found.split()[-1] == "known_hosts", found


@pytest.fixture
def helper(place, tmp_path):
    """The person's own credential helper, which writes down what it was asked."""
    program = place.home / "credential-helper"
    program.write_text(f'#!/bin/sh\ncat >>{tmp_path}/asked\n[ "$1" = get ] && printf "username=me\\npassword=tok3n\\n"\n')
    program.chmod(0o755)
    (place.home / ".gitconfig").write_text(f"[credential]\n\thelper = {program}\n")
    return tmp_path / "asked"


def fill(host):
    return f"printf 'protocol=https\\nhost={host}\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill"


def test_a_credential_for_a_granted_host(lab, ringwall, helper):
    result = ringwall.sh(fill(GIT), "--git-push", "--allow", GIT)
    assert "password=tok3n" in result.out, result
    assert helper.read_text() == f"protocol=https\nhost={GIT}\n"


def test_a_host_that_the_helper_does_not_know(lab, ringwall, place):
    """Git inside must be able to ask: an empty login would be tried, and refused."""
    program = place.home / "credential-helper"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (place.home / ".gitconfig").write_text(f"[credential]\n\thelper = {program}\n")
    asking = "printf '#!/bin/sh\\necho typed\\n' >ask; chmod +x ask; export GIT_ASKPASS=$PWD/ask; "
    result = ringwall.sh(asking + fill(GIT), "--git-push", "--allow", GIT)
    assert "username=typed" in result.out and "password=typed" in result.out, result


@pytest.mark.parametrize("host", ["evil.net", f"{GIT}:8443", f"{GIT}%0aevil", f"sub.{GIT}", "93.184.216.10"])
def test_no_credential_for_another_host(lab, ringwall, helper, host):
    result = ringwall.sh(fill(host), "--git-push", "--allow", GIT)
    assert "tok3n" not in result.out + result.err and not helper.exists(), result


def test_no_credential_without_the_flag(lab, ringwall, helper):
    assert "tok3n" not in ringwall.sh(fill(GIT), "--allow", GIT).out and not helper.exists()


def test_nonsense_at_the_sockets_harms_nobody(lab, ringwall, keys, helper):
    script = f"""
for socket in ssh-agent git-credentials; do
  python3 -c "
import os, socket, sys
for n in range(200):
    line = socket.socket(socket.AF_UNIX); line.settimeout(5); line.connect('/run/ringwall/$socket')
    try:
        line.sendall(os.urandom(n * 7)); line.shutdown(1); line.recv(100)
    except OSError: pass
"
done
ssh-add -l && {fill(GIT)}"""
    result = ringwall.sh(script, *push(keys), "--allow", GIT, timeout=120)
    assert " lab " in result.out and "tok3n" in result.out, result


def test_a_git_of_the_workspace_is_not_run_outside(lab, ringwall, place, helper, tmp_path):
    """A folder of the workspace stands in PATH, as an activated virtual environment's does."""
    tools = place.work / ".venv/bin"
    tools.mkdir(parents=True)
    plant = f"printf '#!/bin/sh\\ntouch {place.home}/escaped\\n' >.venv/bin/git && chmod +x .venv/bin/git"
    environment = {"PATH": f"{tools}:{os.environ['PATH']}"}
    result = ringwall.sh(f"{plant}; {fill(GIT).replace('git ', '/usr/bin/git ')}", "--git-push", "--allow", GIT, env=environment)
    assert not (place.home / "escaped").exists(), "what was written inside ran outside"
    assert "password=tok3n" in result.out, result


def test_refused_credentials_do_not_fill_the_terminal(lab, ringwall, helper):
    script = """
import socket
for n in range(100):
    line = socket.socket(socket.AF_UNIX)
    line.connect('/run/ringwall/git-credentials')
    line.sendall(b'action=get\\nprotocol=https\\nhost=evil%d.net\\n\\n' % n)
    line.shutdown(socket.SHUT_WR)
    assert line.recv(100) == b''
"""
    result = ringwall.python(script, "--git-push", "--allow", GIT)
    assert result.status == 0 and 1 <= result.err.count("no credential") <= 10, result


@pytest.fixture
def shell(ringwall):
    """A run that does line by line what it is told."""
    made = []

    def start(*flags):
        process = ringwall.start("run", "--name", "live", *flags, "--", "sh", "-c", 'while read -r line; do eval "$line"; echo; done')
        made.append(process)
        ringwall.wait_for_run("live")

        def do(line):
            process.stdin.write(line.encode() + b"; echo .\n")
            process.stdin.flush()
            said = []
            while (word := process.stdout.readline().decode()) != ".\n":
                assert word, process.stderr.read()
                said.append(word)
            return "".join(said)

        return do

    yield start
    for process in made:
        process.communicate(timeout=120)


def test_a_denial_while_it_goes_on_ends_logins(lab, ringwall, keys, helper, shell):
    """The network is closed, and neither signature nor credential is given; the last word holds."""
    do = shell(*push(keys), "--allow", GIT)
    # Kept open from before the denial.
    hold = "python3 -c \"import socket,os,time; s=socket.socket(socket.AF_UNIX); s.connect('/run/ringwall/git-credentials'); "
    hold += f"s.sendall(b'action=get\\nprotocol=https\\nhost={GIT}\\n\\n'); open('up','w'); "
    hold += "exec('while not os.path.exists(chr(103)): time.sleep(.01)'); s.shutdown(1); print(s.recv(99), flush=True)\" > held &"
    do(hold + " while ! test -e up; do sleep .01; done")
    assert "IN" in do(log_in("IN")) and "tok3n" in do(fill(GIT))
    ringwall("deny", "live", GIT).ok()
    asked = helper.read_text()
    assert "IN" not in do(f"{log_in('IN')} 2>&1 | grep -x IN") and "tok3n" not in do(fill(GIT) + " 2>&1")
    # What signs for a login says no, wherever ssh connects to.
    do("touch g; wait; cat held")
    assert "tok3n" not in do("cat held") and helper.read_text() == asked
    ringwall("allow", "live", GIT).ok()
    ringwall("allow", "live", SSH).ok()
    assert "IN" in do(log_in("IN")) and "tok3n" in do(fill(GIT))


def test_what_is_granted_later_gets_no_login(lab, ringwall, keys, helper, shell):
    do = shell("--git-push", "--allow", names.full("www"))
    ringwall("allow", "live", GIT).ok()
    assert "tok3n" not in do(fill(GIT) + " 2>&1") and not helper.exists()
