"""The private home: the real one is absent, named state persists, nothing else does."""

import os
import subprocess

import pytest
from conftest import IS_ROOT, without

SECRETS = {
    ".ssh/id_ed25519": "KEY1",
    ".aws/credentials": "KEY2",
    ".netrc": "KEY3",
    ".bash_history": "KEY4",
    ".config/gh/hosts.yml": "KEY5",
    ".claude/.credentials.json": "KEY6",
    ".cache/token": "KEY7",
    ".gitconfig": '[user]\n\tname = Person\n[credential]\n\thelper = "!echo KEY8"\n',
}


@pytest.fixture
def secrets(place):
    for name, text in SECRETS.items():
        path = place.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return place.home


@pytest.mark.parametrize("walls", ["private-home,landlock", "new-root,landlock"])
def test_the_real_home_is_absent(stopped, secrets, walls):
    script = "cd; cat " + " ".join(SECRETS) + "; grep -r KEY . 2>/dev/null; ls -A"
    inside = stopped(script, walls, lambda result: result.out.count("KEY") >= 8)
    for word in ("KEY", ".ssh", ".aws"):
        assert word not in inside.out


# The shell's parent is pid 1 inside, the caller when there is no wall.
WAYS = {
    "its own root": "/proc/self/root{home}",
    "its parent's root": "/proc/$PPID/root{home}",
    "its folder": "/proc/self/cwd/..",
    "its parent's folder": "/proc/$PPID/cwd/..",
    "upwards": "..",
    "an open folder": "/proc/self/fd/3/..",
}


@pytest.mark.parametrize("way", WAYS)
def test_no_other_way_leads_to_the_real_home(stopped, secrets, place, way, monkeypatch):
    monkeypatch.chdir(place.work)
    script = f"exec 3<.; cat {WAYS[way].format(home=secrets)}/.ssh/id_ed25519; echo end"
    # Through pid 1 nobody can look: it is closed to tracing, by the step that the second wall names.
    stopped(script, "new-root,landlock,pid-namespace" if "parent" in way else "new-root,landlock", "KEY")


def test_links_in_the_workspace_do_not_reach_the_real_home(stopped, secrets, place):
    (place.work / "link").symlink_to(secrets / ".ssh")
    (place.work / "up").symlink_to("..")
    for path in ("link/id_ed25519", "up/.ssh/id_ed25519"):
        stopped(f"cat {path}", "private-home,landlock", "KEY")


def test_the_private_home_is_writable_and_the_users(ringwall, place):
    script = "echo $HOME; stat -c '%a %U' ~; touch ~/new && mkdir -p ~/.config/x && echo ok"
    home, facts, ok = ringwall.sh(script).ok().splitlines()
    assert home == str(place.home) and facts.startswith("700") and ok == "ok"
    assert not (place.home / "new").exists()


def test_named_state_persists_and_nothing_else(ringwall, mutant, bare, place):
    """What one run leaves behind does not run by itself in the next (P38)."""
    planted = ".bashrc .profile .zshrc .local/bin/git bin/ls .claude/settings.json .codex/config.toml .config/git/config .gitconfig .npmrc .ssh/config"
    script = f"cd; for f in {planted} .cache/kept .cache/deep/er; do mkdir -p $(dirname $f); echo '#PLANTED' > $f; chmod +x $f; done"
    ringwall.sh(script).ok()
    left = ringwall.sh("cd; find . -type f").ok().split()
    assert sorted(left) == ["./.cache/deep/er", "./.cache/kept"]
    assert "PLANTED" in ringwall.sh("cat ~/.cache/kept").ok()
    # Both in the real home: left by the one, found by the next.
    find = f"cd; cat {planted} | sort | uniq -c"
    for leave in (lambda: bare("sh", "-c", script), lambda: open_run.sh(script)):
        open_run = mutant(without("new-root,landlock"))
        leave()
        assert open_run.sh(find).out.split() == [str(len(planted.split())), "#PLANTED"]
        for name in planted.split():
            (place.home / name).unlink()


def test_package_caches_persist(ringwall):
    folders = ".npm/_cacache .cargo/registry .cargo/git .m2/repository go/pkg/mod"
    ringwall.sh(f"cd; for d in {folders}; do mkdir -p $d; touch $d/kept ${{d%/*}}/lost; done").ok()
    left = ringwall.sh("cd; find . -type f").ok().split()
    assert not any(name.endswith("lost") for name in left)
    # Kept where their tool is on PATH.
    assert all(name.endswith("kept") for name in left)


