"""serves the project on a port that the person's browser reaches"""

import urllib.request

import work_tools

NEEDS = {"node": "nodejs"}
OPTIONS = {"publish": ["@SERVE@"]}
ACT = """cat > server.js <<'END'
const server = require('http').createServer((request, answer) => {
  answer.end('page of ' + request.url);
  if (request.url === '/quit') server.close();
}).listen(@SERVE@, '127.0.0.1');
server.keepAliveTimeout = 1;
setTimeout(() => process.exit(9), 120000).unref();
END
node server.js"""


def prepare(host):
    host.facts["SERVE"] = work_tools.free_port()
    host.seen = []


def meanwhile(host, process):
    def page(path):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{host.facts['SERVE']}{path}", timeout=60).read()
        except OSError:
            return b""

    host.seen.append(host.wait_for(lambda: page("/first")))
    host.seen.append(page("/quit"))


def works(host, done):
    return done.status == 0 and host.wait_for(lambda: host.seen == [b"page of /first", b"page of /quit"], 5)
