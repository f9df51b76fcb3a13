"""writes, copies and reads large files, one of them with a hole of 4 GB"""

ACT = """set -e
head -c 67108864 /dev/zero | tr '\\0' x > big && sha256sum big | cut -c1-16 && cp big copy && cmp big copy
dd if=big of=part bs=1M skip=60 count=2 status=none && stat -c %s part
truncate -s 4G hole && printf end | dd of=hole bs=1 seek=4294967290 conv=notrunc status=none && tail -c 6 hole | od -An -c | tr -d ' '
fallocate -l 8M room && stat -c %s room && split -b 16M big piece. && cat piece.* | cmp - big && rm piece.* hole && echo same
"""


def works(host, done):
    lines = done.out.split()
    return (
        done.status == 0
        and lines[1:] == ["2097152", "end\\0\\0\\0", "8388608", "same"]
        and host.path("copy").stat().st_size == 67108864
    )
