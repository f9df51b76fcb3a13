"""Fixtures of the tests of `ringwall audit`: a place of its own for each, and the program."""

import sys
from pathlib import Path

import whole_program

sys.path.insert(0, str(Path(__file__).resolve().parent))

_shared = whole_program.load()
place, leftovers = _shared.place, _shared.leftovers
ringwall, bare = _shared.ringwall, _shared.bare
IS_ROOT = _shared.IS_ROOT
