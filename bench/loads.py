"""The loads of the rows `work-*`: generated workspaces and the command that works in each."""

import dataclasses
import io
import subprocess
import tarfile

REPOSITORY_FILES = 10_000
ARCHIVE_FILES = 20_000
FILES_PER_FOLDER = 100
CPP_FUNCTIONS = 12
PYTHON_TESTS = 300


@dataclasses.dataclass
class Load:
    """A command; `repeat` makes short ones long enough to tell three percent apart."""

    name: str
    command: list
    generate: object  # called with the workspace and the environment
    repeat: int = 1
    fresh: str = "-"  # a folder that is emptied before each repetition
    ceiling: float = 1.03
    options: tuple = ()  # of ringwall run


def generate_cpp(workspace, _env):
    parts = ["#include <map>\n#include <regex>\n#include <string>\n"]
    for n in range(CPP_FUNCTIONS):
        parts.append(
            f"std::map<std::string, int> count_{n}(const std::string& text) {{\n"
            f'  static const std::regex word("[a-z]{{{n + 1},}}");\n'
            f"  std::map<std::string, int> found;\n"
            f"  std::sregex_iterator at(text.begin(), text.end(), word), end;\n"
            f"  for (; at != end; ++at) found[at->str()] += {n};\n"
            f"  return found;\n}}\n"
        )
    (workspace / "unit.cc").write_text("".join(parts), encoding="utf-8")


def generate_repository(workspace, env):
    for n in range(REPOSITORY_FILES):
        folder = workspace / f"folder{n // FILES_PER_FOLDER}"
        if n % FILES_PER_FOLDER == 0:
            folder.mkdir()
        (folder / f"file{n}.txt").write_text(f"content {n}\n", encoding="utf-8")
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for command in (
        ["init", "--quiet"],
        ["add", "."],
        [*identity, "commit", "--quiet", "--message", "all files"],
        ["status"],
    ):
        subprocess.run(
            ["/usr/bin/git", *command],
            cwd=workspace,
            env=env,
            check=True,
            stdout=subprocess.DEVNULL,
        )


def generate_archive(workspace, _env):
    with tarfile.open(workspace / "files.tar", "w") as archive:
        for n in range(ARCHIVE_FILES):
            content = f"content {n}\n".encode()
            entry = tarfile.TarInfo(f"folder{n // FILES_PER_FOLDER}/file{n}.txt")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def generate_python_tests(workspace, _env):
    text = "import json\nimport pytest\n\n"
    text += f"@pytest.mark.parametrize('n', range({PYTHON_TESTS}))\n"
    text += "def test_round_trip(n, tmp_path):\n"
    text += "    file = tmp_path / 'numbers.json'\n"
    text += "    file.write_text(json.dumps(list(range(n))))\n"
    text += "    assert len(json.loads(file.read_text())) == n\n"
    (workspace / "test_numbers.py").write_text(text, encoding="utf-8")


COMMITS = 100
REBASE = "git checkout -q topic && git reset -q --hard start && git rebase -q main"
PACKAGES = 400
FILES_BY_RENAME = 20_000
# Each package is unpacked under a temporary name and renamed as a whole, as npm does.
PACKAGE_TREE = f"""
import os
for package in range({PACKAGES}):
    os.mkdir("out/.tmp")
    for n in range({FILES_BY_RENAME // PACKAGES}):
        with open(f"out/.tmp/file{{n}}", "w") as file: file.write("content")
    os.rename("out/.tmp", f"out/package{{package}}")
"""
EACH_BY_RENAME = f"""
import os
for n in range({FILES_BY_RENAME}):
    if n % {FILES_PER_FOLDER} == 0: os.mkdir(f"out/folder{{n // {FILES_PER_FOLDER}}}")
    name = f"out/folder{{n // {FILES_PER_FOLDER}}}/file{{n}}"
    with open(name + ".tmp", "w") as file: file.write("content")
    os.rename(name + ".tmp", name)
"""


def git(workspace, env, script):
    identity = {f"GIT_{who}_{what}": "bench" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["sh", "-ec", script], cwd=workspace, env={**env, **identity}, check=True, stdout=subprocess.DEVNULL)


def generate_branches(workspace, env):
    script = f"""
git init -q -b main; git config user.name bench; git config user.email bench@example.org
echo one >one; git add one; git commit -q -m one
git checkout -q -b topic
for n in $(seq {COMMITS}); do echo $n >file$n; git add file$n; git commit -q -m $n; done
git tag start; git checkout -q main; echo two >two; git add two; git commit -q -m two
"""
    git(workspace, env, script)


def generate_empty_repository(workspace, env):
    git(workspace, env, "git init -q")


MAY_DELETE = ("--deleted-files", "100000", "--deleted-share", "1")

LOADS = [
    Load(
        "work-compile",
        "/usr/bin/g++ -std=c++20 -O1 -c unit.cc -o tmp/unit.o".split(),
        generate_cpp,
    ),
    Load("work-git-status", ["/usr/bin/git", "status"], generate_repository, repeat=20),
    Load(
        "work-tar",
        "/usr/bin/tar xf files.tar -C out".split(),
        generate_archive,
        repeat=3,
        fresh="out",
    ),
    Load(
        "work-pytest",
        "/usr/bin/python3 -m pytest -q -p no:cacheprovider --basetemp=tmp/pytest "
        "test_numbers.py".split(),
        generate_python_tests,
        repeat=2,
        # pytest removes what its last run has left: as below.
        options=MAY_DELETE,
    ),
    Load(
        "work-rebase",
        ["/bin/sh", "-c", REBASE],
        generate_branches,
        repeat=2,
        ceiling=1.05,
        # Git takes the branch's hundred files away before it brings them back: the run would be paused, for ever.
        options=MAY_DELETE,
    ),
    Load(
        "work-packages",
        ["/usr/bin/python3", "-I", "-c", PACKAGE_TREE],
        generate_empty_repository,
        fresh="out",
        ceiling=1.15,
    ),
    Load(
        "work-renames",
        ["/usr/bin/python3", "-I", "-c", EACH_BY_RENAME],
        generate_empty_repository,
        fresh="out",
        ceiling=1.5,
    ),
]
