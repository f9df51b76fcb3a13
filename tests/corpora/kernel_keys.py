"""Keys of the kernel, as a login or a program of the person's leaves them."""

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
ADD_KEY, KEYCTL = 248, 250
JOIN_SESSION_KEYRING = 1


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def join_session():
    """A session keyring of this process's own, which ends with it."""
    checked(LIBC.syscall(KEYCTL, JOIN_SESSION_KEYRING, None))


def add_key(name, content, keyring):
    data = content.encode()
    return checked(LIBC.syscall(ADD_KEY, b"user", name.encode(), data, len(data), keyring))
