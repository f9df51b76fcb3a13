"""A terminal of the tests' own, which a run takes for the caller's."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

QUESTION = b"{ask<\x1b[c>ask}"
ANSWER = b"\x1b[?62;22c"
ANSWERED = b"answered}"  # with one word before or another
ROWS, COLUMNS = 33, 77


class CallerTerminal:
    def __init__(self):
        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.shown = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for fd in {self.near, self.far} - {-1}:
            os.close(fd)

    def facts(self):
        path = os.ttyname(self.far)
        place = os.stat(path)
        return {
            "terminal": path,
            "terminal_device": place.st_dev,
            "terminal_inode": place.st_ino,
        }

    def lead_session(self):
        """In a new process: this terminal is its own."""
        os.setsid()
        fcntl.ioctl(self.far, termios.TIOCSCTTY, 0)

    def unread_keys(self):
        return struct.unpack("i", fcntl.ioctl(self.far, termios.FIONREAD, bytes(4)))[0]

    def type(self, keys):
        os.write(self.near, keys)

    def read(self, seconds):
        """False if nothing came."""
        if not select.select([self.near], [], [], seconds)[0]:
            return False
        self.shown += os.read(self.near, 65536)
        return True

    def read_until(self, end, seconds=60):
        stop = time.monotonic() + seconds
        while end not in self.shown:
            left = stop - time.monotonic()
            assert left > 0 and self.read(left), f"{end} did not come; so far: {self.shown}"
        return self.shown

    def play_terminal(self):
        """Reads the script of P21 to its end, and answers its question as a terminal would."""
        self.read_until(QUESTION)
        self.type(ANSWER)
        return self.read_until(ANSWERED)
