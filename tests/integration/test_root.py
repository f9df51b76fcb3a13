"""Started by root, and what only root can set up: owners, mounts, other filesystems, chroots."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import Result, needs_root

pytestmark = needs_root


def privately(ringwall, setup, args, *, prefix=(), env=None, timeout=30, own_pids=False):
    """Runs Ringwall in a mount namespace of its own, after SETUP (a script of root's)."""
    place = ringwall.place
    command = [*prefix, *ringwall.command(args)]
    # With own pids, the shell stays as pid 1.
    end = 'set +e\n"$@"\nexit $?' if own_pids else 'exec "$@"'
    unshare = ["--pid", "--fork", "--kill-child"] if own_pids else []
    script = f'set -e\n{setup}\ncd "{place.work}"\n{end}'
    done = subprocess.run(
        ["unshare", "-m", *unshare, "--propagation", "private", "sh", "-c", script, "sh", *command],
        env=place.environment(env),
        capture_output=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    return Result(done.returncode, done.stdout, done.stderr)


# Owners


def test_files_keep_their_owner(ringwall, place):
    ringwall.sh("echo x > made; mkdir d; ln -s x l; id -u > id").ok()
    assert {(p.lstat().st_uid, p.lstat().st_gid) for p in place.work.iterdir()} == {(0, 0)}
    assert (place.work / "id").read_text().strip() != "0"


def test_files_of_another_owner_keep_it_too(ringwall, place):
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
    result = ringwall.sh("cat roots; echo x >> roots; stat -c %u roots")
    assert "SECRET" not in result.out and result.out.strip() == "65534"


def test_nothing_inside_is_the_hosts_root(ringwall, place):
    process = ringwall.start("run", "--", "sh", "-c", "echo up; read line")
    assert process.stdout.readline() == b"up\n"
    inside = [pid for pid in place.processes() if pid != process.pid]
    assert len(inside) >= 2
    for pid in inside:
        status = Path("/proc", str(pid), "status").read_text()
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert "0" not in fields["Uid"].split() + fields["Gid"].split(), fields["Name"]
        assert fields["Groups"].split() == []
    process.communicate(b"\n", 10)


def test_roots_groups_are_dropped(ringwall):
    result = ringwall("run", "id", "-G", prefix=["setpriv", "--groups", "4,27", "--"])
    assert len(result.ok().split()) == 1


def test_root_gains_nothing_over_system_files(ringwall):
    script = "cat /etc/shadow; echo x > /proc/sys/kernel/hostname; echo x > /usr/x; chown 0 made; touch made && chown 0:0 made; mknod dev b 8 0; dd if=/dev/sda of=/dev/null count=1"
    result = ringwall.sh(script)
    assert result.out == "" and result.status != 0


def test_no_setuid_root_file_can_be_made(ringwall, place):
    """The owner is root outside: a setuid bit from inside would be a way to root for everyone."""
    result = ringwall.sh("cp /bin/true s && chmod 4755 s")
    assert result.status != 0 and "not permitted" in result.err
    facts = (place.work / "s").stat()
    assert facts.st_uid == 0 and facts.st_mode & 0o6000 == 0


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


def test_mounts_below_the_workspace(ringwall, place, who):
    setup = f"mkdir {place.work}/m && mount -t tmpfs tmpfs {place.work}/m && echo below > {place.work}/m/f && chown -R {owner_of(place)} {place.work}"
    result = privately(ringwall, setup, ["run", "sh", "-c", "cat m/f; echo new > m/g; cat m/g; umount m; ls m"], prefix=who)
    assert result.out == "below\nnew\nf\ng\n", result


def test_a_read_only_mount_below_the_workspace_stays_so(ringwall, place, who):
    setup = f"mkdir {place.work}/m && mount -t tmpfs -o ro tmpfs {place.work}/m && chown {owner_of(place)} {place.work}"
    result = privately(ringwall, setup, ["run", "sh", "-c", "touch m/x; touch fine && echo fine"], prefix=who)
    assert result.out == "fine\n" and "Read-only" in result.err


def test_ro_holds_for_mounts_below_too(ringwall, place, who):
    setup = f"mkdir -p {place.home}/data/m && mount -t tmpfs tmpfs {place.home}/data/m && chown -R {owner_of(place)} {place.home}/data"
    result = privately(ringwall, setup, ["run", "--ro", place.home / "data", "sh", "-c", "touch ~/data/x; touch ~/data/m/x; echo end"], prefix=who)
    assert result.out == "end\n" and result.err.count("Read-only") == 2


def test_sockets_in_mounts_below_are_masked(ringwall, place, who):
    bind = "import os, socket, sys; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind('s')"
    setup = f"mkdir {place.work}/m && mount -t tmpfs tmpfs {place.work}/m && /usr/bin/python3 -c \"{bind}\" {place.work}/m && chown -R {owner_of(place)} {place.work}; chmod 777 {place.work}/m/s"
    result = privately(ringwall, setup, ["run", "sh", "-c", "test -S m/s && echo socket; test -e m/s && echo there"], prefix=who)
    assert result.out == "there\n"


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


def test_verify_with_hidepid(ringwall, place, who):
    """Ringwall's processes cannot be traced, so its user does not see them in such a /proc."""
    before = proc_options()
    setup = "mount -t proc -o hidepid=2 proc /proc"
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