def test_each_workspace_has_a_home_of_its_own(ringwall, stopped, place):
    other = place.home / "elsewhere/project"
    other.mkdir(parents=True)
    ringwall.sh("mkdir -p ~/.cache; touch ~/.cache/mine").ok()
    (place.home / ".cache").mkdir()
    (place.home / ".cache/mine").touch()
    assert stopped("ls ~/.cache", "private-home,landlock", "mine", "-w", other).ok() == ""
    assert ringwall.sh("ls ~/.cache").ok() == "mine"


def test_a_home_by_name_is_shared(ringwall, place):
    other = place.home / "other"
    other.mkdir()
    ringwall.sh("touch ~/.cache/shared", "--home", "both").ok()
    assert ringwall.sh("ls ~/.cache", "--home", "both", "-w", other).ok() == "shared"
    assert ringwall.sh("ls ~/.cache", "-w", other).ok() == ""


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "..", ".hidden", "a b", "x" * 65, "-x"])
def test_bad_names_of_homes(ringwall, name):
    ringwall.sh("echo RAN", f"--home={name}").refused("home.name")


def test_two_workspaces_with_one_digest_do_not_share(ringwall, place):
    """The note in the home says whose it is."""
    ringwall("run", "true").ok()
    (home,) = (place.state / "homes").iterdir()
    (home / "workspace").write_text("/another/workspace")
    result = ringwall.sh("echo RAN").refused("belongs to the workspace", "/another/workspace")
    assert "--home NAME" in result.hint()
    (home / "workspace").write_text(str(place.work))
    assert ringwall.sh("echo RAN").ok() == "RAN"


def test_fresh_starts_empty_and_keeps_nothing(ringwall):
    ringwall.sh("touch ~/.cache/old").ok()
    assert ringwall.sh("ls -A ~ | grep -v project; mkdir -p ~/.cache; touch ~/.cache/new", "--fresh").ok() == ""
    assert ringwall.sh("ls ~/.cache").ok() == "old"


def test_fresh_makes_no_home(ringwall, place):
    ringwall("run", "--fresh", "true").ok()
    assert not (place.state / "homes").exists()


def test_fresh_and_a_cache_exclude_each_other(ringwall):
    assert ringwall.sh("echo RAN", "--fresh", "--cache", "npm").refused("--fresh").hint()


def test_keep_adds_a_folder(ringwall):
    script = "mkdir -p ~/.claude/projects; touch ~/.claude/projects/kept ~/.claude/settings.json"
    ringwall.sh(script, "--keep", ".claude/projects").ok()
    assert ringwall.sh("ls ~/.claude", "--keep", "~/.claude/projects").ok() == "projects"
    assert ringwall.sh("ls ~/.claude/projects", "--keep", ".claude/projects").ok() == "kept"
    assert ringwall.sh("ls ~/.claude").status != 0


@pytest.mark.parametrize("path", ["/etc", "../x", "a/../../b", ".", "~/"])
def test_keep_stays_below_the_home(ringwall, path):
    ringwall.sh("echo RAN", f"--keep={path}").refused("home.keep")


def test_nested_kept_folders(ringwall):
    options = ["--keep", "a/b", "--keep", "a", "--keep", ".cache/x"]
    ringwall.sh("cd; mkdir -p a/b .cache/x; touch a/b/in a/out .cache/x/y", *options).ok()
    left = ringwall.sh("cd; find a .cache -type f", *options).ok().split()
    assert sorted(left) == [".cache/x/y", "a/b/in", "a/out"]


def test_private_homes_are_not_for_others(ringwall, place):
    ringwall("run", "true").ok()
    for folder in (place.state, place.state / "homes", *(place.state / "homes").iterdir()):
        assert folder.stat().st_mode & 0o077 == 0, folder


def test_a_link_planted_in_the_state_does_not_lead_out(ringwall, stopped, place):
    """Inside, kept folders are the agent's: a link there must not be followed outside later."""
    target = place.home / "target"
    target.mkdir()
    (target / "key").write_text("KEY")
    ringwall.sh(f"ln -s {target} ~/a/b", "--keep", "a").ok()
    (place.home / "a").mkdir()
    (place.home / "a/b").symlink_to(target)
    escaped = target / "escaped"
    stopped("cat ~/a/b/key", "new-root,landlock", "KEY", "--keep", "a")
    undo = {"undo": escaped.unlink}
    stopped("touch ~/a/b/escaped", "new-root,landlock", lambda _: escaped.exists(), "--keep", "a", **undo)
    # Named as a folder to keep itself, it is not followed by the one who mounts it either.
    ringwall.sh("echo RAN; cat ~/a/b/key", "--keep", "a/b").refused("a/b")
    ringwall.sh("rm ~/a/b; mkdir ~/a/b; touch ~/a/b/fine", "--keep", "a").ok()
    assert ringwall.sh("ls ~/a/b", "--keep", "a/b").ok() == "fine"


