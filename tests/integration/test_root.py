"""Started by root, and what only root can set up: owners, mounts, other filesystems, chroots."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import Result, needs_root, without

pytestmark = needs_root
# What root must keep to be root over the host's files.
ROOTS_RIGHTS = "own-identity,user-namespace,capabilities"


def apart(place, setup, command, env=None, timeout=300, own_pids=False):
    """Runs a command in mount and host-name namespaces of its own, after SETUP (a script of root's)."""
    # With own pids, the shell stays as pid 1.
    end = 'set +e\n"$@"\nexit $?' if own_pids else 'exec "$@"'
    unshare = ["--pid", "--fork", "--kill-child"] if own_pids else []
    script = f'set -e\n{setup}\ncd "{place.work}"\n{end}'
    done = subprocess.run(
        ["unshare", "-m", "-u", *unshare, "--propagation", "private", "sh", "-c", script, "sh", *command],
        env=place.environment(env),
        capture_output=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def privately(ringwall, setup, args, *, prefix=(), env=None, **more):
    """Runs Ringwall so."""
    command = [*prefix, *ringwall.command(args)]
    return apart(ringwall.place, setup, command, {**ringwall.extra, **(env or {})}, **more)


@pytest.fixture
def stopped_apart(ringwall, mutant, place):
    """As `stopped`, in namespaces where SETUP was done before; SIGN is a text in the output."""

    def check(setup, act, walls, sign, *options, prefix=()):
        words = ["run", *options, "--", "sh", "-c", act]
        seen = apart(place, setup, [*prefix, "sh", "-c", act])
        assert sign in seen.out, f"the act fails without Ringwall too, so it shows nothing\n{seen}"
        inside = privately(ringwall, setup, words, prefix=prefix)
        assert sign not in inside.out, f"it got through\n{inside}"
        open_run = privately(mutant(without(walls)), setup, words, prefix=prefix)
        assert sign in open_run.out, f"stopped by something else than {walls}\n{open_run}"
        return inside

    return check


# Owners


def test_files_keep_their_owner(ringwall, place):
    ringwall.sh("echo x > made; mkdir d; ln -s x l; id -u > id").ok()
    assert {(p.lstat().st_uid, p.lstat().st_gid) for p in place.work.iterdir()} == {(0, 0)}
    assert (place.work / "id").read_text().strip() != "0"


def test_files_of_another_owner_keep_it_too(ringwall, stopped, place):
    os.chown(place.work, 1234, 2345)
    (place.work / "old").write_text("old")
    os.chown(place.work / "old", 1234, 2345)
    (place.work / "old").chmod(0o600)
    assert ringwall.sh("cat old; echo more >> old; echo x > made").ok() == "old"
    for name in ("old", "made"):
        assert ((place.work / name).stat().st_uid, (place.work / name).stat().st_gid) == (1234, 2345)
    # Files of other owners are there as anybody's.
    (place.work / "roots").write_text("SECRET")
    (place.work / "roots").chmod(0o600)
    assert stopped("cat roots", ROOTS_RIGHTS, "SECRET").out == ""
    changed = lambda _: (place.work / "roots").read_text() == "SECRETx\n"  # noqa: E731
    undo = {"undo": lambda: (place.work / "roots").write_text("SECRET")}
    stopped("echo x >> roots", ROOTS_RIGHTS, changed, **undo)
    assert ringwall.sh("stat -c %u roots").ok() == "65534"


def test_what_is_planted_among_files_of_another_owner_is_taken_away(ringwall, place):
    git = lambda *args: subprocess.run(["git", "-c", "safe.directory=*", *args], cwd=place.work, check=True)  # noqa: E731
    git("init", "-q")
    for path in (place.work, *place.work.rglob("*")):
        os.chown(path, 1234, 2345)
    result = ringwall.sh("git remote add new https://example.org/x; echo run me >.envrc; sleep 0.2; ls -A; git remote")
    assert result.out.split() == [".git", "new"] and ".envrc" in result.err, result
    assert not (place.work / ".envrc").exists()
    config = place.work / ".git/config"
    assert "example.org" in config.read_text()
    assert (config.stat().st_uid, config.stat().st_gid) == (1234, 2345)


def ids_inside(runner, place):
    """Every id, and the groups, of each process of a run but the supervisor, its broker, who moves root's files, and its keeper,
    who reads them; as the host knows them."""
    process = runner.start("run", "--", "sh", "-c", "echo up; read line", preexec_fn=lambda: os.setgroups([4, 27]))
    assert process.stdout.readline() == b"up\n"
    inside = [pid for pid in place.processes() if pid != process.pid]
    assert len(inside) >= 2
    ids, groups = set(), set()
    for pid in inside:
        status = Path("/proc", str(pid), "status").read_text()
        name = Path("/proc", str(pid), "cmdline").read_bytes()
        if b"ringwall-broker" in name or b"ringwall-keeper" in name:
            continue
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        ids |= {*fields["Uid"].split(), *fields["Gid"].split()}
        groups |= {*fields["Groups"].split()}
    process.communicate(b"\n", 60)
    return ids, groups


def test_nothing_inside_is_the_hosts_root(ringwall, mutant, bare, place):
    assert bare("id", "-u").ok() == "0"
    ids, groups = ids_inside(ringwall, place)
    assert "0" not in ids and groups == set()
    assert ids_inside(mutant("own-identity"), place) == ({"0"}, {"4", "27"})
    assert ringwall.sh("id -u").ok() not in ("", "0")


def test_roots_groups_are_dropped(stopped):
    many = lambda result: len(result.out.split()) > 1  # noqa: E731
    inside = stopped(["id", "-G"], "own-identity", many, preexec_fn=lambda: os.setgroups([4, 27]))
    assert len(inside.ok().split()) == 1


def some_disk():
    disks = [f"/dev/{name}" for name in os.listdir("/sys/block") if os.path.exists(f"/dev/{name}")]
    return disks[0] if disks else None


ACTS_OF_ROOT = {
    "read the passwords": ("new-root,landlock,own-identity", "wc -l < /etc/shadow && echo DONE"),
    "name the host": ("read-only,landlock,own-identity", "echo x > /proc/sys/kernel/hostname && echo DONE"),
    "change the system": ("read-only,landlock", "touch /usr/src/x && echo DONE"),
    "give a file away": ("ROOTS_RIGHTS", "touch made && chown 1234 made && echo DONE"),
    "make a device": ("ROOTS_RIGHTS,system-calls,landlock", "mknod made c 1 3 && echo DONE; rm -f made"),
    "open a disk": ("private-dev,landlock,ROOTS_RIGHTS", f"head -c 0 {some_disk()} && echo DONE"),
}


@pytest.mark.parametrize("act", ACTS_OF_ROOT)
def test_root_gains_nothing_over_the_system(stopped_apart, act):
    if act == "open a disk" and not some_disk():
        pytest.skip("this host has no disk")
    walls, script = ACTS_OF_ROOT[act]
    setup = "mount -t tmpfs -o mode=1777 tmpfs /usr/src"
    stopped_apart(setup, script, walls.replace("ROOTS_RIGHTS", ROOTS_RIGHTS), "DONE")


def test_no_setuid_root_file_can_be_made(stopped, place):
    """The owner is root outside: a setuid bit from inside would be a way to root for everyone."""
    made = place.work / "s"
    roots = lambda _: made.stat().st_uid == 0 and made.stat().st_mode & 0o6000 != 0  # noqa: E731
    inside = stopped("cp /bin/true s && chmod 4755 s", "system-calls", roots, undo=made.unlink)
    assert inside.status != 0 and "not permitted" in inside.err


def test_explain_tells_the_guest_id(ringwall):
    assert ringwall.plan()["uid"] not in (0, 65534)


def test_caches_of_roots_home(ringwall, place):
    (place.home / ".npm/_cacache").mkdir(parents=True)
    (place.home / ".npm/_cacache/x").write_text("real")
    assert ringwall.sh("cat ~/.npm/_cacache/x; echo new > ~/.npm/_cacache/x", "--cache", "npm").ok() == "real"
    assert ringwall.sh("cat ~/.npm/_cacache/x", "--cache", "npm").ok() == "new"
    assert (place.home / ".npm/_cacache/x").read_text() == "real"


def test_a_filesystem_that_cannot_map_ids(ringwall, place, ordinary):
    """Refused with the command that runs it as an ordinary user; and that one works."""
    for name in ("lower", "upper", "workdir"):
        (place.root / name).mkdir()
    setup = f"mount -t overlay overlay -o lowerdir={place.root}/lower,upperdir={place.root}/upper,workdir={place.root}/workdir {place.work}\nchown {place.home.stat().st_uid} {place.work}"
    os.chown(place.home, 0, 0)
    result = privately(ringwall, setup, ["run", "sh", "-c", "echo RAN"])
    if result.status == 0:
        pytest.skip("this kernel maps ids of overlays")
    assert "sudo -u" in result.refused("cannot map ids").hint()
    user = int(ordinary[1].split("=")[1])
    subprocess.run(["rm", "-rf", place.home / ".local"], check=True)
    os.chown(place.home, user, user)
    os.chown(place.runtime, user, user)
    assert privately(ringwall, setup, ["run", "sh", "-c", "echo RAN > f; cat f"], prefix=ordinary).ok() == "RAN"


# Mounts


@pytest.fixture(params=["root", "user"])
def who(request, place):
    """As whom Ringwall is started in a prepared mount namespace."""
    if request.param == "root":
        return []
    prefix = request.getfixturevalue("ordinary")
    os.chown(place.runtime, int(prefix[1].split("=")[1]), -1)
    return prefix


def owner_of(place):
    return f"{place.home.stat().st_uid}:{place.home.stat().st_gid}"


def test_a_home_outside_tmp_has_two_walls(ringwall, mutant, place, who):
    """As people's homes have. Below /tmp, where all other tests are, Landlock lets everything pass."""
    setup = f"mount -t tmpfs -o mode=755 tmpfs /srv && mkdir -p /srv/home/project && echo SECRET > /srv/home/key && chown -R {owner_of(place)} /srv/home"
    words = ["run", "-w", "/srv/home/project", "cat", "/srv/home/key"]
    assert apart(place, setup, [*who, "cat", "/srv/home/key"]).ok() == "SECRET"
    expected = {"private-home": "Permission denied", "landlock": "No such file", "private-home,landlock": ""}
    for walls, met in expected.items():
        result = privately(mutant(walls), setup, words, prefix=who, env={"HOME": "/srv/home"})
        assert (result.out == "SECRET\n") == (met == "") and met in result.err, (walls, result)
    assert "No such file" in privately(ringwall, setup, words, prefix=who, env={"HOME": "/srv/home"}).err


def test_mounts_below_the_workspace(ringwall, place, who):
    setup = f"mkdir {place.work}/m && mount -t tmpfs tmpfs {place.work}/m && echo below > {place.work}/m/f && chown -R {owner_of(place)} {place.work}"
    result = privately(ringwall, setup, ["run", "sh", "-c", "cat m/f; echo new > m/g; cat m/g; umount m; ls m"], prefix=who)
    assert result.out == "below\nnew\nf\ng\n", result


def test_a_read_only_mount_below_the_workspace_stays_so(ringwall, place, who):
    setup = f"mkdir {place.work}/m && mount -t tmpfs -o ro tmpfs {place.work}/m && chown {owner_of(place)} {place.work}"
    result = privately(ringwall, setup, ["run", "sh", "-c", "touch m/x; touch fine && echo fine"], prefix=who)
    assert result.out == "fine\n" and "Read-only" in result.err


def test_ro_holds_for_mounts_below_too(stopped_apart, place, who):
    setup = f"mkdir -p {place.home}/data/m && mount -t tmpfs tmpfs {place.home}/data/m && chown -R {owner_of(place)} {place.home}/data"
    for file in ("~/data/x", "~/data/m/x"):
        act = f"touch {file} && echo MADE; rm -f {file}"
        inside = stopped_apart(setup, act, "read-only,landlock", "MADE", "--ro", place.home / "data", prefix=who)
        assert "Read-only" in inside.err


def test_sockets_in_mounts_below_are_masked(stopped_apart, place, who):
    bind = "import os, socket, sys; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind('s')"
    setup = f"mkdir -p {place.work}/m && mount -t tmpfs tmpfs {place.work}/m && /usr/bin/python3 -c \"{bind}\" {place.work}/m && chown -R {owner_of(place)} {place.work}; chmod 777 {place.work}/m/s"
    inside = stopped_apart(setup, "test -S m/s && echo socket; test -e m/s && echo there", "socket-masks", "socket", prefix=who)
    assert inside.out == "there\n"


def test_a_noexec_workspace(ringwall, place, who):
    setup = f"mount -t tmpfs -o noexec tmpfs {place.work} && printf '#!/bin/sh\\necho RAN\\n' > {place.work}/x && chmod 755 {place.work}/x && chown -R {owner_of(place)} {place.work}"
    result = privately(ringwall, setup, ["run", "./x"], prefix=who)
    assert result.status == 126 and "noexec" in result.err and "RAN" not in result.out
    assert privately(ringwall, setup, ["run", "sh", "x"], prefix=who).ok() == "RAN"


def test_a_read_only_workspace(ringwall, place, who):
    setup = f"mount -t tmpfs -o ro tmpfs {place.work}"
    result = privately(ringwall, setup, ["run", "sh", "-c", "echo RAN"], prefix=who)
    assert "--ro" in result.refused("Read-only").hint()
    (place.home / "other").mkdir()
    os.chown(place.home / "other", place.home.stat().st_uid, -1)
    words = ["run", "-w", place.home / "other", "--ro", place.work, "sh", "-c", "echo RAN"]
    assert privately(ringwall, setup, words, prefix=who).ok() == "RAN"


def proc_options():
    lines = Path("/proc/mounts").read_text().splitlines()
    return [line for line in lines if " /proc " in line]


def test_proc_with_hidepid(ringwall, place, who):
    """A new /proc in namespaces of its own: a remount would change the host's for everybody."""
    before = proc_options()
    setup = "mount -t proc -o hidepid=2 proc /proc"
    script = "echo RAN; ls /proc | grep -c '^[0-9]'"
    result = privately(ringwall, setup, ["run", "sh", "-c", script], prefix=who, own_pids=True)
    assert result.out.startswith("RAN"), result
    assert proc_options() == before


@pytest.mark.alone  # one promise says how soon everything has ended
def test_verify_with_hidepid(ringwall, place, who, knows_programs):
    """Ringwall's processes cannot be traced, so its user does not see them in such a /proc."""
    before = proc_options()
    setup = f"chown -R {owner_of(place)} {place.home}/.local; mount -t proc -o hidepid=2 proc /proc"
    result = privately(ringwall, setup, ["verify", "--json"], prefix=who, own_pids=True)
    rows = json.loads(result.out)["rows"]
    assert [row for row in rows if row["result"] == "fail"] == []
    assert proc_options() == before


def test_in_a_chroot(ringwall, place, who):
    root = place.root / "chroot"
    root.mkdir()
    binds = "".join(f"mkdir -p {root}{path}; mount --rbind {path} {root}{path}\n" for path in ("/usr", "/proc", "/dev", "/etc", place.root.parent, Path(ringwall.path).parent))
    links = f"for l in bin lib lib64 sbin; do test -L /$l && ln -s usr/$l {root}/$l; done; true"
    result = privately(ringwall, f"{binds}{links}", ["run", "-w", place.work, "sh", "-c", "echo RAN"], prefix=["/usr/sbin/chroot", root, *who], env={"PWD": None})
    if result.status == 125:
        assert "chroot" in result.refused("chroot").hint()
    else:
        assert result.out == "RAN\n", result


def test_files_of_others_as_policy(ringwall, place):
    policy = place.home / "policy.toml"
    policy.write_text("[files]\n")
    policy.chmod(0o600)
    os.chown(policy, 1234, 1234)
    result = ringwall.sh("echo RAN", "--policy", policy).refused("another user")
    assert "copy it" in result.hint()
    os.chown(policy, 0, 0)
    assert ringwall.sh("echo RAN", "--policy", policy).ok() == "RAN"


def test_another_users_home(ringwall, place):
    os.chown(place.home, 1234, 1234)
    assert "HOME" in ringwall.sh("echo RAN").refused("another user").hint()
    os.chown(place.home, 0, 0)


def test_a_setuid_start_is_not_a_way_in(ringwall, place, ordinary):
    """sudo leaves HOME of the caller: root in another's home is refused, with what to set."""
    result = ringwall.sh("echo RAN")
    assert "set HOME" in result.refused("another user").hint()
    os.chown(place.home, 0, 0)
