"""Disks in memory that can be filled and emptied while a run goes on, for an ordinary user: in mounts of our own."""

import ctypes
import os
import pathlib

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 2, 4, 16384, 1 << 18
LIBC = ctypes.CDLL(None, use_errno=True)
FILLER = "filler"


def checked(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def own_mounts():
    """A user namespace in which every id is what it was, and the mounts that come with it."""
    user, group = os.getuid(), os.getgid()
    checked(LIBC.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user else 0)), "unshare")
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            pathlib.Path("/proc/self", name).write_text(text, encoding="ascii")
    checked(LIBC.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "mount /")


class SmallDisk:
    def __init__(self, folder, kilobytes, inodes):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        options = f"size={kilobytes}k,nr_inodes={inodes},mode=700".encode()
        checked(LIBC.mount(b"small", os.fsencode(folder), b"tmpfs", MS_NOSUID | MS_NODEV, options), f"mount {folder}")
        self.held = None

    def fill(self, what):
        """Not a byte, or not a file more. Somebody else may take the last of it meanwhile, or free some."""
        place = self.folder / FILLER
        try:
            place.mkdir()
            if what == "files":
                for number in range(1 << 20):
                    (place / str(number)).touch()
            else:
                with open(place / "bytes", "wb", buffering=0) as file:
                    while file.write(bytes(4096)):
                        pass
        except OSError:
            pass

    def empty(self):
        place = self.folder / FILLER
        if not place.is_dir():
            return
        for entry in os.scandir(place):
            os.unlink(entry.path)
        place.rmdir()
