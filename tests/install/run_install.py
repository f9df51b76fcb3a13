"""make test-install: `ringwall install` on a clean Debian 12, as a new user would, with the real agent from npm.

Every start of the agent is looked at from outside, by its namespaces. Needs root, debootstrap, npm and the registry;
what is fetched stays below build/install.

    run_install.py RINGWALL [SCENE…]
"""

import hashlib
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from clean_root import CleanRoot, make_debian
from exec_watch import ExecWatch, is_inside, namespaces_of

TOP = Path(__file__).resolve().parents[2]
ROOM = Path(os.environ.get("RINGWALL_INSTALL_ROOM", TOP / "build/install"))
PACKAGE = "@anthropic-ai/claude-code"
OLD, NEW = "2.1.324", "2.1.325"
PATIENCE = 120
PROGRAM = f"lib/node_modules/{PACKAGE}/bin/claude.exe"


def fetch_node():
    """Node and npm themselves are packages of npm."""
    folder = ROOM / "node"
    if not (folder / "node_modules/npm/bin/npm-cli.js").exists():
        subprocess.run(["npm", "--silent", "--no-fund", "--no-audit", "install", "--prefix", folder, "node@24", "npm@11"],
                       check=True)
    return folder / "node_modules"


def put_node(root, prefix, owner):
    """As nvm unpacks it."""
    modules = fetch_node()
    target = root.outside(prefix)
    (target / "bin").mkdir(parents=True, exist_ok=True)
    (target / "lib/node_modules").mkdir(parents=True, exist_ok=True)
    shutil.copy2(modules / "node/bin/node", target / "bin/node")
    shutil.copytree(modules / "npm", target / "lib/node_modules/npm", symlinks=True)
    (target / "bin/npm").symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
    subprocess.run(["chown", "-R", f"{owner}:{owner}", target], check=True)


def say(text):
    print(f"  ok  {text}", flush=True)


def check(done, *words, status=0):
    text = done.stdout + done.stderr
    assert done.returncode == status, f"status {done.returncode}, not {status}:\n{text}"
    for word in words:
        assert word in text, f"{word!r} is missing in:\n{text}"
    return done


def snapshot(folder, leave_out=()):
    """Every file and link below with bytes, mode and time; every folder."""
    seen = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if os.path.relpath(f"{at}/{name}", folder) not in leave_out]
        for name in folders + files:
            path = f"{at}/{name}"
            facts = os.lstat(path)
            key = os.path.relpath(path, folder)
            if os.path.islink(path):
                seen[key] = (os.readlink(path), facts.st_mtime_ns)
            elif os.path.isdir(path):
                seen[key] = facts.st_mode
            else:
                with open(path, "rb") as file:
                    seen[key] = (hashlib.file_digest(file, "sha256").hexdigest(), facts.st_mode, facts.st_mtime_ns)
    return seen


def differences(before, after):
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


# What runs of Ringwall and of npm leave for themselves.
OWN = (".local/state", ".npm", ".cache", ".claude/cache", ".bash_history")


class Scene:
    def __init__(self, root, program):
        self.root, self.program = root, program
        self.bare = namespaces_of(root.holder.pid)

    def starts(self, user, line, *words, program=None, **more):
        """Runs a line of shell; gives who started the agent's program meanwhile, from outside."""
        with ExecWatch(self.root.outside(program or self.program)) as watch:
            check(self.root.shell(user, line, **more), *words)
        assert watch.starts, f"{line!r} did not start the agent"
        return [is_inside(start, self.bare) for start in watch.starts]

    def installed(self, user, *options):
        done = self.root.shell(user, "ringwall installed --json " + " ".join(options), cwd=f"/home/{user}/project")
        states = json.loads(done.stdout)["agents"]
        return done.returncode, {way["kind"]: way["where"] for state in states for way in state["ways_around"]}


