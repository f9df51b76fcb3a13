/* Roads past a verdict over programs:  stop_attacks ROAD FILE [FILE]
 *
 * A road that leads to the end prints TARGET-RAN; a race prints how often it was won. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;
enum { kPage = 4096, kTries = 200 };

static int stopped(const char* what) {
  printf("STOPPED %s: %s\n", what, strerror(errno));
  return 1;
}

static int ran(void) {
  puts("TARGET-RAN");
  return 0;
}

static void copy(int to, const char* path) {
  static char piece[1 << 16];
  int from = open(path, O_RDONLY);
  for (ssize_t got; (got = read(from, piece, sizeof piece)) > 0;)
    if (write(to, piece, (size_t)got) != got) exit(2);
  close(from);
}

static int start(int fd) {
  char* words[] = {"target", NULL};
  syscall(SYS_execveat, fd, "", words, environ, AT_EMPTY_PATH);
  return stopped("execveat");
}

static int start_again(int fd, const char* path) {
  char name[64];
  copy(fd, path);
  fchmod(fd, 0755);
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  int again = open(name, O_RDONLY | O_CLOEXEC);
  close(fd);
  return again < 0 ? stopped("open") : start(again);
}

static int road_fexecve(const char* path) { return start(open(path, O_RDONLY | O_CLOEXEC)); }

static int road_memfd(const char* path) {
  int fd = (int)syscall(SYS_memfd_create, "x", 0);
  if (fd < 0) return stopped("memfd_create");
  copy(fd, path);
  return start(fd);
}

static int road_tmpfile(const char* path) {
  int fd = open(".", O_TMPFILE | O_RDWR, 0755);
  return fd < 0 ? stopped("O_TMPFILE") : start_again(fd, path);
}

static int road_unlinked(const char* path) {
  int fd = open("gone", O_CREAT | O_RDWR | O_TRUNC, 0755);
  unlink("gone");
  return start_again(fd, path);
}

static int road_map(const char* path) {
  int fd = open(path, O_RDONLY);
  void* at = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  return at == MAP_FAILED ? stopped("mmap") : ran();
}

static int road_protect(const char* path) {
  int fd = open(path, O_RDONLY);
  char* at = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return stopped("mmap");
  return mprotect(at, kPage, PROT_READ | PROT_EXEC) < 0 ? stopped("mprotect") : ran();
}

/* The mapping's file cannot be found by its name any more. */
static int road_protect_unlinked(const char* path) {
  int fd = open("gone", O_CREAT | O_RDWR | O_TRUNC, 0755);
  copy(fd, path);
  char* at = mmap(NULL, kPage, PROT_READ, MAP_SHARED, fd, 0);
  unlink("gone");
  return mprotect(at, kPage, PROT_READ | PROT_EXEC) < 0 ? stopped("mprotect") : ran();
}

static int road_shm(const char* path) {
  (void)path;
  int id = shmget(IPC_PRIVATE, kPage, IPC_CREAT | 0700);
  void* at = shmat(id, NULL, SHM_EXEC);
  shmctl(id, IPC_RMID, NULL);
  return at == (void*)-1 ? stopped("shmat") : ran();
}

/* A writable mapping stays when the descriptor is closed. */
static int road_held_writer(const char* path) {
  int fd = open(path, O_RDWR);
  if (fd < 0) return stopped("open");
  char* writes = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  fd = open(path, O_RDONLY);
  void* runs = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  if (writes == MAP_FAILED || runs == MAP_FAILED) return stopped("mmap");
  writes[kPage - 1] ^= 1;
  return ran();
}

/* What is mapped for execution changes under who runs it. */
static int road_change_mapped(const char* path) {
  int fd = open(path, O_RDONLY);
  volatile char* runs = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  if (runs == MAP_FAILED) return stopped("mmap");
  puts("MAPPED");
  fflush(stdout);
  char before = runs[100];
  char other = (char)(before ^ 1);
  pid_t child = fork();
  if (child == 0) {
    munmap((void*)runs, kPage);
    int writes = open(path, O_WRONLY);
    _exit(writes < 0 || pwrite(writes, &other, 1, 100) != 1);
  }
  waitpid(child, NULL, 0);
  return runs[100] == before ? stopped("write") : ran();
}

static int road_untraced(const char* path) {
  long child = syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0);
  if (child < 0) return stopped("clone");
  if (child == 0) {
    char* words[] = {"target", NULL};
    execve(path, words, environ);
    _exit(1);
  }
  waitpid((pid_t)child, NULL, 0);
  return 0;
}

