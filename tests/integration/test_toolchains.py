"""Real toolchains build and test real projects inside, with what a run has by default.

What is not installed is skipped and counted; `make test-toolchains` installs what Debian has.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import textwrap

import pytest

from conftest import needs_root
from test_policy_layers import in_own_etc

SEARCH = "/usr/local/bin:/usr/bin:/bin"


def needs(*programs):
    missing = [name for name in programs if not shutil.which(name, path=SEARCH)]
    return pytest.mark.skipif(bool(missing), reason=f"this host has no {' '.join(missing)}")


def write(folder, files):
    """Files by their names, below FOLDER."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def tarball(path, files):
    """What `npm pack` makes."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            data = text.encode()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


@needs("git")
def test_git_with_a_remote_of_its_own(ringwall, place):
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n")
    script = """set -e
git init -q --bare remote.git && git init -q -b main one && cd one
for i in 1 2 3; do echo $i > f && git add f && git commit -q -m "step $i"; done
git push -q ../remote.git main && cd .. && git clone -q -b main remote.git two && cd two
(git bisect start HEAD HEAD~2 && git bisect run sh -c '! grep -qx 3 f') | grep -c 'is the first bad commit'
git bisect reset >/dev/null 2>&1 && git log --oneline | wc -l && git archive main | tar -t && git blame -s f | wc -l"""
    result = ringwall.sh(script, timeout=120)
    assert result.status == 0 and result.out.split() == ["1", "3", "f", "1"], result


# Node


@needs("npm")
def test_npm_ci_of_a_lock_file(ringwall, place):
    """A tarball beside the lock file, with a program, and another that depends on it."""
    tarball(place.work / "dep-1.0.0.tgz", {"package.json": '{"name": "dep", "version": "1.0.0", "bin": {"dep": "cli.js"}}', "cli.js": "#!/usr/bin/env node\nconsole.log('dep ran')\n"})
    write(place.work, {"package.json": '{"name": "app", "version": "1.0.0", "scripts": {"go": "dep"}, "dependencies": {"dep": "file:dep-1.0.0.tgz"}}'})
    made = ringwall("run", "npm", "install", "--package-lock-only", "--offline", "--no-audit", "--no-fund", timeout=120)
    assert made.status == 0, made
    lock = json.loads((place.work / "package-lock.json").read_text())
    assert lock["packages"]["node_modules/dep"]["integrity"].startswith("sha512-")
    result = ringwall.sh("npm ci --offline --no-audit --no-fund >/dev/null && npm run --silent go && node_modules/.bin/dep", timeout=120)
    assert result.status == 0 and result.out == "dep ran\n" * 2, result


@needs("npm")
def test_npm_ci_from_the_cache_of_the_real_home(ringwall, bare, place):
    """The lock file names the registry; what the person has downloaded before is offered, not changed."""
    source = place.root / "source"
    source.mkdir()
    tarball(source / "dep.tgz", {"package.json": '{"name": "dep", "version": "1.0.0", "main": "m.js"}', "m.js": "console.log('from the cache')\n"})
    added = bare("npm", "cache", "add", source / "dep.tgz")
    assert added.status == 0, added
    write(place.work, {"package.json": '{"name": "app", "version": "1.0.0", "dependencies": {"dep": "1.0.0"}}'})
    digest = base64.b64encode(hashlib.sha512((source / "dep.tgz").read_bytes()).digest()).decode()
    lock = {
        "name": "app", "version": "1.0.0", "lockfileVersion": 3, "requires": True,
        "packages": {
            "": {"name": "app", "version": "1.0.0", "dependencies": {"dep": "1.0.0"}},
            "node_modules/dep": {"version": "1.0.0", "resolved": "https://registry.npmjs.org/dep/-/dep-1.0.0.tgz", "integrity": f"sha512-{digest}"},
        },
    }
    (place.work / "package-lock.json").write_text(json.dumps(lock))
    script = "npm ci --offline --no-audit --no-fund >/dev/null && node -e 'require(\"dep\")'"
    refused = ringwall.sh(script, "--fresh", timeout=120)
    assert refused.status != 0, "without the cache there is nothing to install from"
    before = sorted(p.name for p in (place.home / ".npm").rglob("*"))
    result = ringwall.sh(script, "--cache", "npm", timeout=120)
    assert result.status == 0 and result.out == "from the cache\n", result
    assert sorted(p.name for p in (place.home / ".npm").rglob("*")) == before


@needs("node")
def test_node_runs_its_tests(ringwall, place):
    write(place.work, {
        "a.test.js": """
            const test = require('node:test'), assert = require('node:assert'), net = require('net');
            test('adds', () => assert.equal(1 + 1, 2));
            test('serves', (t, done) => { const s = net.createServer(c => c.end('x')).listen(0, () =>
              net.connect(s.address().port).on('data', d => { assert.equal(String(d), 'x'); s.close(done); })); });
            """,
        "b.test.js": "require('node:test')('fails', () => { if (process.env.FAIL) throw new Error('wanted'); });\n",
    })
    result = ringwall("run", "node", "--test", timeout=120)
    assert result.status == 0 and "# pass 3" in result.out + result.err.replace("ℹ", "#"), result
    assert ringwall("run", "--set", "FAIL=1", "node", "--test", timeout=120).status == 1


# Python


def python_package(folder):
    write(folder, {
        "pyproject.toml": """
            [build-system]
            requires = ["setuptools"]
            build-backend = "setuptools.build_meta"
            [project]
            name = "thing"
            version = "1.2"
            [project.scripts]
            thing = "thing:main"
            """,
        "thing/__init__.py": "def main():\n    print('thing runs')\n",
    })


@needs("python3")
def test_pip_installs_a_local_package_into_a_virtual_environment(ringwall, bare, place):
    if bare("/usr/bin/python3", "-c", "import ensurepip, setuptools, wheel").status != 0:
        pytest.skip("this host has no python3-venv, python3-setuptools or python3-wheel")
    python_package(place.work / "thing-src")
    script = """set -e
