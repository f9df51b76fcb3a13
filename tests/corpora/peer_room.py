"""What the adapters of the peers share: where they are installed, what they pass on, whose home they see."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import host as hosts
import walls

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/network"))

from lab import namespaces  # noqa: E402

# Of tools that take names of variables and no rule, a careful person lists these.
SECRET_VARIABLES = (
    "AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GH_TOKEN NPM_TOKEN ANTHROPIC_API_KEY OPENAI_API_KEY "
    "GEMINI_API_KEY DATABASE_URL SSH_AUTH_SOCK"
).split()
# What a careful person keeps unreadable in a workspace, with tools that know patterns.
SECRET_FILES = ("**/.env", "**/.env.*", "**/*.pem", "**/*.key")
# Who commits stands here: every tool that hides the home is given it, read-only.
GIT_SETTINGS = ".gitconfig"
PASSED = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TERM", "SHELL")


class Peer(walls.Wall):
    """Runs as an ordinary user, whoever compares."""

    title = ""
    about = ""  # the setting, in words
    is_default = False  # or the best that its documents give

    def user(self):
        return hosts.ordinary_user()

    def prepare(self, host, case):
        """What a person does before: settings files, and the like."""

    def run(self, host, case):
        self.prepare(host, case)
        host.own()
        return super().run(host, case)

    def wants_network(self, case):
        return any(case.options.get(need) for need in ("hosts", "private_hosts", "publish", "reach_host"))


def first_failure(words, env=None):
    """Why this small run of a tool fails, as an ordinary user; None if it does not."""
    user = hosts.ordinary_user()
    become = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", stdin=subprocess.DEVNULL, env=env, **become)
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return None if done.returncode == 0 else f"it gave {done.returncode}: {' '.join(said[-2:])}"


def npm_folder():
    """Where tools/install_peers.sh installed what comes from the npm registry."""
    return Path(os.environ.get("RINGWALL_PEERS", TOP / "build/peers"))


def of_path(program):
    return shutil.which(program, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")


def first_line(*words):
    if not of_path(words[0]):
        return ""
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return (done.stdout.splitlines() or [""])[0].strip()


def as_list(host, case, need):
    """The values of a need, filled in, as texts."""
    value = case.options.get(need, [])
    values = value if isinstance(value, (list, tuple)) else [value]
    return [host.fill_in(str(one)) for one in values]


def plain_environment(host, case):
    """What a program needs, and what the person passes on purpose."""
    all_of_it = host.environment()
    chosen = {name: all_of_it[name] for name in PASSED if name in all_of_it}
    for word in as_list(host, case, "variables"):
        name, equals, value = word.partition("=")
        if equals or name in all_of_it:
            chosen[name] = value if equals else all_of_it[name]
    return chosen


def own_account(host):
    """For a tool that asks the list of accounts for the home: there, too, it is the throw-away one."""
    list_of_accounts = host.root / "passwd"
    lines = Path("/etc/passwd").read_text().splitlines()
    for number, line in enumerate(lines):
        fields = line.split(":")
        if fields[0] == host.user.pw_name:
            lines[number] = ":".join([*fields[:5], str(host.home), *fields[6:]])
    list_of_accounts.write_text("\n".join(lines) + "\n")
    list_of_accounts.chmod(0o644)
    become = type(host).become

    def with_own_account():
        if os.getuid() == 0:
            namespaces.own_mounts()
            namespaces.bind(list_of_accounts, "/etc/passwd")
        become(host)

    host.become = with_own_account
