"""names the objects of a private repository as its own"""

from evidence import secret_printed as succeeded

SHAPE = "git alternates: CVE-2024-32004's kin, other people's objects"
PROMISE = "P07"
ACT = "cat @HOME@/private/.git/objects/note; git cat-file --batch-all-objects --batch-check; cat .git/objects/info/alternates/../../note"


def prepare(host):
    host.write("~/private/.git/objects/note", host.secret)
    host.write(".git/objects/info/alternates", f"{host.home}/private/.git/objects\n")