/usr/bin/python3 -m venv --system-site-packages env
env/bin/python -m pip install -q --no-index --no-build-isolation --disable-pip-version-check ./thing-src
env/bin/thing && env/bin/python -m pip list --disable-pip-version-check | grep thing"""
    result = ringwall.sh(script, timeout=120)
    assert result.status == 0 and result.out.split() == ["thing", "runs", "thing", "1.2"], result
    assert ringwall("run", "env/bin/thing").ok() == "thing runs"


def test_pytest_with_a_failing_test(ringwall, place):
    write(place.work, {
        "conftest.py": "import pytest\n@pytest.fixture\ndef number():\n    return 7\n",
        "test_a.py": """
            import subprocess, sys, pytest
            @pytest.mark.parametrize("n", range(5))
            def test_many(n, number, tmp_path, capfd, monkeypatch):
                monkeypatch.chdir(tmp_path)
                subprocess.run([sys.executable, "-c", "print(1)"], check=True)
                assert capfd.readouterr().out == "1\\n" and number == 7
            def test_bad():
                assert False
            """,
    })
    result = ringwall("run", "/usr/bin/python3", "-m", "pytest", "-q", timeout=120)
    assert result.status == 1 and "5 passed" in result.out and "1 failed" in result.out, result


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(ringwall, place, method):
    write(place.work, {"m.py": f"""
        import multiprocessing as m, concurrent.futures as f, os
        def work(n):
            return n * n
        if __name__ == "__main__":
            m.set_start_method("{method}")
            with m.Pool(4) as p: print(sum(p.map(work, range(100))))
            with f.ProcessPoolExecutor(2) as e: print(list(e.map(work, [1, 2])))
            with m.Manager() as g: d = g.dict(a=1); print(d["a"])
            a, b = m.Pipe(); v = m.Value("i", 3); s = m.Semaphore(1); s.acquire(); s.release(); print(v.value)
        """})
    result = ringwall("run", "/usr/bin/python3", "m.py", timeout=120)
    assert result.ok() == "328350\n[1, 4]\n1\n3"


# Compilers


@needs("make", "gcc")
def test_make_with_its_job_server(ringwall, place):
    names = [f"f{i}" for i in range(24)]
    write(place.work, {f"{name}.c": f"int {name}(void) {{ return 1; }}\n" for name in names})
    (place.work / "main.c").write_text("".join(f"int {n}(void);\n" for n in names) + f"int main(void) {{ return {'+'.join(n + '()' for n in names)} - 24; }}\n")
    (place.work / "Makefile").write_text(
        f"all: sub app\n\t./app\napp: main.o {' '.join(n + '.o' for n in names)}\n\tcc -o $@ $^\nsub:\n\t+$(MAKE) -s main.o\n"
    )
    result = ringwall("run", "make", "-s", "-j4", timeout=120)
    assert result.ok() == "", result
    assert (place.work / "app").exists()


@needs("cmake", "ctest", "c++", "make")
def test_cmake_and_ctest(ringwall, place):
    write(place.work, {
        "CMakeLists.txt": """
            cmake_minimum_required(VERSION 3.16)
            project(t CXX)
            enable_testing()
            find_package(Threads REQUIRED)
            add_executable(t t.cc)
            target_link_libraries(t Threads::Threads)
            add_test(NAME good COMMAND t)
            add_test(NAME bad COMMAND t x)
            set_tests_properties(bad PROPERTIES WILL_FAIL TRUE)
            """,
        "t.cc": "#include <thread>\nint main(int n, char**) { int r = 9; std::thread([&] { r = n - 1; }).join(); return r; }\n",
    })
    script = "cmake -S . -B b >/dev/null && cmake --build b -j2 >/dev/null && ctest --test-dir b -j2"
    result = ringwall.sh(script, timeout=120)
    assert result.status == 0 and "100% tests passed, 0 tests failed out of 2" in result.out, result


@needs_root
@needs("gcc")
def test_the_linker_finds_what_libraries_need(ringwall, place):
    """In a folder that the host's settings name and no flag does, as vendors' libraries have one."""
    stack = place.home / "stack"
    write(stack, {"b.c": "int b(void) { return 7; }\n", "a.c": "int b(void);\nint a(void) { return b(); }\n"})
    build = "gcc -shared -fPIC -o libb.so b.c && gcc -shared -fPIC -o liba.so a.c -L. -lb"
    subprocess.run(["sh", "-c", build], cwd=stack, check=True)
    write(place.work, {"m.c": "int a(void);\nint main(void) { return a(); }\n"})
    link = ["run", "--ro", stack, "--", "gcc", "m.c", f"-L{stack}", "-la", "-o", "m"]
    assert "needed by" in ringwall(*link, prefix=in_own_etc("true")).err
    named = in_own_etc(f"echo {stack} >/etc/ld.so.conf.d/zz-stack.conf")
    assert ringwall(*link, prefix=named).ok() == "" and (place.work / "m").exists()


@needs("gdb", "gcc")
def test_gdb_of_threads_and_children(ringwall, place):
    write(place.work, {"t.c": """
        #include <pthread.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void* stop_here(void* p) { return p; }
        int main(void) {
          pthread_t t; pthread_create(&t, 0, stop_here, 0); pthread_join(t, 0);
          if (fork() == 0) _exit(3);
          int s; wait(&s); return WEXITSTATUS(s);
        }
        """})
    script = """gcc -g -o t t.c -lpthread &&
