"""Workspace, --ro, --rw: what may be granted, what may not, and how it looks inside."""

import os
import shutil
import socket
import stat
import subprocess
import time
from pathlib import Path

import pytest
from conftest import needs_root, not_for_root, without


def workspace_of(ringwall, **options):
    return ringwall.plan(**options)["workspace"]


# Which folder is the workspace


def test_the_nearest_folder_with_git_upward(ringwall, place):
    deep = place.work / "a/b"
    deep.mkdir(parents=True)
    assert workspace_of(ringwall, cwd=deep) == str(deep)
    (place.work / ".git").mkdir()
    assert workspace_of(ringwall, cwd=deep) == str(place.work)
    assert ringwall.sh("pwd; touch ../../top", cwd=deep).ok() == str(deep)
    assert (place.work / "top").exists()
    (place.work / "a/.git").write_text("gitdir: /nowhere\n")
    assert workspace_of(ringwall, cwd=deep) == str(place.work / "a")


def test_a_git_entry_is_not_believed(ringwall, stopped, place):
    """Neither a gitdir: line nor core.worktree may move or widen the workspace."""
    other = place.home / "other"
    subprocess.run(["git", "init", "-q", other], check=True, env=place.environment())
    (other / "secret").write_text("SECRET")
    (place.work / ".git").write_text(f"gitdir: {other}/.git\n")
    assert workspace_of(ringwall) == str(place.work)
    stopped(f"cat {other}/secret", "private-home,landlock", "SECRET")
    (place.work / ".git").unlink()
    subprocess.run(["git", "init", "-q", place.work], check=True, env=place.environment())
    subprocess.run(
        ["git", "-C", place.work, "config", "core.worktree", other], check=True, env=place.environment()
    )
    assert workspace_of(ringwall) == str(place.work)
    stopped(f"cat {other}/secret", "private-home,landlock", "SECRET")
    stopped("git ls-files -o", "private-home,landlock", "secret")


def test_a_git_entry_in_or_above_the_home_is_passed_by(ringwall, place):
    (place.home / ".git").mkdir()
    (place.root / ".git").mkdir()
    assert workspace_of(ringwall) == str(place.work)


def test_w_names_another_folder(ringwall, stopped, place):
    other = place.home / "other"
    other.mkdir()
    assert ringwall.sh("pwd; touch new; ls ~/other", "-w", other).ok() == f"{other}\nnew"
    assert ringwall.sh("pwd", "-w", other).ok() == str(other)
    assert ringwall.sh("pwd", "--workspace", "../other").ok() == str(other)
    assert ringwall.sh("pwd", "-w", "~/other").ok() == str(other)
    stopped(f"ls {place.work} && echo SEEN", "private-home,landlock", "SEEN", "-w", other)
    (other / "sub").mkdir()
    assert ringwall.sh("pwd", "-w", other, cwd=other / "sub").ok() == str(other / "sub")


def test_a_symlinked_workspace_works_by_both_names(ringwall, place):
    link = place.home / "link"
    link.symlink_to(place.work)
    (place.work / "sub").mkdir()
    script = f"cat {link}/file {place.work}/file; pwd"
    (place.work / "file").write_text("x\n")
    assert ringwall.sh(script, "-w", link, cwd=place.home).ok() == f"x\nx\n{link}"
    result = ringwall.sh(script, cwd=link, env={"PWD": str(link)})
    assert result.ok() == f"x\nx\n{link}"
    # Named by one, stood in by the other.
    for named, stood in ((link, place.work / "sub"), (place.work, link / "sub")):
        result = ringwall.sh("touch made; pwd -P", "-w", named, cwd=stood, env={"PWD": str(stood)})
        assert result.ok() == str(place.work / "sub"), (named, stood)


def test_a_chain_of_links_to_the_workspace(ringwall, place):
    (place.home / "one").symlink_to("project")
    (place.home / "two").symlink_to(place.home / "one")
    assert ringwall.sh("pwd -P; ls -d ~/one ~/two", "-w", place.home / "two").ok().startswith(str(place.work))


