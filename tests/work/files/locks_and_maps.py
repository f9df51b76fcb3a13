"""locks files against others, maps them, makes one without a name and gives it one"""

NEEDS = {"flock": "util-linux"}
PYTHON = """
import fcntl, mmap, os, subprocess
f = open("file", "w+b")
f.truncate(8192)
fcntl.flock(f, fcntl.LOCK_EX)
print(subprocess.run(["flock", "-n", "file", "true"]).returncode)
fcntl.flock(f, fcntl.LOCK_UN)
print(subprocess.run(["flock", "-n", "file", "true"]).returncode)
fcntl.lockf(f, fcntl.LOCK_EX)
m = mmap.mmap(f.fileno(), 8192)
m[0:5] = b"hello"
m.flush()
print(os.pread(f.fileno(), 5, 0).decode())
d = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
os.write(d, b"named later")
import ctypes
print(ctypes.CDLL(None).linkat(-100, b"/proc/self/fd/%d" % d, -100, b"linked", 0x400))
print(open("linked").read())
os.posix_fallocate(f.fileno(), 0, 1 << 20)
print(os.copy_file_range(f.fileno(), os.open("copy", os.O_WRONLY | os.O_CREAT), 5))
"""


def works(host, done):
    return done.status == 0 and done.out == "1\n0\nhello\n0\nnamed later\n5\n" and host.read("linked") == b"named later"
