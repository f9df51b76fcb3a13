"""renders a page of the project in a browser without a screen, and takes a picture of it"""

import shutil

HEAVY = True
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Without --disable-dev-shm-usage: shared memory has to be there.
ACT = """b="@BROWSER@ --headless --no-sandbox --disable-gpu --virtual-time-budget=2000"
$b --dump-dom "file://$PWD/page.html" 2> log; $b --screenshot=shot.png page.html 2>> log; echo $?"""


def not_here():
    return None if any(map(shutil.which, _NAMES)) else "no Chromium (Debian: chromium-headless-shell)"


def prepare(host):
    host.facts["BROWSER"] = next(name for name in _NAMES if shutil.which(name))
    host.write("page.html", "<body><script>document.title='x'; document.body.append('6*7=' + 6*7)</script></body>")


def works(host, done):
    picture = host.read("shot.png")
    return "6*7=42" in done.out and done.out.endswith("0\n") and picture.startswith(b"\x89PNG") and len(picture) > 500
