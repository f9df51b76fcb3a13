"""builds by ninja in parallel, and again after a header has changed"""

NEEDS = {"ninja": "ninja-build", "gcc": "gcc"}
ACT = """set -e
ninja -j2 > log && ./app && ninja | tail -1 && echo '#define N 8' > n.h && ninja > log && ./app && ninja -t clean > /dev/null && test ! -e app
"""


def prepare(host):
    host.write("n.h", "#define N 7\n")
    host.write("main.c", '#include <stdio.h>\n#include "n.h"\nint main(void) { printf("%d\\n", N); return 0; }\n')
    host.write(
        "build.ninja",
        "rule cc\n  command = gcc -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\n"
        "rule link\n  command = gcc $in -o $out\nbuild main.o: cc main.c\nbuild app: link main.o\n",
    )


def works(host, done):
    return done.status == 0 and done.out == "7\nninja: no work to do.\n8\n"
