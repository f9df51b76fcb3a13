"""edits and compares text by sed, awk, sort, diff, patch and bash's substitution of processes"""

NEEDS = {"patch": "patch", "bash": "bash"}
ACT = r"""set -e
seq 10 > n && sed -i 's/^1$/one/; 3d' n && head -1 n && awk '{s += $1} END {print s}' n && sort -rn n | head -1
cp n old && echo more >> n && diff -u old n > change || true
cp old again && patch -s again change && cmp again n && sort n | uniq -c | wc -l
bash -c 'comm -3 <(sort old) <(sort n) | tr -d "\t"; cat <<< "here $((6 * 7))"; exec 3> fd; echo x >&3; cat /dev/fd/0 < fd'
find . -maxdepth 1 -name '*n' -newer README.md -print0 | xargs -0 -n1 -P2 basename | sort; printf 'a,b\n' | cut -d, -f2 | tr a-z A-Z
"""


def works(host, done):
    told = ["one", "51", "10", "10", "more", "here", "42", "x", "again", "n", "B"]
    return done.status == 0 and done.out.split() == told
