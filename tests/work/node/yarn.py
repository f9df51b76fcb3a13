"""installs by yarn from a registry, then once more by its lock file and without network"""

import json

import work_tools

NEEDS = {"node": "nodejs"}
OPTIONS = {"read": ["@TOOLS@"], "reach_host": ["@PORT@"]}
ACT = """set -e
yarn() { node @TOOLS@/node_modules/yarn/bin/yarn.js --silent --no-progress --registry http://127.0.0.1:@PORT@/ "$@"; }
yarn add alpha && yarn run say && rm -rf node_modules && yarn install --frozen-lockfile --offline && yarn run say && yarn check && ls node_modules
"""


def not_here():
    return work_tools.lacks("yarn")


def prepare(host):
    host.facts["TOOLS"] = work_tools.tools()
    alpha = work_tools.node_package("alpha", "1.0.0", "console.log('alpha and ' + require('beta'))\n", {"beta": "^1.0.0"}, program=True)
    beta = work_tools.node_package("beta", "1.1.0", "module.exports = 'beta'\n")
    work_tools.npm_registry(host, {"alpha": {"1.0.0": alpha}, "beta": {"1.1.0": beta}})
    host.write("package.json", json.dumps({"name": "app", "version": "1.0.0", "license": "MIT", "scripts": {"say": "alpha"}}))


def works(host, done):
    return done.status == 0 and done.out == "alpha and beta\nalpha and beta\nalpha\nbeta\n" and b"beta@^1.0.0" in host.read("yarn.lock")
