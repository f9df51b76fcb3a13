"""hears by inotify what is made, changed, moved and deleted"""

PYTHON = """
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
w = libc.inotify_init1(0)
os.mkdir("watched")
assert libc.inotify_add_watch(w, b"watched", 0x100 | 0x8 | 0x40 | 0x80 | 0x200) > 0
open("watched/new", "w").write("x")
os.rename("watched/new", "watched/other")
os.unlink("watched/other")
seen, kinds = [], {0x100: "made", 0x8: "written", 0x40: "from", 0x80: "to", 0x200: "gone"}
while "gone" not in seen:
    data = os.read(w, 4096)
    while data:
        _, mask, _, size = struct.unpack("iIII", data[:16])
        seen.append(kinds[mask])
        data = data[16 + size:]
print(*seen)
"""


def works(host, done):
    return done.status == 0 and done.out == "made written from to gone\n"
