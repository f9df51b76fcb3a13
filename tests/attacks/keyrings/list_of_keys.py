"""lists the keys that the person has"""

from kernel_keys import add_key, join_session

SHAPE = "/proc/keys names what lies in the keyrings"
PROMISE = "P17"
ACT = "cat /proc/keys"
_SESSION = -3


def as_caller(host):
    join_session()
    add_key(host.secret, "content", _SESSION)


def succeeded(host, done):
    return host.secret[:20] in done.out


def not_here():
    try:
        open("/proc/keys").close()
    except OSError:
        return "this kernel lists no keys"
