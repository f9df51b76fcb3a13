"""reads .env after a program outside has saved it anew by renaming"""

from evidence import secret_printed as succeeded

SHAPE = "editors save by renaming: the mount over the old file goes with it"
PROMISE = "P11"
ACT = "touch ready; for i in $(seq 600); do [ -e saved ] && break; sleep 0.05; done; cat .env"


def prepare(host):
    host.write(".env", "OLD=1\n")


def meanwhile(host, process):
    host.wait_for(host.path("ready").exists)
    host.write(".env.new~", f"DATABASE_PASSWORD={host.secret}\n").rename(host.path(".env"))
    host.own()
    # The promise leaves a moment, in which everything inside is stopped and the new file covered.
    host.wait_for(lambda: False, 1)
    host.write("saved", "")
