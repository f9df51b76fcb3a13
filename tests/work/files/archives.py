"""packs and unpacks by tar, gzip, xz and zip"""

NEEDS = {"tar": "tar", "gzip": "gzip", "xz": "xz-utils", "python3": "python3"}
ACT = """set -e
mkdir -p t/d && seq 2000 > t/d/numbers && ln -s numbers t/d/link && chmod 750 t/d && umask 022
for way in z J; do tar c${way}pf t.$way t && rm -r t && tar x${way}pf t.$way && cat t/d/link | wc -l; done
stat -c %a t/d && python3 -m zipfile -c t.zip t && mkdir out && python3 -m zipfile -e t.zip out && cmp out/t/d/numbers t/d/numbers
tar cf - t | (mkdir piped && cd piped && tar xf -) && diff -r t piped/t && gzip -9 < t/d/numbers | gunzip | cmp - t/d/numbers && echo same
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["2000", "2000", "750", "same"] and host.path("piped/t/d/link").is_symlink()
