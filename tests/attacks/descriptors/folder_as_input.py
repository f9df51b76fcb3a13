"""is started with the home as standard input, and opens files below it"""

import os

from evidence import secret_printed as succeeded

SHAPE = "runc CVE-2024-21626, with one of the descriptors that nobody closes"
PROMISE = "P15"
REFUSED = True
C = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main() {
  char text[999];
  int file = openat(0, ".ssh/id_ed25519", O_RDONLY);
  return write(1, text, read(file, text, sizeof text)) < 0;
}
"""


def as_caller(host):
    os.dup2(os.open(host.home, os.O_RDONLY), 0)
