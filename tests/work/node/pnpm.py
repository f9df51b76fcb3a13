"""installs by pnpm from a registry into its store and links it into the project"""

import json

import work_tools

NEEDS = {"node": "nodejs"}
OPTIONS = {"read": ["@TOOLS@"], "reach_host": ["@PORT@"]}
ACT = """set -e
pnpm() { node @TOOLS@/node_modules/pnpm/bin/pnpm.cjs "$@"; }
export npm_config_registry=http://127.0.0.1:@PORT@/
pnpm add --silent alpha && pnpm --silent run say && rm -rf node_modules && pnpm install --silent --frozen-lockfile --offline && pnpm --silent run say
test -L node_modules/alpha && ls node_modules/.pnpm | grep -c @1
"""


def not_here():
    return work_tools.lacks("pnpm")


def prepare(host):
    host.facts["TOOLS"] = work_tools.tools()
    alpha = work_tools.node_package("alpha", "1.0.0", "console.log('alpha and ' + require('beta'))\n", {"beta": "^1.0.0"}, program=True)
    beta = work_tools.node_package("beta", "1.1.0", "module.exports = 'beta'\n")
    work_tools.npm_registry(host, {"alpha": {"1.0.0": alpha}, "beta": {"1.1.0": beta}})
    host.write("package.json", json.dumps({"name": "app", "version": "1.0.0", "scripts": {"say": "alpha"}}))


def works(host, done):
    return done.status == 0 and done.out == "alpha and beta\nalpha and beta\n2\n" and b"beta@1.1.0" in host.read("pnpm-lock.yaml")
