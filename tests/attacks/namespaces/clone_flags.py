"""makes a user namespace by clone, not by unshare"""

from evidence import word_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "filters that know one of three calls"
PROMISE = "P05"
WALLS = "system-calls,limits"
C = """
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
  long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) puts("GOT-IT");
}
"""