gdb -q -batch -ex 'break stop_here' -ex run -ex bt -ex 'info threads' -ex continue ./t
sleep 60 & sleep 0.2; gdb -q -batch -p $! -ex 'info proc' 2>&1 | grep -c 'cmdline.*sleep'; kill $!; wait"""
    result = ringwall("run", "--", "bash", "-c", script, timeout=120)
    assert "hit Breakpoint 1, stop_here" in result.out and "exited with code 03" in result.out, result
    assert result.out.split()[-1] == "1", result  # attached to a process that was going on


@needs("strace")
def test_strace_follows_children(ringwall):
    result = ringwall.sh("strace -f -o t.log -e trace=execve sh -c '(true; /bin/echo hi) & wait' && grep -c execve t.log && strace -c true 2>&1 | grep -c execve")
    counts = result.out.split()
    assert result.status == 0 and counts[0] == "hi" and int(counts[1]) >= 2 and counts[2] == "1", result


# Rust, Go, Java


@needs("cargo")
def test_cargo_builds_and_tests_offline(ringwall, place):
    write(place.work, {
        "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndep = { path = "dep" }\n',
        "build.rs": 'fn main() { println!("cargo:rustc-env=BUILT=yes"); }\n',
        "src/main.rs": 'fn main() { println!("{} {}", dep::two(), env!("BUILT")); }\n#[test]\nfn two() { assert_eq!(dep::two(), 2); }\n',
        "dep/Cargo.toml": '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
        "dep/src/lib.rs": "pub fn two() -> i32 { 2 }\n",
    })
    result = ringwall.sh("cargo build -q --offline && target/debug/app && cargo test -q --offline", timeout=180)
    assert result.status == 0 and result.out.startswith("2 yes\n") and "1 passed" in result.out, result


@needs("go")
def test_go_builds_and_tests_offline(ringwall, place):
    write(place.work, {
        "go.mod": "module example.org/app\n\ngo 1.18\n",
        "main.go": 'package main\n\nimport "fmt"\n\nfunc two() int { return 2 }\n\nfunc main() { fmt.Println(two()) }\n',
        "main_test.go": 'package main\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif two() != 2 {\n\t\tt.Fatal()\n\t}\n}\n',
    })
    result = ringwall.sh("go build -o app . && ./app && go test ./... && go vet ./...", timeout=300)
    assert result.status == 0 and result.out.startswith("2\nok"), result


@needs("javac", "java")
def test_java_compiles_and_runs(ringwall, place):
    write(place.work, {"A.java": 'class A { public static void main(String[] a) throws Exception { var t = new Thread(() -> System.out.println("java runs")); t.start(); t.join(); System.gc(); } }\n'})
    result = ringwall.sh("javac A.java && java A", timeout=120)
    assert result.ok() == "java runs"


@needs("mvn", "java")
def test_maven_offline(ringwall, place):
    """A host need not have any plugin, so this is a project that needs none."""
    write(place.work, {"pom.xml": """\
        <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
        <groupId>org.example</groupId><artifactId>app</artifactId><version>1</version><packaging>pom</packaging></project>
        """})
    result = ringwall("run", "mvn", "-o", "-B", "validate", timeout=120)
    assert result.status == 0 and "BUILD SUCCESS" in result.out, result


BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")


def test_a_browser_without_a_screen(ringwall, place):
    found = [name for name in BROWSERS if shutil.which(name, path=SEARCH)]
    if not found:
        pytest.skip("this host has no Chromium")
    write(place.work, {"page.html": "<body><script>document.title='x'; document.body.append('6*7=' + 6*7)</script></body>"})
    # Without --disable-dev-shm-usage: shared memory has to be there.
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000"]
    result = ringwall("run", found[0], *flags, "--dump-dom", f"file://{place.work}/page.html", timeout=120)
    assert result.status == 0 and "6*7=42" in result.out, result
    shot = ringwall("run", found[0], *flags, "--screenshot=shot.png", "page.html", timeout=120)
    assert shot.status == 0 and (place.work / "shot.png").read_bytes().startswith(b"\x89PNG"), shot
    assert os.path.getsize(place.work / "shot.png") > 500
