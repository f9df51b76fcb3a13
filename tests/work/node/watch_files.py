"""rebuilds when a source changes, as watchers do"""

NEEDS = {"node": "nodejs"}
ACT = """cat > watch.js <<'END'
const fs = require('fs');
let builds = 0;
const watcher = fs.watch('src', { recursive: false }, () => {
  if (!fs.readFileSync('src/app.js', 'utf8').includes('changed')) return;
  fs.writeFileSync('bundle.js', fs.readFileSync('src/app.js'));
  watcher.close();
  console.log('built', ++builds);
});
fs.writeFileSync('watching', '');
END
echo first > src/app.js; node watch.js & while ! test -e watching; do sleep 0.02; done; echo changed > src/app.js; wait; cat bundle.js"""


def works(host, done):
    return done.status == 0 and done.out == "built 1\nchanged\n"