# Caches


@pytest.fixture
def npm_cache(place):
    cache = place.home / ".npm/_cacache"
    cache.mkdir(parents=True)
    (cache / "package").write_text("real")
    (place.home / ".npm/_logs").mkdir()
    (place.home / ".npm/_logs/secret").write_text("KEY")
    return cache


@pytest.mark.parametrize("left", ["ln -s /etc ~/.cache/pip", "touch ~/.cache/pip"])
def test_a_cache_that_has_no_place_is_refused_with_what_to_remove(ringwall, place, left):
    (place.home / ".cache/pip").mkdir(parents=True)
    (place.home / ".cache/pip/real").touch()
    ringwall.sh(left).ok()
    hint = ringwall.sh("echo RAN", "--cache", "pip").refused("the cache pip", "left there what is no folder").hint()
    assert hint.startswith("remove it: rm ") and hint.endswith("/.cache/pip"), hint
    ringwall.sh("true").ok()
    subprocess.run(hint.removeprefix("remove it: "), shell=True, check=True)
    assert ringwall.sh("ls ~/.cache/pip", "--cache", "pip").ok() == "real"


def test_a_cache_is_a_lower_layer(ringwall, stopped, npm_cache):
    stopped("cat ~/.npm/_cacache/package", "private-home,landlock", "real")

    def undo():
        (npm_cache / "package").write_text("real")
        (npm_cache / "new").unlink()

    script = "cd ~/.npm/_cacache; cat package; echo changed > package; echo more > new; rm -f gone"
    changed = lambda _: (npm_cache / "new").exists() and (npm_cache / "package").read_text() == "changed\n"  # noqa: E731
    assert stopped(script, "new-root,landlock", changed, "--cache", "npm", undo=undo).ok() == "real"
    assert ringwall.sh("cat ~/.npm/_cacache/*", "--cache", "npm").ok() == "more\nchanged"


def test_a_cache_shows_nothing_beside_it(stopped, npm_cache):
    stopped("cat ~/.npm/_logs/secret; grep -r . ~/.npm", "new-root,landlock", "KEY", "--cache", "npm")


def test_removing_from_a_cache_stays_inside(ringwall, stopped, npm_cache):
    script = "rm -r ~/.npm/_cacache/package && ls ~/.npm/_cacache"
    package = npm_cache / "package"
    undo = {"undo": lambda: package.write_text("real")}
    inside = stopped(script, "new-root,landlock", lambda _: not package.exists(), "--cache", "npm", **undo)
    assert inside.ok() == ""
    assert ringwall.sh("ls ~/.npm/_cacache", "--cache", "npm").ok() == ""


def test_a_cache_within_a_kept_folder(ringwall, place):
    """pip's lies in .cache, which persists as a whole."""
    (place.home / ".cache/pip/http").mkdir(parents=True)
    (place.home / ".cache/pip/http/wheel").write_text("wheel")
    (place.home / ".cache/other").write_text("KEY")
    script = "cat ~/.cache/pip/http/wheel; touch ~/.cache/pip/mine ~/.cache/own; ls ~/.cache"
    assert ringwall.sh(script, "--cache", "pip").ok() == "wheelown\npip"
    assert not (place.home / ".cache/pip/mine").exists()
    assert ringwall.sh("ls ~/.cache ~/.cache/pip", "--cache", "pip").ok().count("mine") == 1


def test_a_cache_that_is_not_there(ringwall):
    assert ringwall.sh("echo RAN", "--cache", "maven").ok() == "RAN"


def test_all_caches_together(ringwall, place):
    folders = [".npm/_cacache", ".cargo/registry", ".cargo/git", ".m2/repository", ".cache/pip", "go/pkg/mod"]
    for folder in folders:
        (place.home / folder).mkdir(parents=True)
        (place.home / folder / "x").write_text("real\n")
    options = [word for name in ("npm", "cargo", "maven", "pip", "go") for word in ("--cache", name)]
    assert ringwall.sh("cd; cat " + " ".join(f"{f}/x" for f in folders), *options).ok().split() == ["real"] * 6


def test_an_unknown_cache(ringwall):
    assert "npm, cargo" in ringwall.sh("echo RAN", "--cache", "gems").refused("gems").hint()


