"""opens many files and starts many processes and threads, as big builds and servers do"""

PYTHON = """
import os, resource, threading
print(resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 1024)
files = [open("/dev/null") for _ in range(900)]
print(len(files))
go = threading.Event()
threads = [threading.Thread(target=go.wait) for _ in range(200)]
for one in threads:
    one.start()
print(threading.active_count())
go.set()
for one in threads:
    one.join()
children = [os.posix_spawn("/bin/true", ["true"], {}) for _ in range(200)]
print(sum(os.waitpid(child, 0)[1] for child in children))
block = bytearray(256 << 20)
block[:: 4096] = b"x" * len(block[:: 4096])
print(len(block))
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["True", "900", "201", "0", str(256 << 20)]