def interactive_start(scene, user):
    """In a terminal: what is alive there is looked at from outside, then it is asked to end."""
    root = scene.root
    master, slave = pty.openpty()
    process = subprocess.Popen(root.words(user, "bash", "-ic", "claude", cwd=f"/home/{user}/project"),
                               stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    seen, found, end = b"", [], time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end and not (found and len(seen) > 200):
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536)
            found = agents_of(root.numbers[user])
        assert found, f"no process of the agent was seen; the screen: {seen[-2000:]!r}"
        return [is_inside(namespaces_of(pid), scene.bare) for pid in found]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
        os.close(master)


def agents_of(number):
    """Processes of that user whose program is the agent's."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.stat(f"/proc/{entry}").st_uid == number:
                if os.readlink(f"/proc/{entry}/exe").endswith("/claude.exe"):
                    found.append(int(entry))
        except OSError:
            continue
    return found


def refuses_unwalled(root, user, program):
    """The real agent, started past every shim, with a prompt: its own hook refuses before anything is sent."""
    done = root.shell(user, f"{program} -p 'say hi' --output-format stream-json --verbose",
                      cwd=f"/home/{user}/project",
                      environment={"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
                                   "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"})
    text = done.stdout + done.stderr
    assert "works only behind them" in text, text
    return text


def gate_is_inside(root, user):
    """In a run the agent's managed settings are the run's own: the gate judges its tool calls."""
    done = root.shell(user, "ringwall run --profile claude -- cat /etc/claude-code/managed-settings.json",
                      cwd=f"/home/{user}/project")
    check(done, "/run/ringwall/ringwall hook --agent claude --event PreToolUse")
    assert "--walled" not in done.stdout


def works_walled(root, user):
    """The same by its plain name: its hooks let the prompt through, and it goes on to what it cannot reach here."""
    done = root.shell(user, "timeout 30 claude -p 'say hi' --output-format stream-json --verbose",
                      cwd=f"/home/{user}/project", environment={"ANTHROPIC_API_KEY": "x"})
    text = done.stdout + done.stderr
    assert '"subtype":"init"' in text and "works only behind them" not in text, text


def scene_person(root):
    home = root.add_user("ann")
    number = root.numbers["ann"]
    prefix = "/home/ann/.nvm/versions/node/v24"
    put_node(root, prefix, number)
    subprocess.run(["chown", "-R", f"{number}:{number}", home / ".nvm"], check=True)
    with open(home / ".bashrc", "a", encoding="utf-8") as file:
        file.write(f'export PATH="{prefix}/bin:$PATH"  # as nvm does\n')
    check(root.shell("ann", f"npm install -g {PACKAGE}@{OLD}"))
    scene = Scene(root, f"{prefix}/{PROGRAM}")
    work = {"cwd": "/home/ann/project"}
    before = snapshot(home, OWN)
    assert scene.starts("ann", "claude --version", OLD, **work) == [False]
    say("without an installation the agent is bare")
    check(root.shell("ann", "ringwall install claude", **work), "behind the walls")
    assert scene.starts("ann", "claude --version", OLD, **work) == [True]
    assert scene.starts("ann", f"PATH={prefix}/bin:$PATH; claude --version", OLD, **work) == [True]
    say("plain `claude --version` is inside, in a shell and where nvm's bin comes first")
    works_walled(root, "ann")
    say("its hooks let a prompt through there")
    inside = interactive_start(scene, "ann")
    assert inside and all(inside), inside
    say(f"an interactive start in a terminal is inside: {len(inside)} processes of it")
    status, ways = scene.installed("ann")
    assert (status, ways) == (0, {}), ways
    check(root.shell("ann", "ringwall uninstall", **work))
    changed = differences(before, snapshot(home, OWN))
    assert changed in ([], [".local"]), changed  # there lies the record of what ran
    assert scene.starts("ann", "claude --version", OLD, **work) == [False]
    say(f"uninstall has restored every byte ({len(before)} entries compared)")
    person_later(scene, prefix, work)


def person_later(scene, prefix, work):
    root = scene.root
    check(root.shell("ann", "ringwall install claude", **work))
    check(root.shell("ann", f"mkdir -p ~/.npm-global/bin && ln -s {prefix}/{PROGRAM} ~/.npm-global/bin/claude"))
    status, ways = scene.installed("ann")
    assert status == 1 and ways["unwalled"] == "/home/ann/.npm-global/bin/claude", ways
    say("a second copy is found")
    check(root.shell("ann", "ringwall install claude", **work))
    assert scene.installed("ann") == (0, {})
    check(root.shell("ann", f"npm install -g {PACKAGE}@{NEW}"))
    assert root.outside(f"{prefix}/bin/claude").is_symlink(), "npm keeps shims by now? then much is easier"
    status, ways = scene.installed("ann")
    assert status == 1 and ways["unwalled"] == f"{prefix}/bin/claude", ways
    say("an update by npm works from outside, and is noticed")
    text = refuses_unwalled(root, "ann", f"{prefix}/{PROGRAM}")
    assert "An update had replaced" in text, text
    assert not root.outside(f"{prefix}/bin/claude").is_symlink()
    say("the agent itself, started past its shims, refuses its first prompt and has put the shim back")
    check(root.shell("ann", f"rm {prefix}/bin/claude && ln -s ../{PROGRAM} {prefix}/bin/claude"))
    assert scene.starts("ann", "claude --version", NEW, "walled again", **work) == [True]
    assert scene.installed("ann") == (0, {})
    say("and in a shell plain `claude` is walled all the while, at the new version")
    check(root.shell("ann", "ringwall uninstall", **work))


def scene_system(root):
    home = root.add_user("bob")
    put_node(root, "/usr/local", 0)
    check(root.run("root", "npm", "install", "-g", "--prefix", "/usr/local", f"{PACKAGE}@{OLD}"))
    scene = Scene(root, f"/usr/local/{PROGRAM}")
    work = {"cwd": "/home/bob/project"}
    folders = [root.outside(path) for path in ("/usr", "/etc")]
    before = [snapshot(folder) for folder in folders]
    assert scene.starts("bob", "claude --version", OLD, **work) == [False]
    check(root.run("root", "ringwall", "install", "--system", "claude"), "for everybody")
    check(root.run("root", "ringwall", "uninstall", "--system"))
    changed = [key for old, folder in zip(before, folders) for key in differences(old, snapshot(folder))]
    assert changed == [], changed
    say(f"uninstall --system has restored every byte of /usr and /etc ({sum(map(len, before))} entries compared)")
    check(root.run("root", "ringwall", "install", "--system", "claude"), "for everybody")
    assert scene.starts("bob", "claude --version", OLD, **work) == [True]
    assert scene.starts("bob", "env -i HOME=$HOME PATH=/usr/local/bin:/usr/bin:/bin claude --version", OLD, **work) == [True]
    say("under the system's prefix plain `claude` is inside for another user, also with cron's PATH")
    works_walled(root, "bob")
    gate_is_inside(root, "bob")
    say("its tool calls are judged by the gate of the run")
    inside = interactive_start(scene, "bob")
    assert inside and all(inside), inside
    say("an interactive start in a terminal is inside")
    refuses_unwalled(root, "bob", f"/usr/local/{PROGRAM}")
    say("managed settings refuse an agent that is started past the shim")
    check(root.run("root", "npm", "install", "-g", "--prefix", "/usr/local", f"{PACKAGE}@{NEW}"))
    status, ways = scene.installed("bob", "--system")
    assert status == 1 and ways["unwalled"] == "/usr/local/bin/claude", ways
    refuses_unwalled(root, "bob", "claude")
    say("an update by npm is noticed; until root installs again, the agent refuses to work")
    check(root.run("root", "ringwall", "install", "--system", "claude"))
    assert scene.starts("bob", "claude --version", NEW, **work) == [True]
    check(root.run("root", "ringwall", "uninstall", "--system"))
    assert os.readlink(root.outside("/usr/local/bin/claude")) == f"../{PROGRAM}"
    assert not (home / ".claude/settings.json").exists()
    say("after it is installed again, the new version is inside; uninstall leaves npm's new link")


CONTROL = "Package: agent-x\nVersion: {version}\nArchitecture: all\nMaintainer: x <x@example.com>\nDescription: x\n"


def build_package(root, version):
    folder = f"/root/agent-{version}"
    root.put(f"{folder}/DEBIAN/control", CONTROL.format(version=version))
    root.put(f"{folder}/usr/bin/codex", f"#!/bin/sh\necho AGENT {version}\nexec /usr/bin/readlink /proc/self/ns/pid\n", 0o755)
    check(root.run("root", "dpkg-deb", "--build", folder, f"/root/agent-{version}.deb"))
    check(root.run("root", "dpkg", "-i", f"/root/agent-{version}.deb"))


def scene_package(root):
    """A program that a package of Debian's owns."""
    root.add_user("cyd")
    work = {"cwd": "/home/cyd/project"}
    build_package(root, 1)
    before = snapshot(root.outside("/usr"))
    here = os.readlink("/proc/self/ns/pid")
    check(root.shell("cyd", "codex", **work), "AGENT 1", here)
    check(root.run("root", "ringwall", "install", "--system", "codex"), "diverted")
    assert here not in check(root.shell("cyd", "codex", **work), "AGENT 1").stdout
    check(root.run("root", "dpkg-divert", "--list"), "/usr/lib/ringwall/real/codex")
    build_package(root, 2)
    assert here not in check(root.shell("cyd", "codex", **work), "AGENT 2").stdout
    say("a package's program is diverted; the package's update arrives, and is walled")
    check(root.run("root", "ringwall", "uninstall", "--system"))
    check(root.shell("cyd", "codex", **work), "AGENT 2", here)
    assert "ringwall" not in root.run("root", "dpkg-divert", "--list").stdout
    changed = [key for key in differences(before, snapshot(root.outside("/usr"))) if key != "bin/codex"]
    assert changed == [], changed
    check(root.run("root", "dpkg", "--verify", "agent-x"))
    say("uninstall ends the diversion; dpkg finds nothing changed")


