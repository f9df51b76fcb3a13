"""ringwall uninstall where files were changed since, and settings that install must keep."""

import os
import shutil

import pytest

from test_install import AGENT, is_inside, machine  # noqa: F401 (a fixture)

END = "# <<< ringwall install <<<\n"


@pytest.mark.parametrize("number, kept", [("0.5", True), ("1.0", True), ("-7", True), ("1e400", False), ("1e3", False),
                                          ("100000000000000000000000001", False)])
def test_numbers_are_kept_or_the_file_is_left_alone(machine, number, kept):
    text = f'{{\n  "cost": {number}\n}}\n'
    settings = machine.write(machine.home / ".claude/settings.json", text)
    installed = machine.call("install", "claude")
    if not kept:
        installed.refused(".claude/settings.json")
        assert settings.read_text() == text
        return
    installed.ok()
    assert f'"cost": {number},' in settings.read_text()
    settings.write_text(settings.read_text() + "\n")
    machine.call("uninstall").ok()
    assert settings.read_text() == text


def test_settings_that_cannot_be_read_stop_it_before_the_first_change(machine):
    settings = machine.write(machine.home / ".claude/settings.json", "{}\n")
    machine.call("install", "claude").ok()
    whole = settings.read_text()
    settings.write_text("// mine\n" + whole)
    before = machine.snapshot()
    machine.call("uninstall").refused("settings.json")
    assert machine.snapshot() == before and is_inside(machine.plain("--version"))
    settings.write_text(whole)
    machine.call("uninstall").ok()
    assert settings.read_text() == "{}\n"


def test_what_stays_is_told(machine):
    rc = machine.write(machine.home / ".bashrc", "one\n")
    settings = machine.write(machine.home / ".claude/settings.json", "{}\n")
    machine.call("install", "claude").ok()
    rc.write_text(rc.read_text().replace(END, "mine\n"))
    settings.unlink()
    told = machine.call("uninstall").ok()
    assert "has lost a mark" in told and "was removed since" in told
    assert "mine\n" in rc.read_text() and not settings.exists()


def test_leaves_no_temporary_files_of_a_process_that_was_killed(machine):
    settings = machine.write(machine.home / ".claude/settings.json", "{}\n")
    machine.call("install", "claude").ok()
    machine.write(settings.parent / ".settings.json.ringwall-4711", "half")
    mine = machine.write(settings.parent / ".settings.json.ringwall-old", "mine")
    machine.call("uninstall").ok()
    assert sorted(os.listdir(settings.parent)) == [mine.name, settings.name]


def test_leaves_no_folder_of_its_state(machine, place):
    assert not place.state.exists()
    machine.call("install", "claude").ok()
    machine.call("uninstall").ok()
    assert not place.state.exists()


def test_a_shim_that_is_gone_is_told(machine):
    machine.call("install", "claude").ok()
    assert "gone since" not in machine.call("installed").out
    (machine.bin / "claude").unlink()
    assert f"{machine.bin}/claude (gone since)" in machine.call("installed").out


def test_a_copy_in_a_folder_that_may_not_be_changed(machine):
    folder = machine.home / ".npm-global/bin"
    machine.write(folder / "claude", AGENT, 0o755)
    folder.chmod(0o555)
    try:
        machine.call("install", "claude").ok()
        told = machine.call("installed").out
        assert os.geteuid() == 0 or (f"chmod u+w {folder}" in told and "system's copy" not in told)
    finally:
        folder.chmod(0o755)


def test_without_a_path_the_words_say_so(machine):
    machine.call("install", "claude").ok()
    shutil.rmtree(machine.home / ".nvm")
    front = str(machine.home / ".local/share/ringwall/bin/claude")
    machine.call("start", "claude", front, "", env={"PATH": ""}).refused("PATH is not set")
    machine.call("start", "claude", front, "").refused("is not installed")
