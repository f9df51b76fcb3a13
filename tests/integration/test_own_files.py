"""What is Ringwall's in a folder that a run may change stays as it is: who could change it would be started outside."""

import shutil

from test_install import machine  # noqa: F401 (a fixture)


def test_programs_beside_ringwall_in_a_checkout(ringwall, place):
    folder = place.work / "build"
    folder.mkdir()
    own = folder / "ringwall"
    shutil.copy(ringwall.path, own)
    (folder / "ringwall-advisor").write_text("#!/bin/sh\n")
    (folder / "other").write_text("#!/bin/sh\n")
    ringwall.path = own
    plants = "for name in advisor guard; do echo planted > build/ringwall-$name; done; echo planted > build/other"
    ringwall.sh(plants)
    assert (folder / "ringwall-advisor").read_text() == "#!/bin/sh\n"
    assert not (folder / "ringwall-guard").exists(), "one that was not there is taken away"
    assert (folder / "other").read_text() == "planted\n"


def test_shims_and_settings_in_a_workspace(machine, place):  # noqa: F811
    """A folder of Node versions, or of a person's settings, can be where an agent works."""
    dotfiles = machine.home / "dot"
    machine.write(dotfiles / "settings.json", "{}\n")
    (machine.home / ".claude").mkdir(exist_ok=True)
    (machine.home / ".claude/settings.json").symlink_to("../dot/settings.json")
    machine.call("install", "claude").ok()
    shim, settings = machine.bin / "claude", dotfiles / "settings.json"
    before = shim.read_bytes(), settings.read_bytes()
    script = f"echo planted > '{shim}'; rm -f '{shim}'; echo '{{}}' > '{settings}'; echo fine > '{dotfiles}/notes'"
    for workspace in (machine.home / ".nvm", dotfiles):
        machine.call("run", "-w", workspace, "--", "sh", "-c", script)
        assert (shim.read_bytes(), settings.read_bytes()) == before
    assert (dotfiles / "notes").read_text() == "fine\n"
    listed = place.state / "install/paths"
    paths = listed.read_bytes()
    listed.unlink()
    listed.mkdir()
    refused = machine.call("run", "-w", dotfiles, "--", "echo", "ran")
    assert refused.status == 125 and refused.out == "", "what cannot be known cannot be protected"
    listed.rmdir()
    listed.write_bytes(paths)
    machine.call("uninstall").ok()
    assert not (place.state / "install/paths").exists()
