"""installs without any network what the person has downloaded before"""

import json
import subprocess

import work_tools

NEEDS = {"npm": "npm", "node": "nodejs"}
RINGWALL = ["--cache", "npm"]
ACT = "npm ci --offline --silent --no-audit --no-fund && node -p 'require(\"dep\")'"


def prepare(host):
    data = work_tools.tarball(work_tools.node_package("dep", "1.0.0", "module.exports = 'from the cache'\n"))
    host.write("~/dep.tgz", data)
    host.own()
    words = ["npm", "cache", "add", str(host.home / "dep.tgz")]
    subprocess.run(words, env=host.environment(), cwd=host.work, preexec_fn=host.become, check=True, capture_output=True)
    host.write("package.json", json.dumps({"name": "app", "version": "1.0.0", "dependencies": {"dep": "1.0.0"}}))
    entry = {"version": "1.0.0", "resolved": "https://registry.npmjs.org/dep/-/dep-1.0.0.tgz", "integrity": work_tools.integrity(data)}
    top = {"name": "app", "version": "1.0.0", "dependencies": {"dep": "1.0.0"}}
    lock = {"name": "app", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": {"": top, "node_modules/dep": entry}}
    host.write("package-lock.json", json.dumps(lock))


def works(host, done):
    return done.status == 0 and done.out == "from the cache\n"
