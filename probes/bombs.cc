// P33: what one sandbox uses up is not missing outside. Every bomb stops by itself one step beyond
// what is allowed, so that it does no harm where nothing stops it.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

int wait_for_the_end(void*) {
  while (true)
    pause();
}

// Processes that share this one's memory: a copy of it for each would take most of the time.
class Crowd {
 public:
  explicit Crowd(size_t most) : size_(most * kStack) {
    stacks_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    for (pid_t member : members_)
      kill(member, SIGKILL);
    for (pid_t member : members_)
      waitpid(member, nullptr, 0);
    if (stacks_ != MAP_FAILED) munmap(stacks_, size_);
  }

  // 0, or why nobody more can come.
  int add() {
    if (stacks_ == MAP_FAILED) return ENOMEM;
    char* stack = stacks_ + (members_.size() + 1) * kStack;
    pid_t member = clone(wait_for_the_end, stack, CLONE_VM | CLONE_FILES | SIGCHLD, nullptr);
    if (member < 0) return errno;
    members_.push_back(member);
    return 0;
  }

 private:
  static constexpr size_t kStack = 16 << 10;
  size_t size_;
  char* stacks_;
  std::vector<pid_t> members_;
};

int have_processes(unsigned long most) {
  Crowd crowd(most + 1);
  for (unsigned long i = 0; i <= most; i++) {
    if (int err = crowd.add(); err != 0) return err;
  }
  return 0;
}

int have_open_files(unsigned long most) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return errno;
  limit.rlim_cur = limit.rlim_max;  // as anybody may
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return errno;
  for (unsigned long i = 0; i <= most; i++) {
    if (dup(STDOUT_FILENO) < 0) return errno;  // closed by the end of this process
  }
  return 0;
}

// A file without a name: it is gone however the probe ends.
Fd open_nameless(const std::string& folder) {
  Fd file(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (file) return file;
  std::string path = folder + "/.ringwall-probe-" + std::to_string(getpid());
  file = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file) unlink(path.c_str());
  return file;
}

int fill(const std::string& folder, unsigned long most) {
  Fd file = open_nameless(folder);
  if (!file) return errno;
  std::vector<char> block(1 << 20);
  for (unsigned long written = 0; written <= most;) {
    ssize_t count = write(file.get(), block.data(), block.size());
    if (count < 0) return errno;
    written += static_cast<unsigned long>(count);
  }
  return 0;
}

int make_files(const std::string& folder, unsigned long most) {
  Scratch scratch(folder);
  if (!scratch) return errno;
  Fd place(open(scratch.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (unsigned long i = 0; i <= most; i++) {
    if (mknodat(place.get(), std::to_string(i).c_str(), S_IFREG | 0600, 0) < 0) return errno;
  }
  return 0;
}

// More than a quarter of what the host's user has: a few runs would leave none for the person's
// editor.
int take_inotify_instances() {
  auto all = file::read("/proc/sys/fs/inotify/max_user_instances");
  if (!all) return all.error().err;
  int most = atoi(all->c_str()) / 4;
  for (int i = 0; i <= most; i++) {
    if (inotify_init1(IN_CLOEXEC) < 0) return errno;
  }
  return 0;
}

int grow_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  Fd read_end(ends[0]), write_end(ends[1]);
  return fcntl(write_end.get(), F_SETPIPE_SZ, 256 << 10) >= 0 ? 0 : errno;
}

}  // namespace

Verdict probe_bombs(const Outside& outside) {
  Acts acts;
  acts.tried("make a pipe larger", grow_pipe());
  acts.tried("take most inotify instances", in_child(take_inotify_instances));
  if (outside.most_processes == 0) {
    acts.untried("no limits are known");
    return acts.verdict();
  }
  acts.tried("have too many processes",
             in_child([&] { return have_processes(outside.most_processes); }));
  acts.tried("have too many files open",
             in_child([&] { return have_open_files(outside.most_open_files); }));
  acts.tried("fill /tmp", fill("/tmp", outside.most_tmp_bytes));
  acts.tried("fill /dev/shm", fill("/dev/shm", outside.most_tmp_bytes));
  acts.tried("fill the home", fill(outside.home, outside.most_tmp_bytes));
  acts.tried("have too many files in /tmp", make_files("/tmp", outside.most_tmp_files));
  return acts.verdict();
}

}  // namespace ringwall::probes