def scene_without_namespaces(root):
    home = root.add_user("dee")
    number = root.numbers["dee"]
    put_node(root, "/home/dee/.nvm/versions/node/v24", number)
    target = home / ".nvm/versions/node/v24/bin/claude"
    target.symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
    subprocess.run(["chown", "-R", f"{number}:{number}", home], check=True)
    before = snapshot(home)
    script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
    prefix = ["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", script, "sh"]
    done = check(root.run("dee", "ringwall", "install", "claude", prefix=prefix, cwd="/home/dee/project"),
                 "nothing was changed", "sysctl", status=125)
    assert differences(before, snapshot(home)) == []
    say("user namespaces off: refused, with the fix, and nothing is left")
    print("      " + done.stderr.strip().replace("\n", "\n      "))


def scene_codex(root):
    """Another agent whose managed hooks refuse."""
    root.add_user("eve")
    put_node(root, "/usr/local", 0)
    check(root.run("root", "npm", "install", "-g", "--prefix", "/usr/local", "@openai/codex"))
    check(root.run("root", "ringwall", "install", "--system", "codex"))
    work = {"cwd": "/home/eve/project", "environment": {"OPENAI_API_KEY": "x", "CODEX_API_KEY": "x"}}
    check(root.shell("eve", "codex --version", **work), "codex-cli")
    program = "/usr/local/lib/node_modules/@openai/codex/bin/codex.js"
    line = f"timeout 60 {program} exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox 'say hi'"
    check(root.shell("eve", line, **work), "UserPromptSubmit Blocked", "sandbox: read-only")
    say("Codex, started past its shim with its bypass flag, has no bypass and refuses its first prompt")
    check(root.run("root", "ringwall", "uninstall", "--system"))
    assert not root.outside("/etc/codex").exists()


SCENES = {"codex": scene_codex, "person": scene_person, "system": scene_system, "package": scene_package,
          "without-namespaces": scene_without_namespaces}


def main():
    if os.getuid() != 0:
        print("SKIPPED: a root of its own needs root")
        return 77
    program, *names = sys.argv[1:]
    for name in names or SCENES:
        print(f"{name}:", flush=True)
        make_debian(ROOM / "debian")
        with CleanRoot(ROOM / "debian", ROOM / "room", ROOM / "npm-cache") as root:
            root.put("/usr/local/bin/ringwall", Path(program).read_bytes(), 0o755)
            SCENES[name](root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
