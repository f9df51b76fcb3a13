/* Roads to a program that a shell has no words for:  attack ROAD FILE
 *
 * Ends with 0 if the road led to the end, else with the errno that stopped it. What is started says
 * so itself. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef AT_EXECVE_CHECK
#define AT_EXECVE_CHECK 0x10000
#endif

extern char** environ;

static int stopped(const char* what) {
  int err = errno == 0 ? 255 : errno;
  fprintf(stderr, "STOPPED %s: %s\n", what, strerror(err));
  return err;
}

static int start(int fd, int flags) {
  char* words[] = {"target", NULL};
  syscall(SYS_execveat, fd, "", words, environ, AT_EMPTY_PATH | flags);
  return stopped("execveat");
}

/* Copies the bytes of `path` to the descriptor. */
static int fill(int to, const char* path) {
  int from = open(path, O_RDONLY | O_CLOEXEC);
  struct stat facts;
  if (from < 0 || fstat(from, &facts) < 0) return -1;
  for (off_t left = facts.st_size; left > 0;) {
    ssize_t sent = sendfile(to, from, NULL, (size_t)left);
    if (sent <= 0) return -1;
    left -= sent;
  }
  close(from);
  return 0;
}

static int road_execve(const char* path) {
  char* words[] = {"target", NULL};
  execve(path, words, environ);
  return stopped("execve");
}

static int road_fexecve(const char* path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  return fd < 0 ? stopped("open") : start(fd, 0);
}

static int road_opath(const char* path) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  return fd < 0 ? stopped("open") : start(fd, 0);
}

static int road_proc_fd(const char* path) {
  char name[64];
  int fd = open(path, O_PATH);
  if (fd < 0) return stopped("open");
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  return road_execve(name);
}

static int road_memfd(const char* path) {
  int fd = memfd_create("x", MFD_CLOEXEC);
  if (fd < 0) return stopped("memfd_create");
  if (fill(fd, path) < 0) return stopped("copy");
  return start(fd, 0);
}

/* A file without a name, opened again for reading: who writes cannot be started. */
static int start_unnamed(int fd, const char* path) {
  char name[64];
  if (fill(fd, path) < 0) return stopped("copy");
  if (fchmod(fd, 0755) < 0) return stopped("fchmod");
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  int again = open(name, O_RDONLY | O_CLOEXEC);
  if (again < 0) return stopped("open again");
  close(fd);
  return start(again, 0);
}

static int road_tmpfile(const char* path) {
  int fd = open(".", O_TMPFILE | O_RDWR, 0755);
  return fd < 0 ? stopped("O_TMPFILE") : start_unnamed(fd, path);
}

static int road_unlinked(const char* path) {
  int fd = open("unlinked", O_CREAT | O_RDWR | O_TRUNC, 0755);
  if (fd < 0 || unlink("unlinked") < 0) return stopped("open");
  return start_unnamed(fd, path);
}

static int road_dlopen(const char* path) {
  if (dlopen(path, RTLD_NOW) == NULL) {
    fprintf(stderr, "STOPPED dlopen: %s\n", dlerror());
    return 255;
  }
  return 0;
}

/* Mapped for execution, however it is asked for. */
static int map(const char* path, int first, int then) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return stopped("open");
  void* at = mmap(NULL, 4096, first, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return stopped("mmap");
  if (then != 0 && mprotect(at, 4096, then) < 0) return stopped("mprotect");
  puts("TARGET-RAN");
  return 0;
}

static int road_map(const char* path) { return map(path, PROT_READ | PROT_EXEC, 0); }
static int road_protect(const char* path) { return map(path, PROT_READ, PROT_READ | PROT_EXEC); }

/* The question that an interpreter asks before it reads a script. */
static int road_check(const char* path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return stopped("open");
  char* words[] = {"target", NULL};
  if (syscall(SYS_execveat, fd, "", words, environ, AT_EMPTY_PATH | AT_EXECVE_CHECK) < 0) {
    if (errno != EINVAL) return stopped("AT_EXECVE_CHECK");
    puts("UNKNOWN-TO-THE-KERNEL"); /* before 6.14 */
  }
  puts("TARGET-RAN");
  return 0;
}

/* Its bytes, which are the beginning of every other road. */
static int road_read(const char* path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char first[4];
  if (fd < 0) return stopped("open");
  if (read(fd, first, sizeof first) != sizeof first) return stopped("read");
  puts("TARGET-RAN");
  return 0;
}

static const struct {
  const char* name;
  int (*take)(const char* path);
} kRoads[] = {
    {"execve", road_execve},     {"fexecve", road_fexecve}, {"opath", road_opath},
    {"proc-fd", road_proc_fd},   {"memfd", road_memfd},     {"tmpfile", road_tmpfile},
    {"unlinked", road_unlinked}, {"dlopen", road_dlopen},   {"map", road_map},
    {"protect", road_protect},   {"check", road_check},     {"read", road_read},
};

int main(int count, char** words) {
  for (size_t i = 0; count == 3 && i < sizeof kRoads / sizeof *kRoads; i++) {
    if (strcmp(kRoads[i].name, words[1]) == 0) return kRoads[i].take(words[2]);
  }
  fprintf(stderr, "usage: attack ROAD FILE\n");
  return 2;
}
