"""reads .env after a program outside has saved it anew by renaming"""

from evidence import secret_printed as succeeded

SHAPE = "editors save by renaming: the mount over the old file goes with it"
PROMISE = "P11"
# Behind the wall a moment may pass until the new file is covered: what counts is what stays open.
ACT = """
touch ready; for i in $(seq 1000); do [ -e saved ] && break; sleep 0.05; done
for i in $(seq 40); do cat .env > /dev/null 2>&1 || exit 1; sleep 0.05; done
cat .env
"""


def prepare(host):
    host.write(".env", "OLD=1\n")


def meanwhile(host, process):
    host.wait_for(host.path("ready").exists)
    host.write(".env.new~", f"DATABASE_PASSWORD={host.secret}\n").rename(host.path(".env"))
    host.own()
    host.write("saved", "")
