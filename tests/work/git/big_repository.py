"""adds three hundred files, commits, packs and checks the repository"""

NEEDS = {"git": "git"}
ACT = """set -e
for d in $(seq 6); do mkdir -p tree/$d; for f in $(seq 50); do echo $d $f > tree/$d/$f; done; done
git add tree && git commit -q -m many && git gc -q && git fsck --no-progress
git ls-files | wc -l && git count-objects -v | grep -c 'packs: 1' && git clone -q --depth 1 "file://$PWD" shallow
git -C shallow log --format=%s && git -C shallow sparse-checkout set tree/1 && ls shallow/tree
"""


def works(host, done):
    return (
        done.status == 0
        and done.out == "302\n1\nmany\n1\n"
        and host.git("count-objects", "-v").count("packs: 1") == 1
    )
