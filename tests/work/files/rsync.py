"""keeps two folders alike by rsync"""

NEEDS = {"rsync": "rsync"}
ACT = """set -e
mkdir -p from/sub && echo 1 > from/a && echo 2 > from/sub/b && ln -s sub/b from/l && rsync -a from/ to/ && diff -r from to
rm from/a && echo 333 > from/sub/b && rsync -a --delete --itemize-changes from/ to/ | wc -l && diff -r from to && ls to
"""


def works(host, done):
    return done.status == 0 and done.out.split("\n")[1:3] == ["l", "sub"] and host.read("to/sub/b") == b"333\n"
