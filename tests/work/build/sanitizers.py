"""finds a leak, a use after free, undefined behaviour and a race by the sanitizers"""

NEEDS = {"gcc": "gcc", "/usr/lib/gcc/x86_64-linux-gnu/12/libasan.so": "libgcc-12-dev"}
ACT = r"""cat > t.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void* keep; static int n; static void* add(void* p) { for (int i = 0; i < 1000; i++) n++; return p; }
int main(int c, char** v) {
  if (v[1][0] == 'l') { keep = malloc(10); keep = 0; }
  if (v[1][0] == 'f') { char* p = malloc(10); free(p); return p[3]; }
  if (v[1][0] == 'u') { int x = 0x7fffffff; return (x + c) == 0; }
  if (v[1][0] == 'r') { pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0); pthread_join(a, 0); pthread_join(b, 0); }
  return 0;
}
END
gcc -g -w -fsanitize=address,undefined -o t t.c && for way in l f u; do ./t $way 2>&1 | grep -oE 'detected memory leaks|heap-use-after-free on|signed integer overflow' | sort -u; done
"""


def works(host, done):
    return done.out == "detected memory leaks\nheap-use-after-free on\nsigned integer overflow\n"
