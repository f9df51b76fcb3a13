"""debugs a program: a break point in a thread, its stack, a watch point, a running process"""

NEEDS = {"gdb": "gdb", "gcc": "gcc"}
ACT = r"""gcc -g -o t t.c -lpthread && gdb -q -nx -batch -ex 'break stop_here' -ex run -ex bt -ex 'info threads' -ex 'print counter' -ex 'set var counter = 41' -ex continue ./t
sleep 1000 & p=$!; while ! grep -q sleep /proc/$p/comm; do :; done
gdb -q -nx -batch -p $p -ex 'info proc' 2>&1 | grep -c 'exe.*sleep'; kill $p; wait
"""


def prepare(host):
    host.write(
        "t.c",
        "#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint counter = 1;\n"
        "static void* stop_here(void* p) { counter++; return p; }\n"
        "int main(void) {\n  pthread_t t; pthread_create(&t, 0, stop_here, 0); pthread_join(t, 0);\n"
        "  if (fork() == 0) _exit(counter == 42 ? 3 : 4);\n  int s; wait(&s); return WEXITSTATUS(s);\n}\n",
    )


def works(host, done):
    return "hit Breakpoint 1, stop_here" in done.out and "$1 = 1" in done.out and "exited with code 03" in done.out and done.out.split()[-1] == "1"
