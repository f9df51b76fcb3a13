"""reads a key of the caller's by its number"""

from evidence import secret_printed as succeeded
from kernel_keys import add_key, join_session

SHAPE = "container escapes by keyrings that no namespace separates"
PROMISE = "P17"
WALLS = "keyring,system-calls"
ACT = """
/usr/bin/python3 -c '
import ctypes
libc = ctypes.CDLL(None)
for line in open("number"):
    data = ctypes.create_string_buffer(99)
    libc.syscall(250, 11, int(line), data, 99)
    print(data.value.decode())
'
"""
_SESSION = -3


def as_caller(host):
    join_session()
    number = add_key(host.secret + "-name", host.secret, _SESSION)
    host.write("number", str(number))
