"""serves a folder by Python's own server on all addresses, and a child in the background fetches from it"""

import work_tools

NEEDS = {"curl": "curl"}
ACT = """/usr/bin/python3 -u -m http.server @SERVE@ > log 2>&1 & p=$!
for i in $(seq 600); do curl -s -o page http://localhost:@SERVE@/README.md && break; sleep 0.1; done; cat page
for path in / /nothing; do curl -s -o /dev/null -w '%{http_code} ' http://127.0.0.1:@SERVE@$path; done; kill $p; wait; grep -c GET log"""


def prepare(host):
    host.facts["SERVE"] = work_tools.free_port()


def works(host, done):
    return done.out.startswith("# A project\n200 404") and int(done.out.split()[-1]) >= 3