def test_a_current_folder_that_leads_out_of_the_workspace(ringwall, stopped, place):
    """A link in the repository: the shell's name lies in the workspace, the folder does not."""
    (place.home / "outside").mkdir()
    (place.work / ".git").mkdir()
    (place.work / "out").symlink_to(place.home / "outside")
    folder = place.work / "out"
    inside = stopped("pwd -P; ls -a ..", "private-home,landlock", "project", cwd=folder, env={"PWD": str(folder)})
    assert inside.out.startswith(str(place.home / "outside"))
    for _ in range(2):  # it is a workspace of its own from the first time on
        assert ringwall.sh("pwd", cwd=folder, env={"PWD": str(folder)}).ok() == str(place.home / "outside")
    # The same within the workspace goes by its own name.
    (place.work / "sub").mkdir()
    (place.work / "in").symlink_to("sub")
    folder = place.work / "in"
    assert ringwall.sh("pwd", cwd=folder, env={"PWD": str(folder)}).ok() == str(folder)


# What cannot be a workspace


@pytest.mark.parametrize("path", ["/", "/usr", "/etc", "/home", "/tmp", "/proc", "/sys", "/dev", "/var", "/run", "/opt"])
def test_system_folders_are_refused(ringwall, path):
    if not os.path.isdir(path):
        pytest.skip(f"this host has no {path}")
    for option in ("-w", "--ro", "--rw"):
        assert ringwall.sh("echo RAN", option, path).refused(path, "cannot be granted").hint()
    assert ringwall.sh("echo RAN", cwd=path, env={"PWD": path}).refused(path).hint()


def test_the_home_and_what_holds_it_are_refused(ringwall, place):
    for option in ("-w", "--ro", "--rw"):
        result = ringwall.sh("echo RAN", option, place.home).refused("your home folder")
        assert "-w DIR" in result.hint()
        ringwall.sh("echo RAN", option, place.root).refused("holds your home folder")
    ringwall.sh("echo RAN", cwd=place.home, env={"PWD": str(place.home)}).refused("your home folder")
    assert ringwall.sh("echo RAN", "-w", place.work).ok() == "RAN"


def test_the_home_behind_a_link_is_refused(ringwall, place):
    (place.root / "alias").symlink_to(place.home)
    ringwall.sh("echo RAN", "-w", place.root / "alias").refused("your home folder")
    ringwall.sh("echo RAN", "-w", place.work / "..").refused("your home folder")
    (place.work / "up").symlink_to("..")
    ringwall.sh("echo RAN", "-w", place.work / "up").refused("your home folder")
    ringwall.sh("echo RAN", "--ro", "/proc/self/root").refused("cannot be granted")


def test_ringwalls_own_files_are_refused(ringwall, place):
    ringwall("run", "true").ok()
    (place.home / ".config/ringwall").mkdir(parents=True)
    for folder in (".local", ".local/state/ringwall", ".local/state/ringwall/homes", ".config", ".config/ringwall"):
        for option in ("-w", "--ro", "--rw"):
            ringwall.sh("echo RAN", option, place.home / folder).refused("Ringwall's own files")
    (place.home / ".config/tool").mkdir()
    assert ringwall.sh("echo RAN", "--ro", place.home / ".config/tool").ok() == "RAN"


def test_a_missing_workspace(ringwall, place):
    ringwall.sh("echo RAN", "-w", place.home / "missing").refused("missing", "No such file")
    (place.home / "dangling").symlink_to("nowhere")
    ringwall.sh("echo RAN", "-w", place.home / "dangling").refused("No such file")
    (place.home / "loop").symlink_to("loop")
    ringwall.sh("echo RAN", "-w", place.home / "loop").refused("loop")


def test_a_file_as_workspace(ringwall, place):
    (place.home / "file").write_text("")
    ringwall.sh("echo RAN", "-w", place.home / "file").refused("not a folder")


@not_for_root
@pytest.mark.parametrize("mode", [0o000, 0o300, 0o500, 0o600])
def test_a_workspace_without_permission(ringwall, place, mode):
    folder = place.home / "closed"
    folder.mkdir()
    folder.chmod(mode)
    ringwall.sh("echo RAN", "-w", folder).refused("Permission denied")
    folder.chmod(0o700)
    assert ringwall.sh("echo RAN", "-w", folder).ok() == "RAN"


