"""ringwall undo: files that their owner has closed to himself come back, and what files carry besides their content."""

import os
import stat

from test_undo import patient  # noqa: F401


def test_files_that_their_owner_has_closed_come_back(ringwall, place):
    for name in ("changed", "deleted", "same"):
        (place.work / name).write_text(f"{name}, closed\n")
        (place.work / name).chmod(0)
    before = {name: os.stat(place.work / name).st_ctime_ns for name in ("changed", "deleted", "same")}
    ringwall.sh("chmod 600 changed; echo other >changed; rm -f deleted", "--name", "r1").ok()
    assert os.stat(place.work / "same").st_ctime_ns == before["same"]
    ringwall("undo", "r1").ok()
    for name in before:
        assert stat.S_IMODE(os.stat(place.work / name).st_mode) == 0
        (place.work / name).chmod(0o600)
        assert (place.work / name).read_text() == f"{name}, closed\n"


def test_attributes_of_closed_files_come_back(ringwall, place):
    def attribute(name):
        """Read as its owner may who has opened it; its times change by that."""
        (place.work / name).chmod(0o600)
        found = os.getxattr(place.work / name, "user.keep")
        (place.work / name).chmod(0)
        return found

    for name in ("changed", "deleted", "noted"):
        (place.work / name).write_text(f"{name}, closed\n")
        os.setxattr(place.work / name, "user.keep", b"v")
        (place.work / name).chmod(0)
    act = (
        "import os\n"
        "for name in ('changed', 'noted'):\n"
        "    os.chmod(name, 0o600)\n"
        "    os.setxattr(name, 'user.keep', b'by the run')\n"
        "open('changed', 'w').write('other')\n"
        "for name in ('changed', 'noted'):\n"
        "    os.chmod(name, 0)\n"
        "os.unlink('deleted')\n"
        # What has two names is copied when it is replaced, and not moved.
        "os.link('changed', 'second')\n"
    )
    ringwall.python(act, "--name", "r1").ok()
    ringwall("undo", "r1", "--added").ok()
    ringwall("undo", "undo-r1").ok()
    assert not (place.work / "deleted").exists()
    for name in ("changed", "second", "noted"):
        assert attribute(name) == b"by the run", name
    ringwall("undo", "r1", "changed", "deleted", "noted").ok()
    for name in ("changed", "deleted", "noted"):
        assert attribute(name) == b"v", name


def test_a_lost_attribute_comes_back(ringwall, place):
    file = place.work / "file"
    file.write_text("text")
    os.setxattr(file, "user.keep", b"v")
    ringwall.python("import os; os.removexattr('file', 'user.keep')", "--name", "r1").ok()
    assert os.listxattr(file) == []
    ringwall("undo", "r1").ok()
    assert os.getxattr(file, "user.keep") == b"v"
