"""has a file .git that leads to the keys, so that these belong to the repository"""

import shutil

from evidence import secret_printed as succeeded

SHAPE = "CVE-2026-40068: .git and commondir spoofed a trusted path"
PROMISE = "P07"
REFUSED = True
ACT = "cat @HOME@/.ssh/id_ed25519; cat @HOME@/other/.git/description"


def prepare(host):
    shutil.rmtree(host.path(".git"))
    host.write(".git", f"gitdir: {host.home}/other/.git\n")
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", ""), ("description", host.secret)):
        host.write(f"~/other/.git/{name}", text)
    for folder in ("objects", "refs"):
        host.path(f"~/other/.git/{folder}").mkdir()
    host.write("~/other/.git/commondir", "../../.ssh\n")
