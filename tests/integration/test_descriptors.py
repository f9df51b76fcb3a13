"""Descriptors 0, 1 and 2 are judged one by one; everything from 3 on is closed."""

import ctypes
import hashlib
import os
import socket
import subprocess
import threading
import time

import pytest

MIB = 1 << 20


def close(number):
    return lambda: os.close(number)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_closed_descriptor_becomes_dev_null(ringwall, place, number):
    script = f"import os; open('seen', 'w').write(os.readlink('/proc/self/fd/{number}')); os._exit(5)"
    result = ringwall.python(script, preexec_fn=close(number))
    assert (result.status, result.out, result.err) == (5, "", "")
    assert (place.work / "seen").read_text() == "/dev/null"


def test_all_three_closed(ringwall, place):
    result = ringwall.sh("echo lost; echo ran > file; exit 3", preexec_fn=lambda: os.closerange(0, 3))
    assert (result.status, result.out) == (3, "")
    assert (place.work / "file").read_text() == "ran\n"


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_folder_is_refused(ringwall, mutant, bare, place, name):
    (place.home / "key").write_text("SECRET")
    (place.home / "folder").mkdir()
    number = ["stdin", "stdout", "stderr"].index(name)
    folder = os.open(place.home / "folder", os.O_RDONLY)
    words = ["cp", f"/proc/self/fd/{number}/../key", "got"]
    got = place.work / "got"

    def lent():
        """The folder in place of one descriptor, in the child alone."""
        os.dup2(folder, number)

    bare(*words, preexec_fn=lent)
    assert got.read_text() == "SECRET"
    got.unlink()
    result = ringwall("run", *words, preexec_fn=lent)
    assert result.status == 125 and not got.exists()
    if name != "stderr":
        assert "/dev/null" in result.refused(name, "folder").hint()
    mutant("descriptors,landlock")("run", *words, preexec_fn=lent)
    assert got.read_text() == "SECRET"
    os.close(folder)


def test_devices_are_refused_but_null(ringwall, stopped):
    with open("/dev/zero", "rb") as zero, open("/dev/null", "rb") as null:
        stopped("head -c 9 | wc -c", "descriptors", "9", stdin=zero).refused("stdin", "device")
        assert ringwall.sh("cat; echo RAN", stdin=null).ok() == "RAN"


CALLERS_MEMORY = ctypes.create_string_buffer(b"SECRET")
KERNEL_FILES = {
    "/proc/self/mem": (ctypes.addressof(CALLERS_MEMORY), "SECRET"),
    "/proc/self/status": (0, f"Pid:\\t{os.getpid()}"),
    "/proc/cpuinfo": (0, "processor"),
    "/sys/kernel/mm/transparent_hugepage/enabled": (0, "never"),
}


@pytest.mark.parametrize("path", KERNEL_FILES)
def test_files_of_the_kernels_are_refused(stopped, path):
    if not os.path.exists(path):
        pytest.skip(f"this host has no {path}")
    offset, sign = KERNEL_FILES[path]
    act = ["/usr/bin/python3", "-c", f"import os; print(os.pread(0, 2000, {offset}))"]
    with open(path, "rb") as file:
        assert "cat FILE |" in stopped(act, "descriptors", sign, stdin=file).refused("kernel").hint()


