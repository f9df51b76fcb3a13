"""makes temporary files and folders, runs a script from one and cleans up"""

ACT = """set -e
f=$(mktemp) && echo in > "$f" && cat "$f" && d=$(mktemp -d) && printf '#!/bin/sh\\necho ran\\n' > "$d/s" && chmod +x "$d/s"
"$d/s" && t=$(mktemp -p . XXXXXX.tmp) && mv "$t" kept && TMPDIR=$PWD mktemp -t own.XXXX | grep -c "^$PWD/own"
stat -c %a "$f" "$d" && rm -r "$f" "$d" && test -w "${TMPDIR:-/tmp}" && test -w /var/tmp && echo fine
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["in", "ran", "1", "600", "700", "fine"] and host.path("kept").exists()
