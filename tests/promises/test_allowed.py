"""The twin of each promise: the legitimate use that goes on working inside."""

import pytest

# (promise, what works, script)
USES = [
    ("P01", "several_processes_share_the_sandbox", "sleep 0.01 & wait; test -e /proc/self/ns/pid"),
    ("P02", "ordinary_programs_run", "ls --version && env true && sh -c 'exit 0'"),
    (
        "P02",
        "other_modes_can_be_set",
        "touch a && chmod 755 a && test $(stat -c %a a) = 755 && mkdir d && chmod 1777 d &&"
        " test $(stat -c %a d) = 1777 && umask 027 && touch b && test $(stat -c %a b) = 640 &&"
        " install -m 700 a c && test $(stat -c %a c) = 700; r=$?; rm -rf a b c d; exit $r",
    ),
    ("P03", "own_files_can_be_owned_and_changed", "touch a && chmod 600 a && test -O a && rm a"),
    (
        "P04",
        "threads_pipes_polls_and_memory_maps_work",
        "python3 -c 'import threading, mmap, select, asyncio; t = threading.Thread(target=int);"
        " t.start(); t.join(); mmap.mmap(-1, 4096); select.epoll();"
        " asyncio.run(asyncio.sleep(0))'",
    ),
    (
        "P05",
        "processes_can_be_made_in_every_usual_way",
        "python3 -c 'import os, subprocess, multiprocessing as m; pid = os.fork() or os._exit(0);"
        " os.waitpid(pid, 0); subprocess.run([\"true\"], check=True);"
        " p = m.Process(target=int); p.start(); p.join(); assert p.exitcode == 0'",
    ),
    (
        "P06",
        "own_processes_can_be_seen_signalled_and_traced",
        "sleep 9 & test -r /proc/$!/status && kill -STOP $! && kill -CONT $! && kill $!;"
        "python3 -c 'import ctypes, os, time; libc = ctypes.CDLL(None, use_errno=True);"
        " libc.ptrace.argtypes = [ctypes.c_long] * 4;"
        " pid = os.fork() or (time.sleep(9), os._exit(0));"
        " assert libc.ptrace(16, pid, 0, 0) == 0, os.strerror(ctypes.get_errno());"
        " os.waitpid(pid, 0); libc.ptrace(17, pid, 0, 0); os.kill(pid, 9)'",
    ),
    (
        "P07",
        "a_private_home_stands_at_the_same_path",
        'cd "$HOME" && mkdir -p .config/tool && echo x > .config/tool/rc && test -O .',
    ),
    ("P08", "own_credentials_can_be_made", 'umask 077; mkdir -p ~/.ssh && echo key > ~/.ssh/id_x'),
    (
        "P09",
        "workspace_tmp_and_home_are_writable",
        "echo a > .w && mv .w .v && ln .v .u && rm .v .u && echo a > /tmp/x && mkdir -p ~/d &&"
        " test -r /etc/passwd && test -x /usr/bin/env",
    ),
    (
        "P13",
        "own_sockets_work",
        "python3 -c 'import socket, os; a, b = socket.socketpair(); a.send(b\"x\");"
        " s = socket.socket(socket.AF_UNIX); s.bind(\"/tmp/s\"); s.listen();"
        " c = socket.socket(socket.AF_UNIX); c.connect(\"/tmp/s\");"
        " w = socket.socket(socket.AF_UNIX); w.bind(\"own.sock\"); w.listen(); __import__(\"time\").sleep(0.2);"
        " socket.socket(socket.AF_UNIX).connect(\"own.sock\"); os.unlink(\"own.sock\");"
        " t = socket.socket(socket.AF_UNIX); t.bind(\"\\0own\"); t.listen();"
        " socket.socket(socket.AF_UNIX).connect(\"\\0own\")'",
    ),
    ("P14", "programs_find_the_folders_they_expect", "test -d /run && test -d /var/tmp/."),
    ("P15", "redirections_and_pipes_work", "exec 5>/tmp/five; echo a | cat >&5; test -s /tmp/five"),
    (
        "P16",
        "the_usual_devices_work",
        "echo a > /dev/null && head -c 8 /dev/urandom | wc -c && head -c 8 /dev/zero > /dev/null &&"
        " python3 -c 'import pty, os; m, s = pty.openpty(); os.write(s, b\"x\"); os.read(m, 1)' &&"
        " echo x > /dev/shm/a && rm /dev/shm/a && cat /dev/stdin < /dev/null",
    ),
    ("P17", "programs_that_ask_for_keys_go_on", "git --version && ls ~"),
    (
        "P18",
        "own_shared_memory_semaphores_and_queues_work",
        "python3 -c 'import ctypes, multiprocessing.shared_memory as m;"
        " libc = ctypes.CDLL(None); s = libc.shmget(77, 4096, 0o1600); assert s >= 0;"
        " libc.shmctl(s, 0, None); s = libc.semget(77, 1, 0o1600); assert s >= 0;"
        " libc.semctl(s, 0, 0); b = m.SharedMemory(create=True, size=99); b.close(); b.unlink();"
        " assert libc.mq_open(b\"/own\", 0o102, 0o600, None) >= 0; libc.mq_unlink(b\"/own\")'",
    ),
    (
        "P19",
        "the_variables_that_programs_need_are_set",
        'test -d "$HOME" && test -n "$PATH" && test -n "$TERM" && test -n "$USER" &&'
        ' test "$LANG" = C.UTF-8 && test -d "$TMPDIR" && test "$PWD" = "$(pwd)"',
    ),
    (
        "P22",
        "git_works_and_knows_the_person",
        "rm -rf repository && git init -q repository && cd repository && echo a > f && git add f &&"
        " git commit -q -m one && git status --short && git log --format=%ae |"
        " grep -qx person@example.invalid; result=$?; cd .. && rm -rf repository; exit $result",
    ),
    (
        "P23",
        "granted_ports_of_the_host_are_reached",
        "python3 -c 'import socket; s = socket.create_connection((\"127.0.0.1\", {greeting_port}), 9);"
        " assert s.recv(7) == b\"canary-\"'",
    ),
    (
        "P24",
        "granted_names_are_found",
        "python3 -c 'import socket; [socket.getaddrinfo(name, 443) for name in"
        " (\"{granted_name}\", \"any.{granted_zone}\", \"localhost\")]'",
    ),
    (
        "P25",
        "loopback_is_the_sandboxs_own",
        "python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", {tcp_port}));"
        " socket.create_connection((\"localhost\", {tcp_port}), 9)'",
    ),
    (
        "P26",
        "a_program_that_knows_no_wall_works",
        "python3 -c 'import urllib.request; got = urllib.request.urlopen("
        "\"http://127.0.0.1:{served_port}/\", timeout=120); assert got.status == 200'",
    ),
    (
        "P27",
        "the_granted_name_gets_beyond_the_comparison",
        "python3 -c 'import urllib.request as u, urllib.error as e\n"
        "try: u.urlopen(\"http://{granted_name}/\", timeout=120)\n"
        "except e.HTTPError as error: said = error.read().decode()\n"
        "assert \"it leads to\" in said or \"cannot be resolved\" in said, said'",
    ),
    ("P29", "own_secrets_can_be_kept", "umask 077; echo own > ~/.own-secret && cat ~/.own-secret"),
    (
        "P28",
        "loopback_tcp_and_udp_work",
        "python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0));"
        " socket.create_connection(s.getsockname()); u = socket.socket(type=socket.SOCK_DGRAM);"
        " u.bind((\"127.0.0.1\", 0)); u.sendto(b\"x\", u.getsockname()); u.recv(1);"
        " v = socket.create_server((\"::1\", 0), family=socket.AF_INET6); socket.if_nameindex()'",
    ),
    (
        "P33",
        "a_build_with_200_processes_works",
        "python3 -c 'import subprocess as s; all = [s.Popen([\"sleep\", \"1\"]) for _ in range(200)];"
        " assert [one.wait() for one in all] == [0] * 200'",
    ),
    (
        "P33",
        "a_thousand_files_can_be_open",
        "python3 -c 'all = [open(\"/dev/null\") for _ in range(1000)]; assert len(all) == 1000'",
    ),
    (
        "P33",
        "a_tool_can_watch_and_use_pipes_and_temporary_files",
        "python3 -c 'import ctypes, os; libc = ctypes.CDLL(None);"
        " assert all(libc.inotify_init() >= 0 for _ in range(20));"
        " assert all(os.pipe() for _ in range(50));"
        " open(\"/tmp/four\", \"wb\").write(bytes(4 << 20)); os.unlink(\"/tmp/four\")'",
    ),
    (
        "P34",
        "tools_can_learn_that_they_run_inside",
        'test -n "$RINGWALL_RUN" && grep -q "NoNewPrivs:.1" /proc/self/status',
    ),
]


@pytest.mark.parametrize(
    "script", [pytest.param(script, id=f"{number}_{what}") for number, what, script in USES]
)
def test_allowed(run, outside, script):
    for name, value in outside.facts.items():
        script = script.replace("{" + name + "}", str(value))
    status, output = run.shell("set -e\n" + script)
    assert status == 0, output
