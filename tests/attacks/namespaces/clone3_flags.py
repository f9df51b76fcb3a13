"""makes a user namespace by clone3, whose flags no filter can read"""

from evidence import word_printed as succeeded
from host_settings import no_user_namespaces as not_here

SHAPE = "clone3 hides its flags in memory: why container filters answer ENOSYS"
PROMISE = "P05"
WALLS = "system-calls,limits"
C = """
#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main() {
  struct clone_args wanted = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  long child = syscall(SYS_clone3, &wanted, sizeof wanted);
  if (child == 0) _exit(0);
  if (child > 0) puts("GOT-IT");
}
"""
