"""calls the kernel by the entry for 32-bit programs, which has other numbers"""

from evidence import word_printed as succeeded

SHAPE = "filters of 64-bit numbers passed by int 0x80 and x32"
PROMISE = "P04"
WALLS = "system-calls"
C = """
#include <stdio.h>
#include <unistd.h>
int main() {
  int number;
  __asm__ volatile("int $0x80" : "=a"(number) : "a"(20) : "memory");
  if (number == getpid()) puts("GOT-IT");
}
"""


def not_here():
    import platform

    return None if platform.machine() == "x86_64" else "another processor"
