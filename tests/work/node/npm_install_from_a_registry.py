"""installs a package and what it depends on from a registry, and runs the package's program by npx"""

import work_tools

NEEDS = {"npm": "npm", "node": "nodejs"}
OPTIONS = {"reach_host": ["@PORT@"]}
ACT = """set -e
npm init -y > /dev/null && npm install --silent --no-audit --no-fund --registry http://127.0.0.1:@PORT@/ alpha@^1 2> told
npm ls --all | sed 's/ *$//' | tail -n +2 && npx --no-install alpha && node -e 'console.log(require("alpha"))'
npm outdated --registry http://127.0.0.1:@PORT@/ | wc -l
"""


def prepare(host):
    alpha = "module.exports = 'alpha and ' + require('beta');\nif (require.main === module) console.log('program', module.exports);\n"
    work_tools.npm_registry(
        host,
        {
            "alpha": {"1.4.0": work_tools.node_package("alpha", "1.4.0", alpha, {"beta": "2.x"}, program=True)},
            "beta": {version: work_tools.node_package("beta", version, f"module.exports = 'beta {version}';\n") for version in ("2.1.0", "3.0.0")},
        },
    )


def works(host, done):
    told = "program alpha and beta 2.1.0\nalpha and beta 2.1.0\n"
    return done.status == 0 and told in done.out and b'"node_modules/beta"' in host.read("package-lock.json")
