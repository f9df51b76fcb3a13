// Ways to run a program that is denied, or that nobody knows, each in a process of its own.
//
//   attempts FOLDER [NAME...]     prints "NAME ran" or "NAME refused" for each, all unless named
//
// It carries the bytes of the target itself, as if they had come over the network. A way that gets
// through prints TARGET-RAN. Those that are tried in memory alone print it themselves.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempts.h"

#define EMBED(name, file)                                                    \
  asm(".pushsection .rodata\n" #name "_start:\n.incbin \"" file "\"\n" #name \
      "_end:\n.popsection\n");                                               \
  extern const char name##_start[], name##_end[]

EMBED(target, TARGET);
EMBED(target_library, TARGET_LIBRARY);
EMBED(harmless, HARMLESS);
EMBED(harmless_library, HARMLESS_LIBRARY);
EMBED(with_loader, WITH_LOADER);

struct bytes bytes_of_target(void) {
  return (struct bytes){target_start, target_end - target_start};
}
struct bytes bytes_of_harmless(void) {
  return (struct bytes){harmless_start, harmless_end - harmless_start};
}
static struct bytes bytes_of_library(void) {
  return (struct bytes){target_library_start, target_library_end - target_library_start};
}
struct bytes bytes_of_harmless_library(void) {
  return (struct bytes){harmless_library_start, harmless_library_end - harmless_library_start};
}

extern char** environ;
static const char* const kLoader = "/lib64/ld-linux-x86-64.so.2";

void say_ran(void) {
  static const char kWords[] = "TARGET-RAN\n";
  if (write(1, kWords, sizeof kWords - 1) < 0) _exit(3);
}

void write_whole(int fd, struct bytes bytes) {
  if (write(fd, bytes.start, bytes.size) != (ssize_t)bytes.size) _exit(2);
}

void make_file(const char* name, struct bytes bytes) {
  unlink(name);
  int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0755);
  if (fd < 0) _exit(2);
  write_whole(fd, bytes);
  close(fd);
}

static void run(const char* path) {
  char* arguments[] = {"target", NULL};
  execve(path, arguments, environ);
}

static void run_by(const char* program, const char* path) {
  char* arguments[] = {(char*)program, (char*)path, NULL};
  execve(program, arguments, environ);
}

static void copy_file(const char* from, const char* to) {
  int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_TRUNC | O_WRONLY, 0755);
  char buffer[65536];
  ssize_t got;
  while ((got = read(in, buffer, sizeof buffer)) > 0)
    if (write(out, buffer, (size_t)got) != got) _exit(2);
  close(in);
  close(out);
}

static void direct(void) {
  make_file("direct", bytes_of_target());
  run("./direct");
}
static void renamed(void) {
  make_file("before", bytes_of_target());
  rename("before", "renamed");
  run("./renamed");
}
static void hard_link(void) {
  make_file("first", bytes_of_target());
  unlink("second");
  if (link("first", "second") < 0) return;
  run("./second");
}
static void symbolic_link(void) {
  make_file("real", bytes_of_target());
  unlink("link");
  if (symlink("real", "link") < 0) return;
  run("./link");
}
static void by_proc_root(void) {
  char here[PATH_MAX], path[PATH_MAX + 64];
  make_file("rooted", bytes_of_target());
  if (!getcwd(here, sizeof here)) return;
  snprintf(path, sizeof path, "/proc/self/root%s/rooted", here);
  run(path);
}
static void by_loader(void) {
  make_file("loaded", bytes_of_target());
  run_by(kLoader, "./loaded");
}
static void by_copied_loader(void) {
  copy_file(kLoader, "own-loader");
  make_file("loaded", bytes_of_target());
  run_by("./own-loader", "./loaded");
}
static void by_descriptor(void) {
  make_file("opened", bytes_of_target());
  int fd = open("opened", O_RDONLY | O_CLOEXEC);
  char* arguments[] = {"target", NULL};
  fexecve(fd, arguments, environ);
}
static void by_path_descriptor(void) {
  make_file("pointed", bytes_of_target());
  int fd = open("pointed", O_PATH | O_CLOEXEC);
  char* arguments[] = {"target", NULL};
  syscall(SYS_execveat, fd, "", arguments, environ, AT_EMPTY_PATH);
}
static void by_proc_descriptor(void) {
  make_file("shown", bytes_of_target());
  int fd = open("shown", O_RDONLY);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  run(path);
}
static void memory_file(void) {
  int fd = memfd_create("target", MFD_CLOEXEC);
  write_whole(fd, bytes_of_target());
  char* arguments[] = {"target", NULL};
  fexecve(fd, arguments, environ);
}
static void nameless_file(void) {
  int fd = open(".", O_TMPFILE | O_RDWR, 0755);
  if (fd < 0) return;
  write_whole(fd, bytes_of_target());
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int again = open(path, O_RDONLY | O_CLOEXEC);
  close(fd);
  char* arguments[] = {"target", NULL};
  fexecve(again, arguments, environ);
}
static void removed_file(void) {
  make_file("removed", bytes_of_target());
  int fd = open("removed", O_PATH | O_CLOEXEC);
  unlink("removed");
  char* arguments[] = {"target", NULL};
  syscall(SYS_execveat, fd, "", arguments, environ, AT_EMPTY_PATH);
}
static void from_outside(void) {  // a descriptor that the caller gave us as input
  char* arguments[] = {"target", NULL};
  fexecve(0, arguments, environ);
}
static void padded(void) {
  make_file("padded", bytes_of_target());
  int fd = open("padded", O_WRONLY | O_APPEND | O_CLOEXEC);
  if (write(fd, "x", 1) != 1) return;
  close(fd);
  run("./padded");
}
static void library(void) {
  make_file("library.so", bytes_of_library());
  dlopen("./library.so", RTLD_NOW);
}
static void preloaded(void) {
  make_file("preloaded.so", bytes_of_library());
  setenv("LD_PRELOAD", "./preloaded.so", 1);
  char* arguments[] = {"true", NULL};
  execve("/bin/true", arguments, environ);
}
static void as_loader(void) {  // of a program that is nothing but a name for it
  make_file("/tmp/guard-test-loader", bytes_of_target());
  make_file("with-loader", (struct bytes){with_loader_start, with_loader_end - with_loader_start});
  run("./with-loader");
}

