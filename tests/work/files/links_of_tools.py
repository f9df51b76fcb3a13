"""makes the links that package managers, environments and git make"""

ACT = """set -e
mkdir -p packages/a node_modules/.bin env/bin public
echo 'console.log(1)' > packages/a/index.js; mkdir -p node_modules/b/dist; echo x > node_modules/b/dist/b.js
ln -s ../packages/a node_modules/a; ln -s ../a/index.js node_modules/.bin/a
ln -s /usr/bin/python3 env/bin/python; ln -s ../node_modules/b/dist public/b
ln -s packages/a current; ln -s README.md LIESMICH.md; git add -A; git commit -qm links
git checkout -q -b other; git rm -q LIESMICH.md; git commit -qm less; git checkout -q -; git worktree add -q ../beside || true
sleep 0.6; cat node_modules/.bin/a public/b/b.js; readlink current LIESMICH.md
"""


def works(host, done):
    kept = ["node_modules/a", "node_modules/.bin/a", "env/bin/python", "public/b", "current", "LIESMICH.md"]
    return done.status == 0 and all(host.path(name).is_symlink() for name in kept)
