"""drives a browser by Playwright: a local server, a click, what the page says then"""

import shutil

import work_tools

NEEDS = {"node": "nodejs"}
HEAVY = True
OPTIONS = {"read": ["@TOOLS@"]}
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ACT = """cat > drive.js <<'END'
const { chromium } = require('@TOOLS@/node_modules/playwright-core');
const page = '<button onclick="fetch(\\'/data\\').then(r => r.text()).then(t => document.title = t)">press</button>';
const server = require('http').createServer((q, a) => q.url === '/data' ? a.end('pressed') : a.setHeader('Content-Type', 'text/html').end(page));
server.listen(0, '127.0.0.1', async () => {
  const browser = await chromium.launch({ executablePath: '@BROWSER@', args: ['--no-sandbox'] });
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.click('text=press');
  await tab.waitForFunction(() => document.title === 'pressed');
  console.log(await tab.title(), (await tab.screenshot({ path: 'shot.png' })).length > 500);
  await browser.close();
  server.close();
});
END
node drive.js"""


def not_here():
    missing = None if any(map(shutil.which, _NAMES)) else "no Chromium (Debian: chromium-headless-shell)"
    return missing or work_tools.lacks("playwright-core")


def prepare(host):
    host.facts["TOOLS"] = work_tools.tools()
    host.facts["BROWSER"] = next(path for path in map(shutil.which, _NAMES) if path)


def works(host, done):
    return done.status == 0 and done.out == "pressed true\n" and host.read("shot.png").startswith(b"\x89PNG")
