"""The project that the stand-in works on, and the hosts that it finds."""

import shutil
import subprocess
from pathlib import Path

from scenarios import HOSTS
from stand_in import MODEL

HERE = Path(__file__).resolve().parent
PARTS = 20

MAKEFILE = """\
all:
\tpython3 -m compileall -q src
test:
\tpython3 -m unittest discover -s tests -t .
"""
TEST = """\
import sys, unittest
sys.path.insert(0, "src")
from app import part{n}
class Part{n}(unittest.TestCase):
    def test_value(self):
        self.assertEqual(part{n}.value(), {n})
"""


def git(work, *words):
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", "-C", work, *who, *words], check=True, capture_output=True)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make(work):
    """In WORK, which is there and empty."""
    for number in range(PARTS):
        write(work / f"src/app/part{number}.py", f"def value():\n    return {number}\n")
        write(work / f"tests/test_part{number}.py", TEST.format(n=number))
    for name in ("src/app/__init__.py", "tests/__init__.py"):
        write(work / name, "")
    write(work / "Makefile", MAKEFILE)
    # No login of anybody: made up, in the form of one.
    write(work / "tests/fixtures/tokens.txt", "TOKEN=" + "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8\n")
    write(work / ".env", "DATABASE_PASSWORD=correct-horse\n")
    write(work / ".env.example", "DATABASE_PASSWORD=\n")
    write(work / ".claude/settings.json", "{}\n")
    write(work / ".gitignore", ".env\n__pycache__/\nbuild/\n")
    git(work, "init", "-q", "-b", "main")
    git(work, "config", "user.name", "Ann")
    git(work, "config", "user.email", "ann@example.com")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "first")


def copy_agent(folder):
    """Into FOLDER, which the run is shown; the program's words."""
    folder.mkdir()
    for name in ("stand_in.py", "scenarios.py"):
        shutil.copy(HERE / name, folder)
    return ["/usr/bin/python3", "-B", "-u", str(folder / "scenarios.py")]


def name_hosts(lab, address):
    """Names of the open net that lead to the lab's servers, in the file that is the host's /etc/hosts there."""
    file = Path(lab) / "etc/hosts"
    wanted = [f"{address} {host}" for host in (MODEL, *HOSTS)]
    missing = [line for line in wanted if line not in file.read_text()]
    with open(file, "a", encoding="utf-8") as hosts:
        hosts.writelines(line + "\n" for line in missing)
