"""The table of the lab: addresses, ports, and what each made-up name resolves to.

Public addresses are ordinary global ones, since a wall refuses the ranges for documentation. Private
ones answer as well: whatever reaches them without a grant is a canary that sings.
"""

import dataclasses

ZONE = "rwlab.net"


def full(name):
    return f"{name}.{ZONE}"


# The host side: behind a router as most machines are, and with an address of the open net too.
HOST = "192.168.77.2"
HOST6 = "fd77::2"
HOST_PUBLIC = "93.184.217.2"
HOST_PUBLIC6 = "2606:2800:221::2"
ROUTER = "192.168.77.1"
ROUTER6 = "fd77::1"

RESOLVER = "93.184.216.53"
OTHER_RESOLVER = "8.8.8.8"
WEB = "93.184.216.10"
WEB6 = "2606:2800:220:1::10"
TENANTS = "93.184.216.20"
FORGE = "93.184.216.25"
STREAMS = "93.184.216.40"
PROXY = "93.184.216.60"
BLOCK = "93.184.218.0/24"
IN_BLOCK = "93.184.218.77"

PRIVATE = "10.1.2.3"
CORPORATE = "10.20.30.40"
METADATA = "169.254.169.254"

# Ports of the far side.
HTTP_PORTS = [80, 8080]
HTTPS_PORTS = [443, 8443]
SSH_PORT = 22
REDIS_PORT = 6379
POSTGRES_PORT = 5432
PROXY_PORT = 3128
MAIL_PORT = 25
# Raw streams (streams.py says what each does).
ECHO, COUNT, PUSH, RESET, SILENT, LATE, BURSTS = 9000, 9001, 9002, 9003, 9004, 9005, 9006
UDP_ECHO = 9000

# Ports of the host's own loopback and addresses.
LOOPBACK_PORT = 7001
OTHER_LOOPBACK_PORT = 7002
OWN_ADDRESS_PORT = 7003

PROXY_USER, PROXY_PASSWORD = "corp-user", "corp:pass/word"


@dataclasses.dataclass(frozen=True)
class Entry:
    """How the lab's DNS server answers for one name."""

    a: tuple = ()
    aaaa: tuple = ()
    cname: str = ""
    delay: float = 0
    flips: tuple = ()  # one A after another, a new one with every query
    code: int = 0  # the error code of the answer
    silent: bool = False
    lie: str = ""  # what is wrong with the answer; see dns.py


ENTRIES = {
    "www": Entry(a=(WEB,), aaaa=(WEB6,)),
    "api": Entry(a=(WEB,), aaaa=(WEB6,)),
    "tenant-a": Entry(a=(TENANTS,)),
    "tenant-b": Entry(a=(TENANTS,)),
    "six": Entry(aaaa=(WEB6,)),
    "git": Entry(a=(FORGE,)),
    "npm": Entry(a=(FORGE,)),
    "redis": Entry(a=(STREAMS,)),
    "postgres": Entry(a=(STREAMS,)),
    "mail": Entry(a=(STREAMS,)),
    "streams": Entry(a=(STREAMS,)),
    "proxy": Entry(a=(PROXY,)),
    "alias": Entry(cname=full("www")),
    # Names that point where a granted name must not lead.
    "rebind": Entry(a=(PRIVATE,)),
    "mixed": Entry(a=(WEB, PRIVATE)),
    "mixed-six": Entry(a=(WEB,), aaaa=("fd00::1",)),
    "flip": Entry(flips=(WEB, PRIVATE)),
    "corporate": Entry(a=(CORPORATE,)),
    "metadata": Entry(a=(METADATA,)),
    "shared": Entry(a=("100.64.0.1",)),
    "home": Entry(a=("192.168.1.1",)),
    "loopback": Entry(a=("127.0.0.1",)),
    "loopback-six": Entry(aaaa=("::1",)),
    "nowhere": Entry(a=("0.0.0.0",)),
    "nowhere-six": Entry(aaaa=("::",)),
    "multicast": Entry(a=("224.0.0.251",)),
    "broadcast": Entry(a=("255.255.255.255",)),
    "reserved": Entry(a=("240.0.0.1",)),
    "benchmark": Entry(a=("198.18.0.1",)),
    "own": Entry(a=(HOST_PUBLIC,)),
    "own-six": Entry(aaaa=(HOST_PUBLIC6,)),
    "unique-local": Entry(aaaa=("fd00::1",)),
    "link-local": Entry(aaaa=("fe80::1",)),
    "mapped": Entry(aaaa=("::ffff:10.1.2.3",)),
    "compatible": Entry(aaaa=("::10.1.2.3",)),
    "nat64": Entry(aaaa=("64:ff9b::a01:203",)),
    "nat64-local": Entry(aaaa=("64:ff9b:1::a01:203",)),
    "sixtofour": Entry(aaaa=("2002:a01:203::1",)),
    "teredo": Entry(aaaa=("2001:0:a01:203::1",)),
    # Public, by a translator and a tunnel; and the host's own address by the former.
    "nat64-public": Entry(aaaa=("64:ff9b::5db8:d80a",)),
    "sixtofour-public": Entry(aaaa=("2002:5db8:d80a::1",)),
    "nat64-own": Entry(aaaa=("64:ff9b::5db8:d902",)),
    "alias-private": Entry(cname=full("rebind")),
    # Resolvers that are slow, silent, wrong or generous.
    "slow": Entry(a=(WEB,), delay=3),
    "never": Entry(silent=True),
    "gone": Entry(code=3),
    "broken": Entry(code=2),
    "empty": Entry(),
    "many": Entry(a=tuple(f"93.184.219.{n}" for n in range(1, 101))),
    "circle": Entry(cname=full("circle")),
    "lie-id": Entry(a=(WEB,), lie="id"),
    "lie-question": Entry(a=(WEB,), lie="question"),
    "lie-length": Entry(a=(WEB,), lie="length"),
    "lie-pointer": Entry(a=(WEB,), lie="pointer"),
}

WILDCARD = "wild"  # every name below it exists
WILDCARD_ENTRY = Entry(a=(WEB,))
MUTE_WILDCARD = "mute"  # nobody ever hears of those below it

# Names that stand in the host's /etc/hosts and nowhere else.
HOSTS_FILE = {"listed": WEB, "listed-private": PRIVATE}


def entry_of(name):
    """The entry for a whole name as asked, or None: there is no such name."""
    name = name.lower().rstrip(".")
    if name.endswith(f".{WILDCARD}.{ZONE}"):
        return WILDCARD_ENTRY
    if name.endswith(f".{MUTE_WILDCARD}.{ZONE}"):
        return Entry(silent=True)
    if not name.endswith(f".{ZONE}"):
        return None
    return ENTRIES.get(name[: -len(ZONE) - 1])
