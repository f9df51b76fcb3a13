"""reads a key of the caller's session keyring"""

from evidence import secret_printed as succeeded
from kernel_keys import add_key, join_session

SHAPE = "container escapes by keyrings that no namespace separates"
PROMISE = "P17"
WALLS = "keyring,system-calls"
PYTHON = """
import ctypes
libc = ctypes.CDLL(None)
key = libc.syscall(250, 10, -3, b"user", b"@SECRET@-name", 0)  # KEYCTL_SEARCH in the session keyring
data = ctypes.create_string_buffer(99)
libc.syscall(250, 11, key, data, 99)
print(data.value.decode())
"""
_SESSION = -3


def as_caller(host):
    join_session()
    add_key(host.secret + "-name", host.secret, _SESSION)


def prepare(host):
    host.facts["SECRET"] = host.secret
