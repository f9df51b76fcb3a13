"""makes a thousand files, looks through them and removes them again"""

ACT = """set -e
mkdir tree && cd tree && for d in $(seq 10); do mkdir $d; (cd $d && seq 100 | split -l 1 -a 3 - f); done
find . -type f | wc -l && grep -rlx 42 . | wc -l && du -a . | wc -l && cd .. && cp -r tree copy && rm -r tree && find copy -type f | wc -l
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["1000", "10", "1011", "1000"] and not host.path("tree").exists()
