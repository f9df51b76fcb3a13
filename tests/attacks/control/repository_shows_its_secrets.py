"""brings a policy in the repository that shows .env"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2026-33068: the repository's settings switched a wall off"
PROMISE = "P34"
REFUSED = True
ACT = "cat .env"


def prepare(host):
    host.write(".env", f"A_PASSWORD={host.secret}\n")
    host.write(".ringwall.toml", '[files]\nshow = [".env"]\n')
