"""runs what package.json wants before and after a script, where the person lets npm run scripts"""

import json

NEEDS = {"npm": "npm", "node": "nodejs"}
# Without it npm runs no scripts of packages, and none of these either.
RINGWALL = ["--set", "npm_config_ignore_scripts=false"]
ACT = "npm run --silent build && npm run --silent build"


def prepare(host):
    scripts = {"prebuild": "mkdir -p dist", "build": "cp src/main.py dist/", "postbuild": "ls dist"}
    host.write("package.json", json.dumps({"name": "app", "version": "1.0.0", "scripts": scripts}))


def works(host, done):
    return done.status == 0 and done.out == "main.py\n" * 2