static void* map(const char* name, int protection, int flags) {
  int fd = open(name, O_RDWR | O_CLOEXEC);
  if (fd < 0) fd = open(name, O_RDONLY | O_CLOEXEC);
  return mmap(NULL, 4096, protection, flags, fd, 0);
}
static int map_read_only(const char* name, void** page, int protection) {
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  *page = mmap(NULL, 4096, protection, MAP_PRIVATE, fd, 0);
  return *page != MAP_FAILED;
}
static void mapped(void) {
  void* page;
  make_file("mapped", bytes_of_target());
  if (map_read_only("mapped", &page, PROT_READ | PROT_EXEC)) say_ran();
}
static void mapped_then_executable(void) {
  void* page;
  make_file("protected", bytes_of_target());
  if (!map_read_only("protected", &page, PROT_READ)) return;
  if (mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) say_ran();
}
static void changed_in_memory(void) {
  make_file("changed", bytes_of_harmless());
  char* page = map("changed", PROT_READ | PROT_WRITE, MAP_PRIVATE);
  if (page == MAP_FAILED) return;
  memcpy(page, bytes_of_target().start, 64);
  if (mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) say_ran();
}
asm(".pushsection .text\n.balign 4096\nspare_page:\n.fill 4096, 1, 0x90\n.popsection\n");
static void own_text(void) {
  extern volatile char spare_page[];
  if (mprotect((void*)spare_page, 4096, PROT_READ | PROT_WRITE) < 0) return;
  spare_page[0] = (char)0xc3;
  if (mprotect((void*)spare_page, 4096, PROT_READ | PROT_EXEC) == 0) say_ran();
}
// What is written there goes past the rights of the mapping.
static void own_memory_file(void) {
  extern volatile char spare_page[];
  int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  char code = (char)0xc3;
  if (fd >= 0 && pwrite(fd, &code, 1, (off_t)(spare_page + 1)) == 1 && spare_page[1] == code)
    say_ran();
}
static void traced_child(void) {
  extern volatile char spare_page[];
  pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  if (ptrace(PTRACE_SEIZE, child, 0, 0) == 0 && ptrace(PTRACE_INTERRUPT, child, 0, 0) == 0 &&
      waitpid(child, NULL, __WALL) == child &&
      ptrace(PTRACE_POKETEXT, child, spare_page, 0xc3) == 0)
    say_ran();
  kill(child, SIGKILL);
}
static void anonymous(void) {
  int all = PROT_READ | PROT_WRITE | PROT_EXEC;
  if (mmap(NULL, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) say_ran();
}
static void anonymous_later(void) {
  void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) say_ran();
}
static void stack(void) {
  char here;
  char* page = (char*)((unsigned long)&here & ~4095ul);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) say_ran();
}
static void written_alias(void) {
  int fd = memfd_create("alias", MFD_CLOEXEC);
  write_whole(fd, bytes_of_target());
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0) != MAP_FAILED) say_ran();
}
static void shared_memory(void) {
  int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0700);
  void* page = shmat(id, NULL, SHM_EXEC);
  shmctl(id, IPC_RMID, NULL);
  if (page != (void*)-1) say_ran();
}
static void old_personality(void) {
  if (personality(READ_IMPLIES_EXEC) < 0) return;
  if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) say_ran();
}
static void zeros(void) {
  void* page = map("/dev/zero", PROT_READ | PROT_EXEC, MAP_PRIVATE);
  if (page != MAP_FAILED) say_ran();
}
static void asked_before(void) {  // AT_EXECVE_CHECK, since 6.14
  make_file("asked", bytes_of_target());
  int fd = open("asked", O_PATH | O_CLOEXEC);
  char* arguments[] = {"target", NULL};
  if (syscall(SYS_execveat, fd, "", arguments, environ, AT_EMPTY_PATH | 0x10000) == 0) say_ran();
}

