"""fetches a page with node's own client, which brings its own list of authorities"""

import shutil

NEEDS = {"node": "nodejs"}
LAB = True
OPTIONS = {"hosts": ["www.rwlab.net"], "variables": ["NODE_EXTRA_CA_CERTS"]}
ACT = "node -e 'fetch(\"https://www.rwlab.net/node\").then(r => r.json()).then(j => console.log(j.path, j.host))'"


def prepare(host):
    host.variables["NODE_EXTRA_CA_CERTS"] = str(shutil.copy(host.lab.certificate, host.work / "ca.pem"))


def works(host, done):
    return done.status == 0 and done.out == "/node www.rwlab.net\n"