static int road_traced(const char* path) {
  (void)path;
  return ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? stopped("ptrace") : ran();
}

static int exec_in_thread_status;
static void* exec_in_thread(void* path) {
  char* words[] = {path, NULL};
  execve(path, words, environ);
  exec_in_thread_status = stopped("execve");
  return NULL;
}

/* Another thread than the first becomes the program. */
static int road_thread(const char* path) {
  pthread_t thread;
  pthread_create(&thread, NULL, exec_in_thread, (void*)path);
  pthread_join(thread, NULL);
  return exec_in_thread_status;
}

static const char kLoader[] = "/lib64/ld-linux-x86-64.so.2";

static int load(const char* path) {
  execl(kLoader, kLoader, path, NULL);
  return stopped("execl");
}

/* A filter of one's own that says `what` of these calls. Returns what the kernel returns. */
static int say_of_calls(const int numbers[2], unsigned what, unsigned flags) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[0], 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[1], 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, what),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* Of two filters that have a call traced, the newer one's message reaches the tracer. Without a
 * tracer the kernel answers ENOSYS. */
static int road_own_message(const char* path) {
  const int maps[] = {SYS_mmap, SYS_mprotect};
  if (say_of_calls(maps, SECCOMP_RET_TRACE | 0x7777, 0) < 0) return stopped("seccomp");
  return load(path);
}