KERNEL_OBJECTS = {
    "a namespace": (lambda: os.open("/proc/self/ns/user", os.O_RDONLY), "print(os.readlink('/proc/self/fd/0'))", os.readlink("/proc/self/ns/user")),
    "a process": (lambda: os.pidfd_open(os.getpid()), "signal.pidfd_send_signal(0, 0); print('REACHED')", "REACHED"),
    "an event": (lambda: os.eventfd(9, os.EFD_SEMAPHORE), "print('READ', os.eventfd_read(0))", "READ 1"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KERNEL_OBJECTS)
def test_pidfds_and_other_kernel_objects_are_refused(stopped, kind):
    make, act, sign = KERNEL_OBJECTS[kind]
    number = make()
    # Behind a process of the host's stand three walls more, which let no signal out.
    walls = "descriptors,landlock,pid-namespace,own-identity" if kind == "a process" else "descriptors"
    words = ["/usr/bin/python3", "-c", f"import os, signal; {act}"]
    stopped(words, walls, sign, stdin=number).refused("stdin")
    os.close(number)


def test_a_file_passes(ringwall, place):
    (place.home / "in").write_bytes(b"bytes\0of a file")
    with open(place.home / "in", "rb") as source, open(place.home / "out", "wb") as sink:
        ringwall("run", "-w", place.work, "--rw", place.home / "out", "cat", stdin=source, stdout=sink)
    assert (place.home / "out").read_bytes() == b"bytes\0of a file"


def test_a_file_gives_no_more_rights_than_it_was_opened_with(stopped, place):
    """Opening /proc/self/fd/0 again would give write access to a file that was lent for reading."""
    file = place.home / "lent"
    file.write_text("old")
    file.chmod(0o666)  # for root's guest id
    with open(file, "rb") as source:
        act, options = "echo new > /proc/self/fd/0", {"stdin": source, "undo": lambda: file.write_text("old")}
        stopped(act, "landlock", lambda _: file.read_text() == "new\n", **options)


def test_append_and_offsets_are_kept(ringwall, place):
    log = place.work / "log"
    log.write_text("first\n")
    with open(log, "ab") as sink:
        ringwall("run", "echo", "second", stdout=sink)
    assert log.read_text() == "first\nsecond\n"
    (place.work / "in").write_text("one\ntwo\n")
    with open(place.work / "in", "rb", buffering=0) as source:
        source.read(4)
        assert ringwall("run", "cat", stdin=source).ok() == "two"


def test_descriptors_from_3_on_are_closed(ringwall, stopped, place):
    (place.home / "open").write_text("SECRET")
    number = os.open(place.home / "open", os.O_RDONLY)
    os.dup2(number, 77)
    script = "import os; print(os.listdir('/proc/self/fd')); print(os.pread(77, 9, 0))"
    options = {"pass_fds": [number, 77]}
    inside = stopped(["/usr/bin/python3", "-c", script], "descriptors", "SECRET", **options)
    assert "77" not in inside.out
    listing = ringwall.python("import os; print(sorted(os.listdir('/proc/self/fd')))", **options).ok()
    assert listing == "['0', '1', '2', '3']"  # 3 is the listing itself
    os.close(77)
    os.close(number)


def test_64_mib_through_pipes(ringwall):
    data = os.urandom(MIB) * 64
    result = ringwall("run", "cat", input=data, timeout=120)
    assert result.status == 0
    assert hashlib.sha256(result.raw).digest() == hashlib.sha256(data).digest()


def test_a_closed_pipe_ends_the_writer(ringwall):
    process = ringwall.start("run", "yes", stderr=subprocess.DEVNULL)
    process.stdout.read(100)
    process.stdout.close()
    assert process.wait(60) == 128 + 13
    process.stdin.close()


def test_stdin_at_its_end(ringwall):
    assert ringwall.sh("cat; echo done", input=b"").ok() == "done"


# Sockets: relayed, never passed


def pair(kind):
    if kind == "unix":
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        return ours, server.accept()[0]


def exchange(ringwall, kind, command, data, timeout=120):
    """What comes back when DATA is sent and then closed, with one socket as stdin and stdout."""
    ours, theirs = pair(kind)
    process = ringwall.start(*command, stdin=theirs, stdout=theirs)
    theirs.close()
    ours.settimeout(timeout)

    def send():
        ours.sendall(data)
        ours.shutdown(socket.SHUT_WR)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    received = bytearray()
    try:
        while chunk := ours.recv(MIB):
            received += chunk
    except TimeoutError:
        process.kill()
        raise AssertionError(f"stuck after {len(received)} bytes") from None
    sender.join(10)
    err = process.stderr.read().decode()
    assert process.wait(60) == 0, err
    process.stderr.close()
    ours.close()
    return bytes(received)


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_64_mib_through_a_socket_with_half_close(ringwall, kind):
    data = os.urandom(MIB) * 64
    back = exchange(ringwall, kind, ["run", "cat"], data)
    assert hashlib.sha256(back).digest() == hashlib.sha256(data).digest()


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_a_command_that_answers_with_more_than_it_gets(ringwall, kind):
    """Both directions full at once: the relay must go on with the one that moves."""
    script = "import sys\nwhile chunk := sys.stdin.buffer.read1(65536): sys.stdout.buffer.write(chunk * 8)"
    data = os.urandom(MIB) * 4
    back = exchange(ringwall, kind, ["run", "/usr/bin/python3", "-c", script], data, timeout=120)
    assert len(back) == 8 * len(data)


def test_a_command_that_leaves_before_its_input_ends(ringwall):
    ours, theirs = pair("unix")
    process = ringwall.start("run", "head", "-c", "3", stdin=theirs)
    theirs.close()
    ours.sendall(b"abcdef" * 1000)
    assert process.stdout.read() == b"abc"
    assert process.wait(60) == 0
    ours.close()
    process.communicate()


def test_separate_sockets_for_each_descriptor(ringwall):
    pairs = [pair("unix") for _ in range(3)]
    process = ringwall.start(
        "run", "sh", "-c", "cat; echo err >&2", stdin=pairs[0][1], stdout=pairs[1][1], stderr=pairs[2][1]
    )
    for _, theirs in pairs:
        theirs.close()
    pairs[0][0].sendall(b"hello")
    pairs[0][0].shutdown(socket.SHUT_WR)
    assert process.wait(60) == 0
    assert pairs[1][0].recv(100) == b"hello" and pairs[2][0].recv(100) == b"err\n"
    for ours, _ in pairs:
        ours.close()


def test_the_hosts_socket_does_not_come_inside(stopped):
    """An inherited TCP socket could be disconnected and dialled elsewhere, past the network wall."""
    script = "import socket; s = socket.socket(fileno=0); print(s.family.name)"
    ours, theirs = pair("tcp")
    inside = stopped(["/usr/bin/python3", "-c", script], "descriptors", "AF_INET", stdin=theirs)
    assert inside.ok() == "AF_UNIX"
    ours.close()
    theirs.close()


@pytest.mark.parametrize("kind", [socket.SOCK_DGRAM, socket.SOCK_SEQPACKET])
def test_sockets_that_carry_no_stream_are_refused(stopped, kind):
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    act = "import socket; s = socket.socket(fileno=0); s.send(b'x'); print('SENT')"
    inside = stopped(["/usr/bin/python3", "-c", act], "descriptors", "SENT", stdin=theirs)
    assert "pipe" in inside.refused("stdin", "stream").hint()
    ours.close()
    theirs.close()


def test_a_listening_socket_is_no_stream(stopped):
    """Who comes to it would be let in past the network wall."""
    act = "import socket; socket.socket(fileno=0).accept(); print('ACCEPTED')"
    with socket.create_server(("127.0.0.1", 0)) as server:
        clients = [socket.create_connection(server.getsockname()) for _ in range(2)]
        words = ["/usr/bin/python3", "-c", act]
        stopped(words, "descriptors", "ACCEPTED", stdin=server).refused("stdin", "stream")
    for client in clients:
        client.close()


def test_the_relay_dies_with_its_supervisor(ringwall, place):
    ours, theirs = pair("unix")
    process = ringwall.start("run", "sleep", "60", stdin=theirs)
    theirs.close()
    end = time.monotonic() + 60
    while len(place.processes()) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    place.wait_until_gone()
    assert ours.recv(10) == b""
    ours.close()
    assert ringwall("ls").ok() == ""
