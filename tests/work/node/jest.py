"""runs tests by jest in several workers, with a mock and a snapshot"""

import json

import work_tools

NEEDS = {"node": "nodejs"}
HEAVY = True
OPTIONS = {"read": ["@TOOLS@"]}
ACT = "node @TOOLS@/node_modules/jest/bin/jest.js --ci=false -w 2 > told 2>&1; echo $?; node @TOOLS@/node_modules/jest/bin/jest.js --ci -w 2 >> told 2>&1; echo $?; cat told"


def not_here():
    return work_tools.lacks("jest")


def prepare(host):
    host.facts["TOOLS"] = work_tools.tools()
    host.write("package.json", json.dumps({"name": "app", "version": "1.0.0", "jest": {"testEnvironment": "node", "watchman": False}}))
    host.write("sum.js", "module.exports = (a, b) => a + b;\n")
    host.write("sum.test.js", "const sum = require('./sum');\ntest('adds', () => { expect(sum(1, 2)).toBe(3); });\ntest('keeps', () => { expect({ a: 1 }).toMatchSnapshot(); });\n")
    host.write("mock.test.js", "jest.mock('./sum', () => () => 42);\ntest('mocks', () => { expect(require('./sum')(1, 2)).toBe(42); });\n")


def works(host, done):
    return done.out.startswith("0\n0\n") and done.out.count("3 passed, 3 total") == 2 and "1 snapshot written" in " ".join(done.out.split()) and host.path("__snapshots__/sum.test.js.snap").exists()