def test_special_files_are_not_granted(ringwall, place):
    os.mkfifo(place.home / "fifo")
    ringwall.sh("echo RAN", "--ro", place.home / "fifo").refused("neither a file nor a folder")
    ringwall.sh("echo RAN", "--ro", "/dev/null").refused("cannot be granted")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(place.home)
        listener.bind("socket")
        os.chdir("/")
        ringwall.sh("echo RAN", "--rw", place.home / "socket").refused("neither a file nor a folder")


# Strange paths


@pytest.mark.parametrize(
    "name",
    ["with space", "new\nline", "tab\t", "ünïcödé 😀", "quote'\"", "back\\slash", "-dash", "$(x)", "a:b", "a,b=c", "bad\udcff", "*"],
)
def test_strange_names(ringwall, stopped, place, name):
    folder = place.home / name
    folder.mkdir()
    result = ringwall.sh("pwd; echo made > file", "-w", str(folder))
    assert result.status == 0 and result.out == f"{folder}\n" and result.err == "", result
    assert (folder / "file").read_text() == "made\n"
    assert ringwall("run", "--ro", str(folder), "cat", str(folder / "file")).ok() == "made"
    write = ["sh", "-c", 'echo more > "$1/file"', "sh", str(folder)]
    undo = {"undo": lambda: (folder / "file").write_text("made\n")}
    stopped(write, "read-only,landlock", lambda _: (folder / "file").read_text() == "more\n", "--ro", folder, **undo)


@pytest.mark.parametrize("length", [1000, 4000, 4090])
def test_deep_folders(ringwall, place, length):
    part = "d" * 200
    path = str(place.home)
    os.chdir(path)
    try:
        while len(path) < length:
            name = part[: min(200, length - len(path) - 1)] or "e"
            os.mkdir(name)
            os.chdir(name)
            path += "/" + name
        script = "echo made > f && cat f && pwd | wc -c"
        result = ringwall.sh(script, cwd=".", env={"PWD": path})
        assert result.ok().split() == ["made", str(len(path) + 1)]
        assert Path("f").read_text() == "made\n"
    finally:
        os.chdir("/")
        subprocess.run(["rm", "-rf", str(place.home / part)], check=True)


def test_a_path_that_is_too_long(ringwall, place):
    ringwall.sh("echo RAN", "-w", "/tmp/" + "a/" * 3000).refused("longer than 4095")
    ringwall.sh("echo RAN", "-w", "/tmp/" + "a" * 300).refused("too long")


# --ro and --rw


@pytest.mark.parametrize("act", ["echo new > file", "touch other", "rm -f file", "mv file moved", "chmod 777 file"])
def test_ro_shows_and_does_not_let_change(ringwall, stopped, place, act):
    data = place.home / "data"

    def listing():
        return [(p.name, p.stat().st_mode, p.read_text()) for p in data.iterdir()]

    def undo():
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        (data / "file").write_text("old")
        (data / "file").chmod(0o644)

    undo()
    before = listing()
    options = {"cwd": place.work, "undo": undo}
    inside = stopped(f"cd {data} && {act}", "read-only,landlock", lambda _: listing() != before, "--ro", data, **options)
    assert "Read-only" in inside.err
    assert ringwall.sh(f"cat {data}/file", "--ro", data).ok() == "old"
    stopped(f"cat {data}/file", "private-home,landlock", "old")


@pytest.mark.parametrize("named", [".", "{work}", "{work}/../project/"])
def test_ro_of_the_workspace_itself_is_refused(ringwall, place, named):
    result = ringwall("run", "--ro", named.format(work=place.work), "--", "sh", "-c", "echo w >written")
    assert result.status == 125 and "is the workspace" in result.err and "--review" in result.err
    assert not (place.work / "written").exists()


