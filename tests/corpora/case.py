"""The cases of both corpora: one small Python module each, tests/attacks/CLASS/NAME.py and tests/work/GROUP/NAME.py.

README.md says what a case may define. Nothing of a case is run when it is loaded.
"""

import importlib.util
import shutil
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
KINDS = {"attacks": TESTS / "attacks", "work": TESTS / "work"}
KNOWN = {
    *("SHAPE", "PROMISE", "WALL", "ACT", "PYTHON", "C", "THEN", "OPTIONS", "NEEDS", "LAB", "TERMINAL"),
    *("REFUSED", "WALLS", "RINGWALL", "ENVIRONMENT", "STATUS", "HEAVY"),
}


class BadCase(Exception):
    """A case that does not say what a case has to say."""


def load_module(path):
    spec = importlib.util.spec_from_file_location(f"case_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Case:
    def __init__(self, kind, path):
        self.kind, self.path = kind, path
        self.group, self.name = path.parent.name, path.stem
        self.module = load_module(path)
        self.says = (self.module.__doc__ or "").strip()
        self.judge = self.get("succeeded" if kind == "attacks" else "works")
        self.options = self.get("OPTIONS", {})
        self.check()

    def __repr__(self):
        return f"{self.group}/{self.name}"

    def get(self, name, otherwise=None):
        return getattr(self.module, name, otherwise)

    def check(self):
        """Everything that has to be there is there, and nothing is misspelt."""
        wanted = ["SHAPE"] if self.kind == "attacks" else []
        missing = [name for name in wanted if not self.get(name)]
        if missing or not self.says or "\n" in self.says or self.judge is None:
            raise BadCase(f"{self.path}: wants one line of docstring, a judge, {wanted}")
        if self.kind == "attacks" and not (self.get("PROMISE") or self.get("WALL")):
            raise BadCase(f"{self.path}: names neither PROMISE nor WALL")
        if sum(self.get(name) is not None for name in ("ACT", "PYTHON", "C")) != 1:
            raise BadCase(f"{self.path}: wants one of ACT, PYTHON and C")
        for name in vars(self.module):
            if name.isupper() and not name.startswith("_") and name not in KNOWN:
                raise BadCase(f"{self.path}: {name} means nothing; constants of a case's own begin with _")

    def missing(self):
        """Why this case cannot be run on this host, or None."""
        for program, package in self.get("NEEDS", {}).items():
            if not (Path(program).exists() if "/" in program else shutil.which(program)):
                return f"{program} is missing (Debian: {package})"
        return self.get("not_here", lambda: None)()

    def promise(self):
        return self.get("PROMISE") or self.get("WALL") or ""


def load(kind, only=()):
    """Every case of a corpus, in order; ONLY are names, classes, or CLASS/NAME."""
    paths = sorted(KINDS[kind].glob("[a-z]*/[a-z]*.py"))
    cases = [Case(kind, path) for path in paths]
    if not only:
        return cases
    return [case for case in cases if {case.name, case.group, repr(case)} & set(only)]
