"""Real work goes on working: each test is something that people do all day."""

import os
import shutil
import sys

import pytest


def needs(*programs):
    missing = [name for name in programs if not shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")]
    return pytest.mark.skipif(bool(missing), reason=f"this host has no {' '.join(missing)}")


@pytest.fixture
def identity(place):
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n")


@needs("git")
def test_git_from_init_to_rebase(ringwall, bare, place, identity):
    script = """set -e
git init -q -b main . && echo one > a && git add a && git commit -q -m one
git checkout -q -b side && echo two > b && git add . && git commit -q -m two
git checkout -q main && echo three > c && git add . && git commit -q -m three
git merge -q --no-edit side && git checkout -q -b topic HEAD~1 && echo four > d && git add . && git commit -q -m four
git rebase -q main && git stash list && git tag v1 && git gc -q && git fsck
git worktree add -q wt main && git clone -q . copy && git log --format=%an | sort -u && git status --short"""
    result = ringwall.sh(script)
    assert result.status == 0, result
    assert "Person" in result.out
    # And the caller goes on with it outside.
    assert bare("git", "log", "--format=%s", "-1").ok() == "four"


@needs("gcc", "g++", "make")
def test_compiling_and_running(ringwall, place):
    (place.work / "hello.c").write_text('#include <stdio.h>\nint main(void) { puts("hello c"); }\n')
    (place.work / "hello.cc").write_text('#include <iostream>\nint main() { std::cout << "hello c++\\n"; }\n')
    (place.work / "Makefile").write_text("all: c cc\n\t./c && ./cc\nc: hello.c\n\tgcc -O1 -g -o $@ $<\ncc: hello.cc\n\tg++ -o $@ $<\n")
    result = ringwall("run", "make", "-s", "-j2", timeout=120)
    assert result.ok() == "hello c\nhello c++"


@needs("gcc")
def test_threads_and_sanitizers(ringwall, place):
    (place.work / "t.c").write_text(
        "#include <pthread.h>\n#include <stdio.h>\nstatic void* f(void* p) { return p; }\n"
        "int main(void) { pthread_t t[8]; for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, f, 0);\n"
        'for (int i = 0; i < 8; i++) pthread_join(t[i], 0); puts("joined"); return 0; }\n'
    )
    for flags in ("", "-fsanitize=address,undefined", "-fsanitize=thread"):
        result = ringwall.sh(f"gcc {flags} -o t t.c -lpthread && ./t", timeout=120)
        if flags and result.status != 0 and ("cannot find" in result.err or "unexpected memory mapping" in result.err):
            continue  # the sanitizer itself is not installed or not made for this kernel
        assert result.status == 0 and result.out == "joined\n", (flags, result)


def test_a_virtual_environment_and_unittest(ringwall, place):
    (place.work / "test_x.py").write_text(
        "import unittest, multiprocessing as m, tempfile\nclass T(unittest.TestCase):\n"
        "  def test_pool(self):\n    with m.Pool(2) as p: self.assertEqual(p.map(abs, [-1, -2]), [1, 2])\n"
        "  def test_file(self):\n    with tempfile.TemporaryFile() as f: f.write(b'x')\n"
    )
    result = ringwall.sh("python3 -m venv --without-pip env && env/bin/python -m unittest -q test_x", timeout=120)
    assert result.status == 0 and "OK" in result.err, result
    # What was built inside works from outside as the program to run.
    assert ringwall("run", "env/bin/python", "-c", "import sys; print(sys.prefix)").ok() == str(place.work / "env")


@needs("node")
def test_node(ringwall, place):
    script = "const {execSync}=require('child_process'); console.log(execSync('echo child').toString().trim()); setTimeout(()=>console.log('timer'), 10); new (require('worker_threads').Worker)('console.log(\"worker\")', {eval: true})"
    out = ringwall("run", "node", "-e", script, timeout=120).ok().split()
    assert sorted(out) == ["child", "timer", "worker"]


@needs("node", "npm")
def test_npm(ringwall, place):
    (place.work / "dep").mkdir()
    (place.work / "dep/package.json").write_text('{"name": "dep", "version": "1.0.0", "bin": {"dep": "./cli.js"}}')
    (place.work / "dep/cli.js").write_text("#!/usr/bin/env node\nconsole.log('dep ran')\n")
    script = "npm init -y >/dev/null && npm install --no-audit --no-fund --offline ./dep >/dev/null && npm pkg set scripts.go=dep && npm run --silent go"
    result = ringwall.sh(script, timeout=120)
    assert result.status == 0 and result.out == "dep ran\n", result


@needs("tar", "gzip")
def test_tar(ringwall, place):
    script = "mkdir -p t/d && echo x > t/d/f && ln -s f t/d/l && chmod 750 t/d && tar czpf t.tgz t && rm -r t && tar xzpf t.tgz && cat t/d/l && stat -c %a t/d"
    assert ringwall.sh(script).ok() == "x\n750"


def test_sqlite(ringwall):
    script = "import sqlite3; c = sqlite3.connect('db'); c.execute('pragma journal_mode=wal'); c.execute('create table t(x)'); c.executemany('insert into t values(?)', [(i,) for i in range(1000)]); c.commit(); print(c.execute('select sum(x) from t').fetchone()[0])"
    assert ringwall.python(script).ok() == "499500"


def test_background_processes(ringwall):
    script = "sleep 0.1 & p=$!; (echo sub; exit 3) ; echo $?; wait $p; echo $?; seq 1000 | xargs -P 4 -n 100 echo | wc -l"
    assert ringwall.sh(script).ok() == "sub\n3\n0\n10"


@needs("strace")
def test_strace_of_an_own_process(ringwall):
    result = ringwall("run", "strace", "-f", "-e", "trace=execve", "true")
    assert result.status == 0 and "exited with 0" in result.err, result


@needs("gdb", "gcc")
def test_gdb_of_an_own_process(ringwall, place):
    (place.work / "t.c").write_text("int main(void) { return 7; }\n")
    script = "gcc -g -o t t.c && gdb -q -batch -ex 'break main' -ex run -ex 'info locals' -ex continue ./t"
    result = ringwall.sh(script, timeout=120)
    assert "Breakpoint 1, main" in result.out and "exited with code 07" in result.out, result


def test_a_server_and_its_client(ringwall):
    script = """
import http.server, threading, urllib.request
s = http.server.ThreadingHTTPServer(("localhost", 0), http.server.SimpleHTTPRequestHandler)
s.RequestHandlerClass.log_message = lambda *a: None
threading.Thread(target=s.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://localhost:{s.server_port}/").status)
import socket
u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); u.bind(("::1", 0))
v = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); v.sendto(b"x", u.getsockname()); print(u.recv(1))
"""
    assert ringwall.python(script).ok() == "200\nb'x'"


def test_shared_memory_and_semaphores(ringwall):
    script = """
from multiprocessing import shared_memory, Lock, Queue, Process
m = shared_memory.SharedMemory(create=True, size=1 << 20); m.buf[0] = 7
n = shared_memory.SharedMemory(name=m.name); print(n.buf[0]); n.close(); m.close(); m.unlink()
q = Queue(); p = Process(target=q.put, args=(5,)); p.start(); print(q.get()); p.join()
"""
    assert ringwall.python(script).ok() == "7\n5"


def test_unix_sockets_in_tmp_and_abstract_ones(ringwall):
    script = """
import socket, array, os
for name in ("/tmp/s", "\\0abstract"):
    a = socket.socket(socket.AF_UNIX); a.bind(name); a.listen()
    b = socket.socket(socket.AF_UNIX); b.connect(name); c, _ = a.accept()
    socket.send_fds(b, [b"x"], [os.open("/etc/hostname", os.O_RDONLY)])
    print(os.read(socket.recv_fds(c, 1, 1)[1][0], 100).decode().strip())
"""
    assert ringwall.python(script).ok() == "ringwall\nringwall"


def test_locks_maps_and_watches(ringwall):
    script = """
import ctypes, fcntl, mmap, os, struct
f = open("file", "w+b"); f.truncate(8192); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_SH)
m = mmap.mmap(f.fileno(), 8192); m[0:5] = b"hello"; m.flush(); print(os.pread(f.fileno(), 5, 0))
libc = ctypes.CDLL(None); w = libc.inotify_init1(0); assert libc.inotify_add_watch(w, b".", 0x100) > 0
open("made", "w").close(); print(b"made" in os.read(w, 4096))
d = os.open(".", os.O_TMPFILE | os.O_RDWR); print(libc.linkat(-100, b"/proc/self/fd/%d" % d, -100, b"linked", 0x400) == 0)
p = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC); p.write(b"\\xc3"); print("jit")
"""
    assert ringwall.python(script).ok() == "b'hello'\nTrue\nTrue\njit"


def test_renames_and_links_across_folders(ringwall, place):
    script = "mkdir a b && echo x > a/f && mv a/f b/ && ln b/f a/g && mv a b/ && cat b/a/g && rm -r b"
    assert ringwall.sh(script).ok() == "x"
    assert list(place.work.iterdir()) == []


def test_times_modes_and_attributes(ringwall, place):
    script = "touch -d @1000000000 f; chmod 1751 f; ln -s f l; mkfifo p; stat -c '%Y %a' f; cp -a f g; stat -c %Y g; truncate -s 1G sparse; stat -c %s sparse"
    assert ringwall.sh(script).ok().splitlines() == ["1000000000 1751", "1000000000", "1073741824"]
    (place.work / "f").chmod(0o600)


def test_terminals_of_its_own(ringwall):
    script = "import pty, os; print(pty.spawn(['sh', '-c', 'tty; test -t 0 && echo terminal']))"
    out = ringwall.python(script).out
    assert "/dev/pts/0" in out and "terminal" in out


@needs("perl")
def test_perl_and_locales(ringwall):
    assert ringwall("run", "perl", "-e", 'print join ",", map { $_*2 } 1..3').ok() == "2,4,6"
    assert ringwall.sh("date +%Y >/dev/null; locale -a | head -1; printf '%s\\n' ü | wc -m", env={"LANG": "C.UTF-8"}).status == 0


def test_executables_in_tmp_and_home(ringwall):
    script = "for d in /tmp ~ ~/.cache .; do cp /bin/true $d/own-true && $d/own-true && echo $d | wc -l; done"
    assert ringwall.sh(script).ok().split() == ["1"] * 4


def test_the_clock_and_random_numbers(ringwall):
    script = "import time, os, random; assert time.time() > 1e9; assert len(os.urandom(8)) == 8; time.sleep(0.01); print('fine')"
    assert ringwall.python(script).ok() == "fine"


def test_this_python_runs_its_own_tests_inside(ringwall):
    """pytest under Ringwall, as an agent would run it."""
    (ringwall.place.work / "test_it.py").write_text("def test_it(tmp_path):\n    (tmp_path / 'x').write_text('y')\n")
    result = ringwall("run", "/usr/bin/python3", "-m", "pytest", "-q", "test_it.py", timeout=120)
    assert result.status == 0 and "1 passed" in result.out, (result, sys.version, os.uname())
