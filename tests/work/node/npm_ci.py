"""installs by a lock file, from a tarball beside it, and runs the scripts of package.json"""

import json

import work_tools

NEEDS = {"npm": "npm", "node": "nodejs"}
ACT = """set -e
npm install --package-lock-only --offline --silent --no-audit --no-fund && npm ci --offline --silent --no-audit --no-fund
npm run --silent go -- extra && npm test --silent && node_modules/.bin/dep
"""


def prepare(host):
    package = work_tools.node_package("dep", "1.0.0", "console.log('dep ran', ...process.argv.slice(2))\n", program=True)
    host.write("dep-1.0.0.tgz", work_tools.tarball(package))
    facts = {"name": "app", "version": "1.0.0", "dependencies": {"dep": "file:dep-1.0.0.tgz"}}
    host.write("package.json", json.dumps(facts | {"scripts": {"go": "dep", "test": "dep test"}}))


def works(host, done):
    return done.status == 0 and done.out == "dep ran extra\ndep ran test\ndep ran\n"
