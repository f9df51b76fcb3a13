"""builds a static and a shared library, loads one while running, and looks into them"""

NEEDS = {"gcc": "gcc", "ar": "binutils", "objdump": "binutils"}
ACT = r"""set -e
echo 'int seven(void) { return 7; }' > l.c && gcc -c -fPIC l.c && ar rcs libl.a l.o && gcc -shared -o libl.so l.o
printf 'int seven(void);\nint main(void) { return seven(); }\n' > m.c && gcc m.c libl.a -o s && gcc m.c -L. -ll -o d
./s || echo $?; LD_LIBRARY_PATH=. ./d || echo $?; /usr/bin/python3 -c 'import ctypes; print(ctypes.CDLL("./libl.so").seven())'
nm libl.so | grep -c ' T seven' && ldd ./s | grep -c libc && objdump -d l.o | grep -c '<seven>' && strip s && gcc -O2 -flto=2 m.c l.c -o lto && (./lto || echo $?)
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["7", "7", "7", "1", "1", "1", "7"]
