"""changes real files although everything is to be reviewed first"""

SHAPE = "CVE-2026-39861: what was shown for review was not what was written"
PROMISE = "P10"
WALLS = "review-layer"
RINGWALL = ["--review"]
ACT = "echo evil >> README.md; rm src/main.py; echo evil > new; ln README.md linked; echo evil >> linked"


def succeeded(host, done):
    return b"evil" in host.read("README.md") + host.read("new") or not host.read("src/main.py")
