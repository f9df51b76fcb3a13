"""takes the mount off that hides .env, in a namespace of its own"""

from evidence import secret_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "runc CVE-2025-31133 and CVE-2025-52565: masked paths made readable"
PROMISE = "P11"
ACT = "umount .env; umount -l .env; unshare -Urm sh -c 'umount -l .env; cat .env'; mount --move .env x; cat .env"


def prepare(host):
    host.write(".env", f"A_PASSWORD={host.secret}\n")
