// Starts /bin/true so many times, one after the other, and says how long that took:
//
//   spawn COUNT
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char** arguments) {
  int times = count > 1 ? atoi(arguments[1]) : 500;
  char* program[] = {"true", NULL};
  long long begin = now();
  for (int i = 0; i < times; i++) {
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, "/bin/true", NULL, NULL, program, environ) != 0) return 1;
    if (waitpid(child, &status, 0) < 0 || status != 0) return 1;
  }
  printf("nanoseconds %lld\n", now() - begin);
  return 0;
}