def test_a_cache_in_use_is_not_shared(ringwall, npm_cache):
    first = ringwall.start("run", "--cache", "npm", "--", "sh", "-c", "echo up; read line")
    assert first.stdout.readline() == b"up\n"
    result = ringwall.sh("echo RAN", "--cache", "npm").refused("npm", "in use")
    assert "--home NAME" in result.hint()
    assert ringwall.sh("echo RAN", "--cache", "npm", "--home", "second").ok() == "RAN"
    assert ringwall.sh("echo RAN").ok() == "RAN"
    first.communicate(b"\n", 60)
    assert ringwall.sh("echo RAN", "--cache", "npm").ok() == "RAN"


def test_a_cache_that_is_a_link_is_not_followed(stopped, place):
    (place.home / "secret").mkdir()
    (place.home / "secret/key").write_text("KEY")
    (place.home / ".npm").mkdir()
    (place.home / ".npm/_cacache").symlink_to(place.home / "secret")
    stopped("cat ~/.npm/_cacache/key", "new-root,landlock", "KEY", "--cache", "npm")


# HOME itself


def test_a_home_behind_a_link(ringwall, stopped, place, secrets):
    alias = place.root / "alias"
    alias.symlink_to(place.home)
    script = f"echo $HOME; cd; pwd -P; cat .ssh/id_ed25519; ls -d {place.work}; touch ~/.cache/x"
    result = ringwall.sh(script, env={"HOME": str(alias)})
    assert result.status == 0 and "KEY" not in result.out
    assert result.out.split()[:2] == [str(alias), str(place.home)]
    assert ringwall.sh("ls ~/.cache").ok() == "x"
    for home in (alias, place.home):
        stopped(f"cat {home}/.ssh/id_ed25519", "new-root,landlock", "KEY", env={"HOME": str(alias)})


def test_git_identity_is_there(ringwall, stopped, place):
    (place.home / ".gitconfig").write_text('[user]\n\tname = "A Person"\n\temail = a@example.org\n[core]\n\tpager = evil\n')
    script = "git config user.name; git config user.email; git config core.pager; git config credential.helper"
    assert stopped(script, "private-home,landlock", "evil").out.split("\n")[:3] == ["A Person", "a@example.org", ""]
    (place.home / ".gitconfig").unlink()
    (place.home / ".config/git").mkdir(parents=True)
    (place.home / ".config/git/config").write_text("[user]\nname=Other\n")
    assert ringwall.sh("git config user.name").ok() == "Other"


def repository(place, bare):
    for words in (["init", "-q", "."], ["config", "user.name", "x"], ["config", "user.email", "x@example.org"]):
        assert bare("git", *words).status == 0


def test_git_hooks_do_not_run_unless_asked(ringwall, mutant, bare, place):
    repository(place, bare)
    hook = place.work / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho HOOK >&2\n")
    hook.chmod(0o755)
    commit = "git commit -q --allow-empty -m x"
    assert "HOOK" in bare("sh", "-c", commit).err
    assert "HOOK" not in ringwall.sh(commit).err
    assert "HOOK" in ringwall.sh(commit, "--git-hooks").err
    assert "HOOK" in mutant("git-settings").sh(commit).err
    assert bare("git", "rev-list", "--count", "HEAD").out.strip() == "4"


def test_git_fsmonitor_does_not_run(stopped, bare, place):
    repository(place, bare)
    program = place.work / "monitor"
    program.write_text("#!/bin/sh\necho ran >> monitored\nexit 1\n")
    program.chmod(0o755)
    bare("git", "config", "core.fsmonitor", "./monitor")
    ran = place.work / "monitored"
    stopped("git status", "git-settings", lambda _: ran.exists(), "--no-audit", undo=ran.unlink).ok()


def test_a_folder_that_looks_like_a_bare_repository(ringwall, stopped, bare, place):
    """A repository inside a repository's files may not bring settings of its own."""
    repository(place, bare)
    inner = place.work / "inner"
    bare("git", "init", "-q", "--bare", inner)
    bare("git", "--git-dir", inner, "config", "alias.run", "!echo RAN; true")
    inside = stopped("cd inner && git rev-parse && git run", "git-settings", "RAN")
    assert inside.status != 0 and "bare" in inside.err
    assert ringwall.sh("git --git-dir=inner rev-parse --is-bare-repository").ok() == "true"


