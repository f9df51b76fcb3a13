"""The program and the toolchain it needs are found and granted, exactly and no wider.

The installations are made up: each has the shape of a real one, and a secret as its neighbour.
"""

import json
import os
import subprocess

import pytest


# What a program of these tests does: it tells its name, and shows the files it is asked for.
SHOW = 'for file; do cat "$file"; done\n'
TELL = "#!/bin/sh\necho RAN $0\n" + SHOW


def program(path, text=TELL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def secret(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("SECRET")
    return path


def path_with(*folders):
    return {"PATH": ":".join([*map(str, folders), "/usr/bin", "/bin"])}


@pytest.fixture
def check(ringwall, stopped):
    """The command runs, and cannot read its neighbours: it is asked itself, under its own grants."""

    def check(command, path, neighbours):
        result = ringwall("run", *command, env=path)
        assert result.status == 0 and result.out.startswith("RAN"), result
        everything = lambda result: result.out.count("SECRET") == len(neighbours)  # noqa: E731
        inside = stopped([*command, *neighbours], "new-root,landlock", everything, env=path)
        assert inside.out.startswith("RAN") and "SECRET" not in inside.out, inside
        plan = json.loads(ringwall("run", "--explain", "--json", command[0], env=path).out)
        shown = [mount["source"] for mount in plan["mounts"] if mount["kind"] == "bind"]
        assert str(ringwall.place.work) in shown
        for name in map(str, neighbours):
            assert [grant for grant in shown if f"{name}/".startswith(f"{grant}/")] == []
        assert "SECRET" not in ringwall.sh("grep -rs SECRET ~", env=path).out

    return check


def test_node_by_nvm(ringwall, check, place):
    node = program(place.home / ".nvm/versions/node/v20.1.0/bin/node")
    modules = place.home / ".nvm/versions/node/v20.1.0/lib/node_modules"
    tool = program(modules / "tool/cli.js", "#!/usr/bin/env node\n")
    (node.parent / "tool").symlink_to("../lib/node_modules/tool/cli.js")
    (modules / "tool/data").write_text("data")
    neighbours = [
        secret(place.home / ".nvm/other"),
        secret(place.home / ".nvm/alias/default"),
        secret(place.home / ".nvm/versions/node/v18.0.0/secret"),
        secret(place.home / ".npmrc"),
    ]
    path = path_with(node.parent)
    check(["tool"], path, neighbours)
    assert ringwall.sh(f"cat {modules}/tool/data", env=path).ok() == "data"


def test_a_toolchain_is_read_only(stopped, place):
    node = program(place.home / ".nvm/versions/node/v20.1.0/bin/node")
    new = node.parent / "new"
    acts = (
        (f"echo x > {node}", lambda _: node.read_text() == "x\n", lambda: program(node)),
        (f"touch {new}", lambda _: new.exists(), new.unlink),
    )
    for act, done, undo in acts:
        inside = stopped(act, "read-only,landlock", done, undo=undo, env=path_with(node.parent))
        assert "Read-only" in inside.err


def test_python_by_pyenv(check, place):
    root = place.home / ".pyenv"
    program(root / "versions/3.12.0/bin/python")
    shim = program(root / "shims/python", f'#!/bin/sh\nexec "{root}/versions/3.12.0/bin/python" "$@"\n')
    neighbours = [secret(place.home / ".python_history"), secret(place.home / ".pypirc")]
    check(["python"], path_with(shim.parent), neighbours)


def test_rust_by_rustup(ringwall, check, place):
    proxy = program(place.home / ".cargo/bin/rustup", '#!/bin/sh\nexec ~/.rustup/toolchains/stable/bin/cargo "$@"\n')
    (proxy.parent / "cargo").symlink_to("rustup")
    program(place.home / ".rustup/toolchains/stable/bin/cargo")
    (place.home / ".rustup/settings.toml").write_text('default = "stable"\n')
    neighbours = [
        secret(place.home / ".cargo/credentials.toml"),
        secret(place.home / ".cargo/config.toml"),
        secret(place.home / ".rustup/tmp/secret"),
    ]
    (place.home / ".rustup/update-hashes").mkdir()
    check(["cargo"], path_with(proxy.parent), neighbours)
    # The real rustup makes this folder if it is not there, and fails if it cannot.
    assert ringwall.sh("test -d ~/.rustup/update-hashes && echo there", env=path_with(proxy.parent)).ok() == "there"


def test_links_of_local_bin(ringwall, check, place):
    tool = program(place.home / ".local/share/uv/tools/ruff/bin/ruff")
    pipx = program(place.home / ".local/share/pipx/venvs/black/bin/black")
    own = program(place.home / "src/own/tool.sh")
    local = place.home / ".local/bin"
    local.mkdir(parents=True)
    for target in (tool, pipx, own):
        (local / target.name.split(".")[0]).symlink_to(target)
    neighbours = [
        secret(place.home / ".local/share/uv/credentials"),
        secret(place.home / ".local/share/uv/tools/other/secret"),
        secret(place.home / "src/own/secret"),
        secret(place.home / ".local/share/keyrings/login.keyring"),
        secret(local / "notes.txt"),
    ]
    for name in ("ruff", "black", "tool"):
        check([name], path_with(local), neighbours)
    result = ringwall.sh("ls -A ~/.local/bin; ruff; black; tool", env=path_with(local))
    assert result.out.split("RAN")[0].split() == ["black", "ruff", "tool"] and result.out.count("RAN") == 3


def test_claude_code_by_its_own_installer(check, place):
    binary = program(place.home / ".local/share/claude/versions/2.0.1")
    program(place.home / ".local/share/claude/versions/1.9.9")
    local = place.home / ".local/bin"
    local.mkdir(parents=True)
    (local / "claude").symlink_to(binary)
    neighbours = [secret(place.home / ".claude/.credentials.json"), secret(place.home / ".claude.json")]
    check(["claude"], path_with(local), neighbours)


def test_a_global_package_of_npm(check, place):
    modules = place.home / ".npm-global/lib/node_modules"
    program(modules / "@scope/agent/dist/cli.js", "#!/usr/bin/env sh\necho RAN agent\n" + SHOW)
    binary = place.home / ".npm-global/bin"
    binary.mkdir()
    (binary / "agent").symlink_to("../lib/node_modules/@scope/agent/dist/cli.js")
    neighbours = [secret(place.home / ".npm-global/etc/npmrc"), secret(place.home / ".npmrc")]
    check(["agent"], path_with(binary), neighbours)


def test_a_package_elsewhere_is_granted_alone(check, place):
    modules = place.home / "apps/node_modules"
    cli = program(modules / "@scope/agent/dist/cli.js", "#!/bin/sh\necho RAN; cat ${0%/*}/../data\n" + SHOW)
    (modules / "@scope/agent/data").write_text("data")
    neighbours = [secret(modules / "other/secret"), secret(modules / "@scope/neighbour/secret"), secret(place.home / "apps/secret")]
    check([str(cli)], path_with(), neighbours)


def test_a_virtual_environment_outside_the_workspace(ringwall, check, place):
    venv = place.home / "envs/app"
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", venv], check=True)
    (venv / "lib/marker.txt").write_text("marker")
    show = "import sys; print('RAN', sys.prefix)\nfor name in sys.argv[1:]:\n  try: print(open(name).read())\n  except OSError: pass\n"
    tool = program(venv / "bin/tool", f"#!{venv}/bin/python\n{show}")
    neighbours = [secret(place.home / "envs/secret"), secret(place.home / "envs/other/secret")]
    check([str(tool)], path_with(), neighbours)
    assert str(venv) in ringwall("run", str(tool)).ok()


def test_a_single_program_is_granted_alone(ringwall, check, place):
    tool = program(place.home / "scripts/tool")
    neighbours = [secret(place.home / "scripts/secret"), program(place.home / "scripts/other", "SECRET")]
    check([str(tool)], path_with(), neighbours)
    assert ringwall("run", str(tool), env=path_with()).ok().startswith("RAN")
    assert ringwall("run", "tool", env=path_with(tool.parent)).ok().startswith("RAN")


def test_an_env_shebang_finds_the_interpreter(ringwall, place):
    interpreter = program(place.home / "lang/bin/mylang", "#!/bin/sh\necho RAN mylang $1\n")
    tool = program(place.home / "scripts/tool", "#!/usr/bin/env mylang\n")
    result = ringwall("run", tool, env=path_with(interpreter.parent))
    assert result.ok() == f"RAN mylang {tool}"
    program(tool, "#!/usr/bin/env -S mylang --flag\n")
    assert ringwall("run", tool, env=path_with(interpreter.parent)).ok() == "RAN mylang --flag"
    # A path in a first line leads only to where programs are; elsewhere it must be granted.
    program(tool, f"#!{interpreter}\n")
    ringwall("run", tool).refused("interpreter", status=126)
    assert ringwall("run", "--ro", interpreter, tool).ok().startswith("RAN mylang")


def test_a_chain_of_links_keeps_its_names(ringwall, place):
    tool = program(place.home / "opt/tool-1.2/tool")
    (place.home / "opt/current").symlink_to("tool-1.2")
    (place.home / "bin").mkdir()
    (place.home / "bin/tool").symlink_to("../opt/current/tool")
    result = ringwall("run", "tool", env=path_with(place.home / "bin"))
    assert result.ok() == f"RAN {place.home}/bin/tool"
    assert tool.exists()


def test_folders_of_path_that_are_not_there_inside_are_left_out(ringwall, stopped, place):
    (place.home / "bin").mkdir()
    stopped(f"cat {secret(place.home / 'bin/notes')}", "private-home,landlock", "SECRET", env=path_with(place.home / "bin"))
    path = ringwall.sh("echo $PATH", env=path_with(place.home / "bin", "/nonexistent", ".", "")).ok()
    assert str(place.home) not in path and "/nonexistent" not in path and "." not in path.split(":")
    assert {"/usr/bin", "/bin"} <= set(path.split(":"))


# What the workspace may not bring about


@pytest.fixture
def key(place):
    return secret(place.home / ".ssh/id_ed25519")


def test_a_link_in_the_workspace_grants_nothing(ringwall, stopped, place, key):
    key.chmod(0o700)
    (place.work / "tool").symlink_to(key)
    result = ringwall("run", "./tool")
    assert result.status in (126, 127) and "SECRET" not in result.out
    assert str(key) not in ringwall("run", "--explain", "--json", "./tool").out.replace(f'"program":"{key}"', "")
    for path in (key, "tool"):
        stopped(f"cat {path}", "private-home,landlock", "SECRET")


def test_a_shebang_in_the_workspace_grants_nothing(ringwall, stopped, place, key):
    program(key, "#!/bin/sh\necho SECRET\n")
    program(place.work / "tool", f"#!{key}\n")
    assert stopped(["./tool"], "private-home,landlock", "SECRET").status == 126
    assert str(key) not in ringwall("run", "--explain", "--json", "./tool").out


def test_a_program_on_path_that_leads_into_the_workspace_grants_nothing_more(ringwall, stopped, place, key):
    program(key, "#!/bin/sh\necho SECRET\n")
    program(place.work / "evil", f"#!{key}\n")
    (place.work / "link").symlink_to(key)
    local = place.home / ".local/bin"
    local.mkdir(parents=True)
    for name in ("evil", "link"):
        (local / name).symlink_to(place.work / name)
    for name in ("evil", "link"):
        act = ["sh", "-c", name]
        assert stopped(act, "private-home,landlock", "SECRET", env=path_with(local)).status != 0
        result = ringwall("run", name, env=path_with(local))
        assert result.status != 0 and "SECRET" not in result.out
        plan = ringwall("run", "--explain", "--json", name, env=path_with(local)).out
        assert f'"path":"{key}"' not in plan


def test_a_workspace_folder_on_path_grants_nothing(ringwall, stopped, place, key):
    program(place.work / "node_modules/.bin/tool", f"#!/usr/bin/env {key}\n")
    (place.work / "node_modules/.bin/link").symlink_to(key)
    path = path_with(place.work / "node_modules/.bin")
    stopped(f"cat {key}", "private-home,landlock", "SECRET", env=path)
    assert f'"path":"{key}"' not in ringwall("run", "--explain", "--json", "tool", env=path).out


def test_an_installation_that_would_be_the_whole_home(ringwall, stopped, place, key):
    """A pyvenv.cfg in the home must not make the home an installation."""
    (place.home / "pyvenv.cfg").write_text("")
    program(place.home / "bin/tool")
    result = ringwall("run", place.home / "bin/tool")
    if result.status == 125:
        result.refused("holds more than programs")
    stopped(f"cat {key}", "private-home,landlock", "SECRET", env=path_with(place.home / "bin"))


def test_a_private_file_as_program(ringwall, stopped, place, key):
    """Asked for by its name, it is the person's own wish, and still nothing beside it."""
    other = secret(place.home / ".ssh/other")
    program(key, f"#!/bin/sh\ncat {other}\n")
    stopped([str(key)], "new-root,landlock", "SECRET")
    plan = json.loads(ringwall("run", "--explain", "--json", key).out)
    shown = {mount["path"] for mount in plan["mounts"] if mount["kind"] == "bind"}
    assert str(other) not in shown and str(key.parent) not in shown


def test_a_loop_of_interpreters(ringwall, place):
    one, two = place.home / "one", place.home / "two"
    program(one, f"#!{two}\n")
    program(two, f"#!{one}\n")
    assert ringwall("run", one).status == 126
    os.symlink("loop", place.home / "loop")
    assert ringwall("run", place.home / "loop").status == 127


# What an earlier run may not bring about


@pytest.fixture
def other(place):
    """Another workspace, in which an agent was at work before."""
    folder = place.home / "other"
    (folder / ".git").mkdir(parents=True)
    return folder


def test_a_link_into_another_workspace_grants_the_program_alone(ringwall, place, other):
    tool, notes = program(other / "bin/tool"), secret(other / "notes")
    local = place.home / ".local/bin"
    local.mkdir(parents=True)
    (local / "tool").symlink_to(tool)
    ringwall.sh("touch pyvenv.cfg", cwd=other).ok()
    result = ringwall.sh(f"tool; cat {notes}", env=path_with(local))
    assert result.out.startswith("RAN") and "SECRET" not in result.out


@pytest.mark.parametrize("leads_to", ["sdk/private", "private/bin"])
def test_a_folder_of_path_in_another_workspace_leads_nowhere(ringwall, place, other, leads_to):
    programs = other / "venv/bin"
    program(programs / "python")
    private = secret(place.home / leads_to / "data")
    (private.parent.parent / "pyvenv.cfg").touch()
    (other / "venv/pyvenv.cfg").touch()
    assert ringwall.sh(f"rm -r venv/bin && ln -s {private.parent} venv/bin", cwd=other).status == 0
    assert "SECRET" not in ringwall.sh(f"cat {private}", env=path_with(programs)).out
