// Races: somebody changes what a name means, or what a file holds, while it is executed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempts.h"

enum { kTimes = 200 };

extern char** environ;
static atomic_int is_over;

static void run_often(const char* path) {
  for (int i = 0; i < kTimes; i++) {
    pid_t child = fork();
    if (child == 0) {
      char* arguments[] = {"target", NULL};
      execve(path, arguments, environ);
      _exit(1);
    }
    waitpid(child, NULL, 0);
  }
}

static void race(void* (*change)(void*), void (*use)(const char*), const char* path) {
  pthread_t thread;
  is_over = 0;
  pthread_create(&thread, NULL, change, (void*)path);
  use(path);
  is_over = 1;
  pthread_join(thread, NULL);
}

static void* exchange_links(void* path) {
  while (!is_over)
    syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, "flip-b", 2 /* exchange */);
  return NULL;
}
void flip_paths(void) {
  make_file("flipped", bytes_of_target());
  unlink("flip-a");
  unlink("flip-b");
  if (symlink("/bin/true", "flip-a") < 0 || symlink("flipped", "flip-b") < 0) return;
  race(exchange_links, run_often, "flip-a");
}

static void write_once(const char* path, struct bytes bytes) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (pwrite(fd, bytes.start, bytes.size, 0) > 0 && ftruncate(fd, (off_t)bytes.size) == 0)
    usleep(50);
  close(fd);
}
static void* exchange_content(void* path) {
  while (!is_over) {
    write_once(path, bytes_of_harmless());
    usleep(200);
    write_once(path, bytes_of_target());
    usleep(200);
  }
  return NULL;
}
void flip_content(void) {
  make_file("content", bytes_of_harmless());
  race(exchange_content, run_often, "./content");
}

static void write_by_mapping(const char* path, struct bytes bytes) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  char* pages = mmap(NULL, bytes.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (pages == MAP_FAILED) return;
  memcpy(pages, bytes.start, bytes.size);
  munmap(pages, bytes.size);
}
static void* exchange_mapped_content(void* path) {
  while (!is_over) {
    write_by_mapping(path, bytes_of_harmless());
    usleep(200);
    write_by_mapping(path, bytes_of_target());
    usleep(200);
  }
  return NULL;
}
void flip_mapped_content(void) {  // in memory, where that leaves no change time
  make_file("/tmp/guard-test-flip", bytes_of_harmless());
  if (truncate("/tmp/guard-test-flip", (off_t)bytes_of_target().size) < 0) return;
  race(exchange_mapped_content, run_often, "/tmp/guard-test-flip");
}

// A mapping of the target's bytes that can be executed and was not refused.
static void map_often(const char* path) {
  for (int i = 0; i < kTimes; i++) {
    pid_t child = fork();
    if (child == 0) {
      int fd = open(path, O_RDONLY | O_CLOEXEC);
      struct bytes target = bytes_of_target();
      char* pages = mmap(NULL, target.size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
      if (pages != MAP_FAILED && memcmp(pages, target.start, target.size) == 0) say_ran();
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}
void flip_library(void) {
  make_file("flipped-library", bytes_of_harmless());
  if (truncate("flipped-library", (off_t)bytes_of_target().size) < 0) return;
  race(exchange_content, map_often, "./flipped-library");
}

static void* map_and_unmap(void* nothing) {
  while (!is_over) {
    void* pages = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, 4096, PROT_READ | PROT_EXEC);
    munmap(pages, 65536);
  }
  return nothing;
}
void load_among_threads(void) {
  enum { kThreads = 4 };
  pthread_t threads[kThreads];
  make_file("busy.so", bytes_of_harmless_library());
  is_over = 0;
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, map_and_unmap, NULL);
  int loaded = 0;
  for (int i = 0; i < kTimes; i++) {
    void* library = dlopen("./busy.so", RTLD_NOW);
    if (library != NULL && dlclose(library) == 0) loaded++;
  }
  is_over = 1;
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  if (loaded == kTimes) say_ran();
}

void write_to_named_pipe(void) {
  unlink("pipe");
  if (mkfifo("pipe", 0600) < 0) return;
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      int fd = open("pipe", O_WRONLY);
      usleep(1000);
      _exit(write(fd, "x", 1) != 1);
    }
    usleep(1000);
    int fd = open("pipe", O_RDONLY);
    char byte = 0;
    ssize_t got = read(fd, &byte, 1);
    close(fd);
    int status = 0;
    waitpid(child, &status, 0);
    if (got != 1 || status != 0) return;
  }
  say_ran();
}
