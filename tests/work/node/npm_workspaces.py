"""links the packages of one repository and runs a script in each of them"""

import json

NEEDS = {"npm": "npm", "node": "nodejs"}
ACT = """set -e
npm install --offline --silent --no-audit --no-fund && npm run --silent --workspaces say && npm run --silent -w b say && ls -l node_modules | grep -c -- '->'
"""


def prepare(host):
    host.write("package.json", json.dumps({"name": "top", "private": True, "workspaces": ["packages/*"]}))
    for name, needs in (("a", {}), ("b", {"a": "1.0.0"})):
        text = "module.exports = 'a'\n" if name == "a" else "module.exports = 'b with ' + require('a')\n"
        host.write(f"packages/{name}/main.js", text)
        facts = {"name": name, "version": "1.0.0", "main": "main.js", "dependencies": needs}
        host.write(f"packages/{name}/package.json", json.dumps(facts | {"scripts": {"say": "node -p \"require('./main')\""}}))


def works(host, done):
    return done.status == 0 and done.out == "a\nb with a\nb with a\n2\n"
