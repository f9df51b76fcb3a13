"""compiles twice through a compiler cache, the second time from the cache"""

NEEDS = {"ccache": "ccache", "gcc": "gcc"}
ACT = """set -e
export CCACHE_DIR=$PWD/.ccache && echo 'int main(void) { return 0; }' > m.c
ccache gcc -c m.c -o a.o && ccache gcc -c m.c -o b.o && cmp a.o b.o && ccache --print-stats | awk '/direct_cache_hit|cache_miss\\t/ {print $1, $2}' | sort
"""


def works(host, done):
    return done.status == 0 and "direct_cache_hit 1" in done.out