def test_ro_and_rw_of_single_files(ringwall, stopped, place):
    for name in ("read", "write", "neither"):
        (place.home / name).write_text(name)
    read, write, neither = (place.home / name for name in ("read", "write", "neither"))
    options = ["--ro", read, "--rw", write]
    assert ringwall.sh("cat ~/read ~/write; echo y > ~/write; cat ~/write", *options).ok() == "readwritey"
    assert write.read_text() == "y\n"
    undo = {"undo": lambda: read.write_text("read")}
    stopped("echo x > ~/read", "read-only,landlock", lambda _: read.read_text() == "x\n", *options, **undo)
    # Single files cannot be mounted into the real home, so it is the new root that goes.
    stopped(f"cat {neither}", "new-root,landlock", "neither", *options)


def test_rw_folders_are_as_good_as_the_workspace(ringwall, place):
    for name in ("one", "two"):
        (place.home / name).mkdir()
    script = "cd ~/one && mkdir d && echo x > d/f && mv d/f . && ln f g && ln -s f h && chmod 755 f && ./f; ls -R ~/one"
    ringwall.sh(script, "--rw", place.home / "one", "--rw", place.home / "two")
    assert sorted(p.name for p in (place.home / "one").iterdir()) == ["d", "f", "g", "h"]


def test_the_wider_of_two_grants_wins(ringwall, place):
    data = place.home / "data"
    data.mkdir()
    for order in (["--ro", data, "--rw", data], ["--rw", data, "--ro", data]):
        assert ringwall.sh(f"touch {data}/x && echo yes", *order).ok() == "yes"


@pytest.fixture
def inner(place):
    """A folder below the workspace with a file, and what puts it back."""
    folder = place.work / "a/b"

    def restore():
        for name in ("a", "c"):
            shutil.rmtree(place.work / name, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "file").write_text("old")

    restore()
    return folder, restore


def test_ro_below_the_workspace(stopped, inner):
    folder, restore = inner
    script = "echo new > a/b/file; touch a/fine; ls a"
    changed = lambda _: (folder / "file").read_text() == "new\n"  # noqa: E731
    inside = stopped(script, "read-only,landlock", changed, "--ro", folder, undo=restore)
    assert "Read-only" in inside.err and inside.out == "b\nfine\n"


def test_ro_below_the_workspace_cannot_be_moved_away(ringwall, bare, mutant, inner):
    """Renaming what holds it would put a folder of the agent's own in its place.

    No wall of the table is behind it but the mount itself: the kernel moves no folder that holds
    one. It is there as long as there is a root of mounts at all.
    """
    folder, restore = inner
    script = "mv a c && mkdir -p a/b && echo new > a/b/file"
    bare("sh", "-c", script)
    assert (folder / "file").read_text() == "new\n"
    restore()
    ringwall.sh(script, "--ro", folder)
    assert (folder / "file").read_text() == "old"
    mutant(without("new-root,landlock")).sh(script, "--ro", folder)
    assert (folder / "file").read_text() == "new\n"


def test_rw_below_a_ro_folder(ringwall, stopped, place):
    (place.home / "data/out").mkdir(parents=True)
    options = ["--ro", place.home / "data", "--rw", place.home / "data/out"]
    assert ringwall.sh("touch ~/data/out/made && echo yes", *options).ok() == "yes"
    made = place.home / "data/not"
    inside = stopped("touch ~/data/not", "read-only,landlock", lambda _: made.exists(), *options, undo=made.unlink)
    assert "Read-only" in inside.err


def test_a_single_file_of_etc(ringwall):
    assert ringwall.sh("cat /etc/hostname").ok() == "ringwall"
    ringwall.sh("echo RAN", "--rw", "/etc/hostname").refused("settings")
    if os.access("/etc/debconf.conf", os.R_OK):
        assert ringwall.sh("test -s /etc/debconf.conf && echo yes", "--ro", "/etc/debconf.conf").ok() == "yes"


# Sockets


def listen(path):
    os.chdir(path.parent)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path.name)
    listener.listen(8)
    os.chdir("/")
    return listener


