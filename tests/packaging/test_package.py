"""The package and the archive: what is in them, that they install and go without a trace, and that they run elsewhere.

The build is the folder RINGWALL_BUILD. Installing is tried in a copy of the host's root that nobody else sees.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["RINGWALL_BUILD"])
PROGRAMS = ("ringwall", "ringwall-guard", "ringwall-advisor")
# Ubuntu 22.04's C library.
NEWEST_LIBC = (2, 35)

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can install")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deb")
    run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder, cwd=BUILD)
    (file,) = folder.glob("ringwall_*_amd64.deb")
    return file


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    file = tmp_path_factory.mktemp("archive") / "ringwall.tar.gz"
    run(SOURCE / "packaging/tarball.sh", BUILD, file)
    return file


def test_every_group_of_packages_that_the_makefile_names_is_known():
    named = re.findall(r"install_packages\.sh ([a-z ]+)", (SOURCE / "Makefile").read_text(encoding="utf-8"))
    table = run("bash", "-c", 'source <(sed "/^main /d" "$1"); known_groups', "groups", SOURCE / "tools/install_packages.sh")
    assert "package" in " ".join(named).split()
    assert set(" ".join(named).split()) <= set(table.split())


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_need_libc_alone_and_no_newer_one(name):
    needed = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", BUILD / name))
    assert set(needed) <= {"libc.so.6", "ld-linux-x86-64.so.2"}
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", BUILD / name))
    assert versions and max((int(a), int(b)) for a, b in versions) <= NEWEST_LIBC


def test_lintian_finds_nothing(package):
    words = ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", package]
    done = subprocess.run(words, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if line[:2] in ("E:", "W:")]
    assert found == [] and done.returncode == 0


def test_every_command_has_a_page_without_a_warning():
    commands = re.findall(r"^  (\w+)  ", run(BUILD / "ringwall", "help").split("Commands:")[1].split("\n\n")[0], re.M)
    assert len(commands) > 30
    names = {path.name for path in (BUILD / "man").iterdir()}
    wanted = {f"ringwall-{name}.1.gz" for name in commands if name != "help"}
    assert names == wanted | {"ringwall.1.gz", "ringwall.toml.5.gz"}
    for path in (BUILD / "man").iterdir():
        done = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANWIDTH": "200"})
        assert done.returncode == 0 and done.stderr == "", f"{path.name}: {done.stderr}"
    page = gzip.decompress((BUILD / "man/ringwall-undo.1.gz").read_bytes()).decode()
    assert r"\-\-dry\-run" in page and ".SH EXAMPLES" in page


def test_the_list_of_parts():
    document = json.loads((BUILD / "papers/ringwall.spdx.json").read_text())
    assert document["spdxVersion"] == "SPDX-2.3"
    packages = {one["name"]: one for one in document["packages"]}
    assert packages["ringwall"]["versionInfo"] == run(BUILD / "ringwall", "version").split()[1]
    assert packages["libssl-dev"]["versionInfo"] == run("dpkg-query", "-W", "-f", "${Version}", "libssl-dev")
    ids = {one["SPDXID"] for one in document["packages"]}
    related = {one["relatedSpdxElement"] for one in document["relationships"]}
    assert related == ids, "every part is related, and nothing else"


def test_build_facts():
    facts = json.loads(run(BUILD / "ringwall", "version", "--json"))
    assert facts["version"] == run(BUILD / "ringwall", "version").split()[1]
    assert facts["build_type"] == "Release" and facts["compiler"].startswith("GNU")
    assert facts["commit"] is None or re.fullmatch("[0-9a-f]{40}", facts["commit"])


def test_the_archive_has_the_same_bytes_twice(archive, tmp_path):
    again = tmp_path / "again.tar.gz"
    run(SOURCE / "packaging/tarball.sh", BUILD, again)
    assert again.read_bytes() == archive.read_bytes()


def test_the_archive_runs_where_it_is_unpacked(archive):
    """For an ordinary user, below a folder that everybody can enter."""
    with tempfile.TemporaryDirectory() as name:
        room = pathlib.Path(name)
        room.chmod(0o755)
        run("tar", "-C", room, "-xf", archive)
        (top,) = room.glob("ringwall-*")
        words = [top / "bin/ringwall", "run", "--", "echo", "ran"]
        for folder in ("tree", "home"):
            (room / folder).mkdir()
        if os.getuid() == 0:
            user = run(SOURCE / "tools/test_user.sh").strip()
            for folder in ("tree", "home"):
                shutil.chown(room / folder, user)
            words = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *words]
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(room / "home")}
        assert run(*words, cwd=room / "tree", env=clean) == "ran\n"
        assert "ringwall guard" in run(top / "bin/ringwall", "guard", "--help")


# In mount and process namespaces of its own, on a root whose changes are in memory.
IN_A_COPY = """
set -e
room=$1
shift
mount -t tmpfs tmpfs "$room"
mkdir "$room/upper" "$room/work" "$room/root"
mount -t overlay overlay -o lowerdir=/,upperdir="$room/upper",workdir="$room/work" "$room/root"
mount --bind /proc "$room/root/proc"
mount --bind /dev "$room/root/dev"
mount -t tmpfs tmpfs "$room/root/run"
mount --bind "$2" "$room/root/mnt"
chroot "$room/root" sh -c "$1"
# What differs from the host now; dpkg's own notes and caches stay.
cd "$room/upper"
find . \\( -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache -o -path ./tmp \\) -prune -o ! -type d -print
"""

INSTALLS_AND_GOES = """
set -e
export DEBIAN_FRONTEND=noninteractive
test -e /etc/apparmor.d/abi/4.0 && old=no || old=yes
dpkg -i /mnt/*.deb >/dev/null
ringwall version
test -x /usr/libexec/ringwall/ringwall-guard
grep -q '^ExecStart=/usr/libexec/ringwall/ringwall-guard$' /usr/lib/systemd/system/ringwall-guard.service
test $old = no || test ! -e /etc/apparmor.d/ringwall   # which could not be read here
man -w ringwall-run
dpkg -i /mnt/*.deb >/dev/null                       # an upgrade
mkdir -p /etc/apparmor.d/abi; : >/etc/apparmor.d/abi/4.0
dpkg -i /mnt/*.deb >/dev/null
test -e /etc/apparmor.d/ringwall && echo profile
dpkg -r ringwall >/dev/null
test -e /etc/apparmor.d/ringwall && echo kept
dpkg -P ringwall >/dev/null
test $old = no || rm -r /etc/apparmor.d/abi
"""


@needs_root
def test_it_installs_upgrades_and_goes_without_a_trace(package, tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    words = ["unshare", "-m", "--propagation", "private", "sh", "-c", IN_A_COPY, "copy", room, INSTALLS_AND_GOES, package.parent]
    out = run(*words, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}).split("\n")
    assert out[0].startswith("ringwall ") and "ringwall-run.1" in out[1]
    assert out[2:] == ["profile", "kept", ""], "and nothing is left of it"
