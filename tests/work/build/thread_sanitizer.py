"""finds a data race by the thread sanitizer"""

NEEDS = {"gcc": "gcc", "/usr/lib/gcc/x86_64-linux-gnu/12/libtsan.so": "libgcc-12-dev"}
ACT = r"""printf '#include <pthread.h>\nint n; void* f(void* p) { for (int i = 0; i < 1000; i++) n++; return p; }\nint main(void) { pthread_t a; pthread_create(&a, 0, f, 0); f(0); pthread_join(a, 0); return 0; }\n' > t.c
gcc -g -fsanitize=thread -o t t.c && setarch -R ./t 2>&1 | grep -c 'WARNING: ThreadSanitizer: data race'
"""


def works(host, done):
    return done.out == "1\n"
