"""installs a package from a registry on the network, by its name and TLS"""

import shutil

NEEDS = {"npm": "npm", "node": "nodejs"}
LAB = True
OPTIONS = {"hosts": ["npm.rwlab.net"], "variables": ["NODE_EXTRA_CA_CERTS"]}
ACT = "npm install --silent --no-audit --no-fund --fetch-retries 0 --registry https://npm.rwlab.net/ small-thing && node -e 'require(\"small-thing\")'"


def prepare(host):
    host.variables["NODE_EXTRA_CA_CERTS"] = str(shutil.copy(host.lab.certificate, host.work / "ca.pem"))
    host.write("package.json", '{"name": "app", "version": "1.0.0"}\n')


def works(host, done):
    return done.status == 0 and done.out == "small thing runs\n"
