"""mounts in a namespace of its own: files over git's config, the system writable"""

from evidence import word_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "CVE-2022-0492 and release_agent: mounting where one should not"
PROMISE = "P09"
ACT = """
unshare -Urm sh -c '
mount -t tmpfs none /mnt && echo GOT-IT
mount --bind /tmp /mnt && echo GOT-IT
mount -o remount,rw,bind /usr && echo GOT-IT'
mount -o remount,rw / && echo GOT-IT
"""
