"""The words of a case's act: a shell's script, a Python script, or a C program that is compiled outside beforehand."""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

PYTHON = "/usr/bin/python3"
COMPILER = "/usr/bin/gcc"


def compiled(source):
    """The program of a C source; compiled once for all runs of this corpus."""
    folder = Path(os.environ["RINGWALL_CORPUS_BUILD"])
    program = folder / hashlib.sha256(source.encode()).hexdigest()[:16]
    if not program.exists():
        with tempfile.TemporaryDirectory(dir=folder) as room:
            made = f"{room}/program"
            words = [COMPILER, "-x", "c", "-O1", "-w", "-pthread", "-o", made, "-"]
            subprocess.run(words, input=source, text=True, check=True)
            os.rename(made, program)
    return program


def script(host, kind, text):
    text = host.fill_in(text)
    return ["/bin/sh", "-c", text] if kind == "ACT" else [PYTHON, "-B", "-c", text]


def first(host, case):
    if case.get("C") is None:
        kind = "ACT" if case.get("ACT") is not None else "PYTHON"
        return script(host, kind, case.get(kind))
    # In the workspace, which every wall shows; the act may do with it what it likes.
    program = host.write("act", compiled(case.get("C")).read_bytes(), 0o755)
    host.own()
    arguments = [str(host.facts[name]) for name in sorted(host.facts) if name.startswith("ARG")]
    return [str(program), *arguments]


def all_of(host, case):
    """The act, and the second one of a case that has two: what a later run finds of an earlier one."""
    yield first(host, case)
    if case.get("THEN") is not None:
        yield script(host, "ACT", case.get("THEN"))
