"""fetches a page by TLS with curl and Python, and posts something"""

NEEDS = {"curl": "curl"}
LAB = True
OPTIONS = {"hosts": ["www.rwlab.net"]}
ACT = """set -e
curl -sS https://www.rwlab.net/one | grep -c '"path": "/one"' && curl -sS -d some=data https://www.rwlab.net/two | grep -c '"received": 9'
/usr/bin/python3 -c 'import json, urllib.request; print(json.load(urllib.request.urlopen("https://www.rwlab.net/three"))["host"])'
curl -sSI https://www.rwlab.net/ | head -1 | cut -d' ' -f2 && curl -sS -Z https://www.rwlab.net/a https://www.rwlab.net/b https://www.rwlab.net/c | grep -c host
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["1", "1", "www.rwlab.net", "200", "3"]
