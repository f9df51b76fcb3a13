"""Fixtures of the tests of programs by content: a read-only kit with the target, and runs over it."""

import os
import shutil
import sys
from pathlib import Path

import pytest
import whole_program

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


_shared = whole_program.load()
place, leftovers = _shared.place, _shared.leftovers
ringwall, mutant, bare = _shared.ringwall, _shared.mutant, _shared.bare
known_programs, knows_programs = _shared.known_programs, _shared.knows_programs
IS_ROOT = _shared.IS_ROOT


def built(name):
    """A program that CMake made of tests/exec/*.c, beside Ringwall."""
    path = Path(os.environ["RINGWALL_BIN"]).parent / f"ringwall-exec-{name}"
    assert path.exists(), path
    return path


class Kit:
    """$KIT and $WORK: the target under many names, and what attacks need."""

    def __init__(self, place):
        self.place = place
        self.work = place.work
        # Hard links are made in it: it lies on one filesystem with the workspace.
        self.folder = place.root / "kit"
        self.folder.mkdir()
        self.target = self.put("target", self.folder / "target")
        self.put("attack", self.folder / "attack")
        self.put("lib", self.folder / "libtarget.so")
        os.link(self.target, self.folder / "alias")
        (self.folder / "deep/er").mkdir(parents=True)
        self.put("target", self.folder / "deep/er/other")
        self.put("target", self.folder / "data.bin").chmod(0o644)
        (self.folder / "link").symlink_to("target")
        (self.folder / "deep/link").symlink_to("../link")
        (self.folder / "applet").symlink_to(self.target)
        self.script("wrapper", f'#!/bin/sh\n# starts it\nexec {self.target} "$@"\n')
        self.script("wrapper-beside", '#!/bin/sh\nexec "$(dirname "$0")/target" "$@"\n')
        self.put("target", self.work / "brought")
        os.link(self.work / "brought", self.work / "second-name")
        (self.work / "sub").mkdir()
        self.put("target", self.work / "sub/brought")

    def put(self, name, path):
        shutil.copy(built(name), path)
        path.chmod(0o755)
        return path

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def environment(self):
        return {"KIT": str(self.folder), "WORK": str(self.work)}

    def flags(self):
        """Of `ringwall run`: what every try inside has."""
        values = [("--ro", self.folder)]
        values += [("--set", f"{name}={value}") for name, value in self.environment().items()]
        return [str(word) for pair in values for word in pair]


@pytest.fixture
def kit(place, knows_programs):
    return Kit(place)


def outcome(result):
    """What came of a road: ran, or stopped."""
    return "ran" if "TARGET-RAN" in result.out else "stopped"