// A program that was vetted and changed since.
static void run_once(const char* path) {
  pid_t child = fork();
  if (child == 0) {
    run(path);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}
static void overwritten(void) {
  make_file("overwritten", bytes_of_harmless());
  run_once("./overwritten");
  int fd = open("overwritten", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  write_whole(fd, bytes_of_target());
  if (ftruncate(fd, (off_t)bytes_of_target().size) < 0) return;
  close(fd);
  run("./overwritten");
}
static void make_of_equal_size(const char* name) {
  make_file(name, bytes_of_harmless());
  if (truncate(name, (off_t)bytes_of_target().size) < 0) _exit(2);
}
static void overwrite_by_mapping(const char* name) {
  struct bytes target = bytes_of_target();
  int fd = open(name, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  char* pages = mmap(NULL, target.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (pages == MAP_FAILED) return;
  memcpy(pages, target.start, target.size);
  munmap(pages, target.size);
}
static void overwritten_by_mapping(void) {
  make_of_equal_size("overmapped");
  run_once("./overmapped");
  overwrite_by_mapping("overmapped");
  run("./overmapped");
}
static void overwritten_in_memory(void) {  // where mapped writes leave no change time
  make_of_equal_size("/tmp/guard-test-file");
  run_once("/tmp/guard-test-file");
  overwrite_by_mapping("/tmp/guard-test-file");
  run("/tmp/guard-test-file");
}
static void written_while_loaded(void) {
  make_file("used.so", bytes_of_harmless_library());
  if (!dlopen("./used.so", RTLD_NOW)) return;
  if (open("used.so", O_RDWR) >= 0) say_ran();
}
static void loaded_while_written(void) {
  make_file("written.so", bytes_of_harmless_library());
  if (open("written.so", O_RDWR) < 0) return;
  if (dlopen("./written.so", RTLD_NOW)) say_ran();
}
static void script(void) {
  static const char kScript[] = "#!/bin/sh\necho TARGET-RAN\n";
  make_file("script", (struct bytes){kScript, sizeof kScript - 1});
  run("./script");
}
static void read_script(void) {
  static const char kScript[] = "echo TARGET-RAN\n";
  make_file("read-script", (struct bytes){kScript, sizeof kScript - 1});
  run_by("/bin/sh", "./read-script");
}

static const struct attempt kAttempts[] = {
    {"direct", direct},
    {"renamed", renamed},
    {"hard-link", hard_link},
    {"symbolic-link", symbolic_link},
    {"proc-root", by_proc_root},
    {"loader", by_loader},
    {"copied-loader", by_copied_loader},
    {"descriptor", by_descriptor},
    {"path-descriptor", by_path_descriptor},
    {"proc-descriptor", by_proc_descriptor},
    {"memory-file", memory_file},
    {"nameless-file", nameless_file},
    {"removed-file", removed_file},
    {"from-outside", from_outside},
    {"padded", padded},
    {"library", library},
    {"preloaded", preloaded},
    {"as-loader", as_loader},
    {"mapped", mapped},
    {"mapped-then-executable", mapped_then_executable},
    {"changed-in-memory", changed_in_memory},
    {"own-text", own_text},
    {"own-memory-file", own_memory_file},
    {"traced-child", traced_child},
    {"anonymous", anonymous},
    {"anonymous-later", anonymous_later},
    {"stack", stack},
    {"written-alias", written_alias},
    {"shared-memory", shared_memory},
    {"old-personality", old_personality},
    {"zeros", zeros},
    {"asked-before", asked_before},
    {"overwritten", overwritten},
    {"overwritten-by-mapping", overwritten_by_mapping},
    {"overwritten-in-memory", overwritten_in_memory},
    {"written-while-loaded", written_while_loaded},
    {"loaded-while-written", loaded_while_written},
    {"script", script},
    {"read-script", read_script},
    {"path-flips", flip_paths},
    {"content-flips", flip_content},
    {"library-flips", flip_library},
    {"mapped-content-flips", flip_mapped_content},
    // No attack: a program that is busy with its mappings must go on.
    {"busy-threads", load_among_threads},
    {"named-pipe", write_to_named_pipe},
};

static int gets_through(const struct attempt* attempt) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) _exit(2);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    attempt->act();
    _exit(1);
  }
  close(ends[1]);
  char words[65536];
  size_t filled = 0;
  ssize_t got;
  while (filled < sizeof words - 1 &&
         (got = read(ends[0], words + filled, sizeof words - 1 - filled)) > 0)
    filled += (size_t)got;
  words[filled] = '\0';
  close(ends[0]);
  waitpid(child, NULL, 0);
  return strstr(words, "TARGET-RAN") != NULL;
}

int main(int count, char** arguments) {
  if (count < 2 || chdir(arguments[1]) < 0) return 2;
  for (size_t i = 0; i < sizeof kAttempts / sizeof *kAttempts; i++) {
    int wanted = count == 2;
    for (int j = 2; j < count; j++)
      wanted = wanted || strcmp(arguments[j], kAttempts[i].name) == 0;
    if (!wanted) continue;
    printf("%s %s\n", kAttempts[i].name, gets_through(&kAttempts[i]) ? "ran" : "refused");
    fflush(stdout);
  }
  return 0;
}
