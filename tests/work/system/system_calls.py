"""uses what servers, runtimes and databases ask the kernel for: timers, queues, shared memory, pidfds"""

C = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/aio_abi.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
static int bad;
#define WANT(x) do { if (!(x)) { bad++; printf("%s: %m\n", #x); } } while (0)
int main(void) {
  char text[64] = {0}, name[64];
  int memory = memfd_create("m", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  WANT(memory >= 0 && write(memory, "memory", 6) == 6 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(3, 0), poller = epoll_create1(0);
  struct itimerspec soon = {.it_value = {0, 1000000}};
  struct epoll_event one = {.events = EPOLLIN};
  WANT(timerfd_settime(timer, 0, &soon, 0) == 0 && epoll_ctl(poller, EPOLL_CTL_ADD, timer, &one) == 0 && epoll_wait(poller, &one, 1, 60000) == 1);
  WANT(read(event, text, 8) == 8 && text[0] == 3);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  int signals = signalfd(-1, &set, 0);
  struct signalfd_siginfo told;
  raise(SIGUSR1);
  WANT(read(signals, &told, sizeof told) == sizeof told && told.ssi_signo == SIGUSR1);
  int pipes[2], file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  WANT(pipe2(pipes, O_CLOEXEC) == 0 && lseek(memory, 0, SEEK_SET) == 0 && splice(memory, 0, pipes[1], 0, 6, 0) == 6 && splice(pipes[0], 0, file, 0, 6, 0) == 6);
  WANT(sendfile(pipes[1], file, &(off_t){0}, 6) == 6 && read(pipes[0], text, 6) == 6 && !memcmp(text, "memory", 6));
  WANT(fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1 << 16) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED) == 0 && sync_file_range(file, 0, 6, SYNC_FILE_RANGE_WRITE) == 0 && fdatasync(file) == 0);
  int shared = shmget(IPC_PRIVATE, 4096, 0600), queue = msgget(IPC_PRIVATE, 0600), locks = semget(IPC_PRIVATE, 1, 0600);
  char* segment = shmat(shared, 0, 0);
  struct { long kind; char text[8]; } message = {1, "queued"};
  WANT(shared >= 0 && segment != (void*)-1 && strcpy(segment, "x") && shmctl(shared, IPC_RMID, 0) == 0);
  WANT(msgsnd(queue, &message, 8, 0) == 0 && msgrcv(queue, &message, 8, 0, 0) == 8 && msgctl(queue, IPC_RMID, 0) == 0);
  WANT(semop(locks, &(struct sembuf){0, 1, 0}, 1) == 0 && semctl(locks, 0, IPC_RMID) == 0);
  snprintf(name, sizeof name, "/ringwall-%d", getpid());
  mqd_t posix = mq_open(name, O_CREAT | O_RDWR, 0600, &(struct mq_attr){.mq_maxmsg = 2, .mq_msgsize = 8});
  WANT(posix >= 0 && mq_send(posix, "hi", 2, 0) == 0 && mq_receive(posix, text, 8, 0) == 2 && mq_unlink(name) == 0);
  int child = fork();
  if (!child) {
    pause();
    _exit(0);
  }
  int handle = syscall(SYS_pidfd_open, child, 0);
  struct pollfd ended = {handle, POLLIN};
  WANT(handle >= 0 && syscall(SYS_pidfd_send_signal, handle, SIGKILL, 0, 0) == 0 && poll(&ended, 1, 60000) == 1 && waitid(P_PIDFD, handle, &(siginfo_t){0}, WEXITED) == 0);
  static char secret[8] = "parent", copy[8];
  child = fork();
  if (!child) { pause(); _exit(0); }
  WANT(process_vm_readv(child, &(struct iovec){copy, 8}, 1, &(struct iovec){secret, 8}, 1, 0) == 8 && !strcmp(copy, "parent"));
  kill(child, SIGKILL);
  wait(0);
  void* area = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  WANT(mlock(area, 4096) == 0 && munlock(area, 4096) == 0 && madvise(area, 1 << 20, MADV_DONTNEED) == 0 && mremap(area, 1 << 20, 1 << 21, MREMAP_MAYMOVE) != MAP_FAILED);
  void* code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  WANT(memcpy(code, "\xb8\x2a\0\0\0\xc3", 6) && mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0 && ((int (*)(void))code)() == 42);
  WANT(getrandom(text, 8, 0) == 8 && sched_getcpu() >= 0 && syscall(SYS_membarrier, 0, 0, 0) >= 0 && setpriority(PRIO_PROCESS, 0, 5) == 0);
  int pair[2];
  WANT(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0 && setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &(int){1}, 4) == 0);
  aio_context_t context = 0;
  struct iocb job = {.aio_fildes = file, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (unsigned long)text, .aio_nbytes = 6}, *jobs = &job;
  struct io_event result;
  WANT(syscall(SYS_io_setup, 4, &context) == 0 && syscall(SYS_io_submit, context, 1, &jobs) == 1 && syscall(SYS_io_getevents, context, 1, 1, &result, 0) == 1 && result.res == 6);
  WANT(setxattr("file", "user.kind", "text", 4, 0) == 0 && getxattr("file", "user.kind", text, 64) == 4);
  struct statx facts;
  WANT(statx(AT_FDCWD, "file", 0, STATX_BTIME, &facts) == 0 && renameat2(AT_FDCWD, "file", AT_FDCWD, "README.md", RENAME_EXCHANGE) == 0);
  WANT(syscall(SYS_close_range, 900, 1000, 0) == 0);
  printf("%d failed\n", bad);
  return bad;
}
"""


def works(host, done):
    return done.status == 0 and done.out == "0 failed\n" and host.read("README.md") == b"memory"
