// What a terminal relay costs.
//
//   terminal watch COMMAND ARGS...   runs a command on a terminal of its own, reads all it shows,
//                                    and prints the bytes and the nanoseconds they took
//   terminal relay COMMAND ARGS...   the least a relay can do: a second terminal, bytes both ways
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int start(char** command, pid_t* child) {
  struct winsize size = {24, 80, 0, 0};
  int master;
  *child = forkpty(&master, NULL, NULL, &size);
  if (*child < 0) {
    perror("forkpty");
    exit(1);
  }
  if (*child == 0) {
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  return master;
}

static int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int watch(char** command) {
  static char buffer[65536];
  pid_t child;
  int master = start(command, &child);
  int64_t first = 0, last = 0, bytes = 0;
  for (;;) {
    ssize_t count = read(master, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    last = now();
    if (first == 0) first = last;
    bytes += count;
  }
  int status = end_of(child);
  printf("bytes %lld nanoseconds %lld\n", (long long)bytes, (long long)(last - first));
  return status;
}

static void write_all(int fd, const char* bytes, ssize_t count) {
  while (count > 0) {
    ssize_t done = write(fd, bytes, (size_t)count);
    if (done < 0 && errno != EINTR) return;
    if (done > 0) bytes += done, count -= done;
  }
}

static int relay(char** command) {
  static char buffer[65536];
  struct termios modes, raw;
  tcgetattr(0, &modes);
  raw = modes;
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  pid_t child;
  int master = start(command, &child);
  struct pollfd waits[] = {{master, POLLIN, 0}, {0, POLLIN, 0}};
  for (;;) {
    if (poll(waits, 2, -1) < 0) break;
    if (waits[1].revents) {
      ssize_t count = read(0, buffer, sizeof buffer);
      if (count <= 0) break;
      write_all(master, buffer, count);
    }
    if (!waits[0].revents) continue;
    ssize_t count = read(master, buffer, sizeof buffer);
    if (count <= 0) break;
    write_all(1, buffer, count);
  }
  tcsetattr(0, TCSADRAIN, &modes);
  return end_of(child);
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[1], "watch") == 0) return watch(argv + 2);
  if (argc > 2 && strcmp(argv[1], "relay") == 0) return relay(argv + 2);
  fprintf(stderr, "usage: terminal watch|relay COMMAND ARGS...\n");
  return 2;
}