static int listener = -1;
static void* load_for_listener(void* path) {
  const int maps[] = {SYS_mmap, SYS_mprotect};
  int made = say_of_calls(maps, SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (made < 0) exit(stopped("seccomp"));
  __atomic_store_n(&listener, made, __ATOMIC_SEQ_CST);
  pid_t child = fork();
  if (child == 0) _exit(load(path));
  waitpid(child, NULL, 0);
  exit(0);
}

/* Who listens is asked before a tracer, and lets every call through. */
static int road_own_listener(const char* path) {
  pthread_t thread;
  pthread_create(&thread, NULL, load_for_listener, (void*)path);
  while (__atomic_load_n(&listener, __ATOMIC_SEQ_CST) < 0)
    usleep(1000);
  for (;;) {
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) continue;
    struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

/* Has a linker traced at each open, as if it made what it only reads. */
static int road_link_with_message(const char* path) {
  const int opens[] = {SYS_openat, SYS_open};
  pid_t child = fork();
  if (child == 0) {
    if (say_of_calls(opens, SECCOMP_RET_TRACE | 3, 0) < 0) _exit(stopped("seccomp"));
    execlp("ld", "ld", "-r", "-o", "made.o", path, NULL);
    _exit(1);
  }
  waitpid(child, NULL, 0);
  execl(path, path, NULL);
  return stopped("execl");
}

/* Parent and grandchild share memory; the one between them, who tied them, is killed. How often the
 * grandchild ran while the parent's mapping was judged. */
static volatile int orphan_ticks;
static int orphan_pipe[2];

static int tick(void* unused) {
  pid_t between = getppid();
  if (write(orphan_pipe[1], &between, sizeof between) != sizeof between) _exit(2);
  for (;;) {
    usleep(1000);
    orphan_ticks++;
  }
  return unused != NULL;
}

static int tie(void* stack) {
  clone(tick, stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
  for (;;)
    pause();
}

static int road_orphan(const char* path) {
  static char stacks[2][1 << 16];
  if (pipe(orphan_pipe) < 0) return stopped("pipe");
  pid_t killer = fork();
  if (killer == 0) {
    pid_t between = 0;
    if (read(orphan_pipe[0], &between, sizeof between) == sizeof between) kill(between, SIGKILL);
    _exit(0);
  }
  clone(tie, stacks[0] + sizeof stacks[0], CLONE_VM | CLONE_VFORK | SIGCHLD,
        stacks[1] + sizeof stacks[1]);
  usleep(100000);
  struct timespec before, after;
  int fd = open(path, O_RDONLY), ticks = orphan_ticks;
  clock_gettime(CLOCK_MONOTONIC, &before);
  void* at = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  ticks = orphan_ticks - ticks;
  clock_gettime(CLOCK_MONOTONIC, &after);
  long took = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
  printf("ticks %d in %ld ms, %s\n", ticks, took, at == MAP_FAILED ? "refused" : "mapped");
  fflush(stdout);
  kill(0, SIGKILL);
  return 0;
}

static void* map_later(void* path) {
  usleep(200000);
  int fd = open(path, O_RDONLY);
  void* at = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  exit(at == MAP_FAILED ? stopped("mmap") : ran());
}

/* No attack: the first thread of the process has ended. */
static int road_first_ended(const char* path) {
  pthread_t thread;
  pthread_create(&thread, NULL, map_later, (void*)path);
  pthread_exit(NULL);
}

static const char *good_path, *bad_path;
static volatile int race_over, flips;
enum { kRaced = 100 };

static void* flip_descriptor(void* unused) {
  int good = open(good_path, O_RDONLY), bad = open(bad_path, O_RDONLY);
  while (!race_over) {
    dup2(bad, kRaced);
    flips++;
    dup2(good, kRaced);
  }
  return unused;
}

/* Another thread changes what the descriptor means between verdict and mapping. */
static int race_descriptor(void) {
  char bad_bytes[kPage];
  int bad = open(bad_path, O_RDONLY), won = 0, mapped = 0;
  if (pread(bad, bad_bytes, kPage, 0) != kPage) return stopped("read");
  dup2(open(good_path, O_RDONLY), kRaced);
  pthread_t thread;
  pthread_create(&thread, NULL, flip_descriptor, NULL);
  while (flips < 100)
    sched_yield();
  for (int i = 0; i < 10 * kTries; i++) {
    void* at = mmap(NULL, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, kRaced, 0);
    if (at == MAP_FAILED) continue;
    if (++mapped > kTries) break;
    won += memcmp(at, bad_bytes, kPage) == 0;
    munmap(at, kPage);
    usleep(20 + (unsigned)i % 7);
  }
  race_over = 1;
  pthread_join(thread, NULL);
  printf("WON %d, mapped %d\n", won, mapped);
  return 0;
}

static void flip_link(void) {
  for (int i = 0;; i++) {
    unlink("next");
    if (symlink(i % 2 ? good_path : bad_path, "next") == 0) rename("next", "raced");
  }
}

static void flip_content(void) {
  for (int i = 0;; i++) {
    int fd = open("raced", O_CREAT | O_WRONLY | O_TRUNC, 0755);
    if (fd < 0) continue; /* it runs */
    copy(fd, i % 2 ? good_path : bad_path);
    close(fd);
    usleep(100 + (unsigned)i % 300);
  }
}

/* Whoever is started says which it is: 0 the good one, 42 the bad one. */
static int race_exec(void (*flip)(void)) {
  int won = 0, good = 0, tried = 0;
  pid_t flipper = fork();
  if (flipper == 0) flip();
  for (; good + won < kTries && tried < 200 * kTries; tried++) {
    pid_t child = fork();
    if (child == 0) {
      char* words[] = {"raced", NULL};
      execve("raced", words, environ);
      _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    won += WIFEXITED(status) && WEXITSTATUS(status) == 42;
    good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    good += WIFSIGNALED(status); /* a verdict was spoken */
  }
  kill(flipper, SIGKILL);
  waitpid(flipper, NULL, 0);
  printf("WON %d of %d\n", won, good + won);
  return 0;
}

static const struct {
  const char* name;
  int (*take)(const char* path);
} kRoads[] = {{"fexecve", road_fexecve},
              {"memfd", road_memfd},
              {"tmpfile", road_tmpfile},
              {"unlinked", road_unlinked},
              {"map", road_map},
              {"protect", road_protect},
              {"protect-unlinked", road_protect_unlinked},
              {"shm", road_shm},
              {"held-writer", road_held_writer},
              {"change-mapped", road_change_mapped},
              {"untraced", road_untraced},
              {"traced", road_traced},
              {"thread", road_thread},
              {"orphan", road_orphan},
              {"first-ended", road_first_ended},
              {"load", load},
              {"own-message", road_own_message},
              {"own-listener", road_own_listener},
              {"link-with-message", road_link_with_message}};

int main(int count, char** words) {
  if (count < 3) return 2;
  if (count > 3) {
    good_path = words[2];
    bad_path = words[3];
    if (strcmp(words[1], "race-descriptor") == 0) return race_descriptor();
    if (strcmp(words[1], "race-link") == 0) return race_exec(flip_link);
    if (strcmp(words[1], "race-content") == 0) return race_exec(flip_content);
    return 2;
  }
  for (size_t i = 0; i < sizeof kRoads / sizeof *kRoads; i++)
    if (strcmp(words[1], kRoads[i].name) == 0) return kRoads[i].take(words[2]);
  return 2;
}
