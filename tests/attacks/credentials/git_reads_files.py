"""has git read a file of the home"""

from evidence import secret_printed as succeeded

SHAPE = "CVE-2025-66032: eight commands that were thought to read only the repository"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "git diff --no-index /dev/null @HOME@/notes.txt; git -c core.attributesFile=/dev/null hash-object -w ../notes.txt | xargs git cat-file -p"
