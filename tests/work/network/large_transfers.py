"""downloads and uploads megabytes, and every byte arrives"""

import hashlib

NEEDS = {"curl": "curl"}
LAB = True
OPTIONS = {"hosts": ["www.rwlab.net"]}
ACT = """set -e
curl -sS https://www.rwlab.net/bytes/20000000 | sha256sum | cut -d' ' -f1 && head -c 5000000 /dev/urandom > up
curl -sS -T up https://www.rwlab.net/up | grep -c $(sha256sum up | cut -d' ' -f1)
"""


def works(host, done):
    block = hashlib.sha256(b"block").digest() * 2048
    whole = hashlib.sha256((block * (20000000 // len(block) + 1))[:20000000]).hexdigest()
    return done.status == 0 and done.out.split() == [whole, "1"]
