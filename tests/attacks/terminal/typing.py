"""types a command into the person's terminal, for the shell that reads it afterwards"""

SHAPE = "TIOCSTI: CVE-2017-5226 (bubblewrap), CVE-2023-28100"
PROMISE = "P20"
TERMINAL = True
PYTHON = """
import fcntl, termios
for byte in b"touch taken-over\\n":
    for number in (0, 1, 2):
        try:
            fcntl.ioctl(number, termios.TIOCSTI, bytes([byte]))
            break
        except OSError:
            pass
"""


def succeeded(host, done):
    return "taken-over" in done.typed


def not_here():
    try:
        with open("/proc/sys/dev/tty/legacy_tiocsti") as setting:
            return "this kernel was told to have no TIOCSTI" if setting.read().strip() == "0" else None
    except FileNotFoundError:
        return None