def test_host_git_settings_stay_out(ringwall, stopped, place):
    """The system's settings may name programs as well; here a file stands for them."""
    (place.work / "system").write_text('[alias]\n\trun = "!echo RAN"\n')
    system = {"GIT_CONFIG_SYSTEM": str(place.work / "system")}
    stopped("git run", "environment,git-settings", "RAN", env=system)
    assert ringwall.sh("echo $GIT_CONFIG_SYSTEM").ok() == "/etc/gitconfig"


@pytest.mark.skipif(IS_ROOT, reason="root's files have root's group")
def test_files_made_in_state_belong_to_the_caller(ringwall, place):
    ringwall.sh("touch ~/.cache/x").ok()
    (file,) = (place.state / "homes").glob("*/state/.cache/x")
    assert file.stat().st_uid == os.getuid()


STORE = ("--login", "ag:.ag", "--no-undo", "--no-audit")
AGENT = (*STORE, "--forget", ".ag/plugins")
DEEP = "import os\nos.makedirs('.ag/plugins'); os.chdir('.ag/plugins')\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"


def test_what_is_forgotten_may_be_deep(ringwall, place):
    """A start of the same agent anywhere removes it: in little memory, and with few descriptors."""
    ringwall("run", *STORE, "--", "python3", "-c", "import os; os.chdir(os.environ['HOME'])\n" + DEEP).ok()
    argv = [os.environ["RINGWALL_BIN"], "run", *AGENT, "--", "sh", "-c", "ls -A ~/.ag/plugins"]
    few = ["sh", "-c", 'ulimit -Sn 1024; exec "$@"', "-", *argv]
    result = subprocess.run(few, env=place.environment(), cwd=place.work, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert os.listdir(place.state / "logins/ag") == [".ag"] and not os.listdir(place.state / "logins/ag/.ag/plugins")


# Names that are folders now and links then, in a folder that each start of this agent removes.
SWAP = """
import os, sys
os.chdir(os.environ["HOME"] + "/.ag")
print("up", flush=True)
names = [f"plugins/{n}" for n in range(64)]
while True:
    for act in (lambda n: os.mkdir(n), lambda n: os.rmdir(n), lambda n: os.symlink(sys.argv[1], n), lambda n: os.unlink(n)):
        for name in names:
            try:
                os.makedirs("plugins", exist_ok=True)
                act(name)
            except OSError:
                pass
"""


def test_a_link_that_comes_while_it_is_removed_leads_nowhere(ringwall, place):
    precious = place.home / "precious"
    precious.write_text("data\n")
    precious.chmod(0o644)
    swaps = [ringwall.start("run", *STORE, "--", "python3", "-c", SWAP, str(precious)) for _ in range(2)]
    try:
        for swap in swaps:
            assert swap.stdout.readline() == b"up\n"
        for _ in range(80):
            ringwall("run", *AGENT, "--", "true").ok()
            assert precious.stat().st_mode & 0o777 == 0o644
    finally:
        for swap in swaps:
            swap.terminate()
            swap.communicate()


def test_a_closed_folder_is_forgotten_too(ringwall, place):
    ringwall("run", *STORE, "--", "sh", "-c", "mkdir -p ~/.ag/plugins/a && chmod 0 ~/.ag/plugins/a ~/.ag/plugins").ok()
    assert ringwall("run", *AGENT, "--", "sh", "-c", "ls -A ~/.ag/plugins").ok() == ""


AT_WORK_THERE = {
    "granted": ["--rw", "{folder}"],
    "without a home": ["-w", "{folder}", "--fresh"],
    "with a home by name": ["-w", "{folder}", "--home", "named"],
}


@pytest.mark.parametrize("how", AT_WORK_THERE)
def test_settings_are_not_read_through_links_of_an_earlier_run(ringwall, place, how):
    dotfiles, notes = place.home / "dotfiles", place.home / "Documents/notes.txt"
    (place.home / ".ag").mkdir()
    (place.home / ".ag/settings").symlink_to("../dotfiles/settings")
    dotfiles.mkdir()
    (dotfiles / "settings").write_text("mine")
    notes.parent.mkdir()
    notes.write_text("PRIVATE")
    read = ["run", "--copy", ".ag/settings", "--", "sh", "-c", "cat ~/.ag/settings; true"]
    assert ringwall(*read).ok() == "mine"
    options = [option.format(folder=dotfiles) for option in AT_WORK_THERE[how]]
    ringwall("run", *options, "--", "sh", "-c", f"cd {dotfiles} && ln -sf {notes} settings")
    assert (dotfiles / "settings").readlink() == notes
    assert "PRIVATE" not in ringwall(*read).out