def test_more_sockets_than_can_be_masked_are_refused(ringwall, place):
    """An agent can leave ten thousands, and the next start would take seconds."""
    folder = place.work / "left"
    folder.mkdir()
    for i in range(4096):
        os.mknod(folder / str(i), stat.S_IFSOCK | 0o600)
    assert "4096 sockets of the host are masked" in ringwall.sh("true").err
    (place.work / ".env").write_text("KEY=secret\n")
    result = ringwall.sh("echo RAN").refused("4097 files", "4096 can be", f"4096 of them lie in {folder}")
    assert str(folder) in result.hint()
    shutil.rmtree(folder)
    assert ringwall.sh("echo here").out == "here\n"


CONNECT = "import os, socket, sys; os.chdir(os.path.dirname(sys.argv[1])); socket.socket(socket.AF_UNIX).connect(os.path.basename(sys.argv[1])); print('CONNECTED')"


def test_sockets_in_granted_trees_are_masked(ringwall, mutant, bare, place):
    (place.work / "deep/er").mkdir(parents=True)
    (place.home / "data").mkdir()
    paths = [place.work / "top.sock", place.work / "deep/er/x.sock", place.home / "data/ro.sock"]
    listeners = [listen(path) for path in paths]
    options = ["--ro", place.home / "data"]
    for path in paths:
        assert "CONNECTED" in bare("/usr/bin/python3", "-c", CONNECT, path).out
        result = ringwall("run", *options, "/usr/bin/python3", "-c", CONNECT, path)
        assert result.status != 0 and "CONNECTED" not in result.out
        result = mutant("socket-masks")("run", *options, "/usr/bin/python3", "-c", CONNECT, path)
        assert "CONNECTED" in result.out
    # A mask cannot be put aside, and the host's socket is still there afterwards.
    assert ringwall.sh("mv top.sock other; rm -f top.sock; ls top.sock").out == "top.sock\n"
    assert all(path.is_socket() for path in paths)
    for listener in listeners:
        listener.close()


def test_a_socket_of_its_own_works_in_the_workspace(ringwall):
    script = """
import socket
a = socket.socket(socket.AF_UNIX); a.bind("own.sock"); a.listen(1)
b = socket.socket(socket.AF_UNIX); b.connect("own.sock")
a.accept()[0].sendall(b"hello"); print(b.recv(5).decode())
"""
    assert ringwall.python(script).ok() == "hello"


# The workspace changes under a run


def test_a_workspace_that_is_deleted_while_running(ringwall, place):
    folder = place.home / "doomed"
    folder.mkdir()
    process = ringwall.start("run", "-w", folder, "--", "sh", "-c", "echo up; read line; touch x; echo $?; exit 7")
    assert process.stdout.readline() == b"up\n"
    shutil.rmtree(folder)
    out, err = process.communicate(b"go\n", 60)
    assert out != b"0\n" and process.returncode == 7, err
    assert not folder.exists()


def test_a_workspace_that_is_moved_while_running(ringwall, place):
    folder = place.home / "moving"
    folder.mkdir()
    process = ringwall.start("run", "-w", folder, "--", "sh", "-c", "echo up; read line; echo kept > file")
    assert process.stdout.readline() == b"up\n"
    # The command may be up before all of Ringwall is; who cannot find the workspace then refuses.
    time.sleep(0.5)
    folder.rename(place.home / "moved")
    process.communicate(b"go\n", 60)
    assert process.returncode == 0
    assert (place.home / "moved/file").read_text() == "kept\n" and not folder.exists()


@pytest.mark.alone
def test_ten_thousand_files_are_searched_quickly(ringwall, place):
    for folder in range(100):
        (place.work / str(folder)).mkdir()
        for file in range(100):
            (place.work / str(folder) / str(file)).touch()
    start = time.monotonic()
    ringwall("run", "true").ok()
    assert time.monotonic() - start < 2


@needs_root
def test_a_folder_of_another_users_in_the_workspace(stopped, place):
    (place.work / "theirs").mkdir(mode=0o700)
    (place.work / "theirs/file").touch()
    os.chown(place.work / "theirs", 12345, 12345)
    walls = "own-identity,user-namespace,capabilities"
    inside = stopped("echo RAN; ls theirs", walls, "file")
    assert inside.out == "RAN\n" and "Permission denied" in inside.err
