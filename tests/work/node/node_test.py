"""runs tests by node itself, with a server, a worker and a failure among them"""

NEEDS = {"node": "nodejs"}
ACT = "node --test > first 2>&1; echo $?; FAIL=1 node --test > second 2>&1; echo $?; grep -hoE '(pass|fail) [0-9]+' first second"


def prepare(host):
    host.write(
        "a.test.js",
        "const test = require('node:test'), assert = require('node:assert'), net = require('net');\n"
        "test('adds', () => assert.equal(1 + 1, 2));\n"
        "test('serves', (t, done) => { const s = net.createServer(c => c.end('x')).listen(0, () =>\n"
        "  net.connect(s.address().port).on('data', d => { assert.equal(String(d), 'x'); s.close(done); })); });\n",
    )
    host.write("b.test.js", "require('node:test')('fails', () => { if (process.env.FAIL) throw new Error('wanted'); });\n")


def works(host, done):
    return done.out.split("\n")[:2] == ["0", "1"] and done.out.split()[2:] == ["pass", "3", "fail", "0", "pass", "2", "fail", "1"]
