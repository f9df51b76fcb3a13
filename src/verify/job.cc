#include "verify/job.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/pipe.h"
#include "base/syscalls.h"
#include "verify/answers.h"
#include "verify/process_tree.h"

namespace ringwall::verify {
namespace {

[[noreturn]] void work_and_leave(const Job::Work& work, pid_t parent, int answers, int trouble) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  // Runs whose supervisor a check kills are handed to this process, to be seen and reaped here.
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  Status done = work(answers);
  // If this cannot be written, the answers are missing, which says enough.
  if (!done) (void)file::write_all(trouble, done.error().text());
  _exit(done ? 0 : 1);
}

}  // namespace

Job::Job(Job&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      answers_(std::move(other.answers_)),
      trouble_(std::move(other.trouble_)),
      answers_text_(std::move(other.answers_text_)),
      trouble_text_(std::move(other.trouble_text_)) {}

Result<Job> Job::start(const Work& work) {
  TRY_ASSIGN(Pipe answers, make_pipe());
  TRY_ASSIGN(Pipe trouble, make_pipe());
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return fail_errno("cannot start a check");
  if (pid == 0) work_and_leave(work, parent, answers.write.get(), trouble.write.get());
  Job job;
  job.pid_ = pid;
  job.pidfd_ = Fd(sys::pidfd_open(pid, 0));
  job.answers_ = std::move(answers.read);
  job.trouble_ = std::move(trouble.read);
  fcntl(job.answers_.get(), F_SETFL, O_NONBLOCK);
  fcntl(job.trouble_.get(), F_SETFL, O_NONBLOCK);
  if (!job.pidfd_) return fail_errno("cannot watch a check");
  return job;
}

Job::~Job() {
  if (!is_done()) kill(pid_, SIGKILL);
  finish();
}

void Job::take_answers() {
  char buffer[16384];
  ssize_t count;
  while ((count = read(answers_.get(), buffer, sizeof buffer)) > 0) {
    // One byte too many is kept, for the parser to refuse.
    size_t room = kMostAnswerBytes + 1 - answers_text_.size();
    answers_text_.append(buffer, std::min(static_cast<size_t>(count), room));
  }
  if (count == 0) answers_.close();
}

void Job::finish() {
  if (is_done()) return;
  waitpid(std::exchange(pid_, -1), nullptr, 0);
  if (answers_) take_answers();
  char buffer[1024];
  ssize_t count = read(trouble_.get(), buffer, sizeof buffer);
  if (count > 0) trouble_text_.assign(buffer, static_cast<size_t>(count));
}

bool wait_for_all(std::span<Job> jobs, int signals, int64_t deadline) {
  while (true) {
    std::vector<pollfd> waits = {{signals, POLLIN, 0}};
    for (const Job& job : jobs) {
      waits.push_back({job.is_done() ? -1 : job.pidfd_.get(), POLLIN, 0});
      waits.push_back({job.is_done() ? -1 : job.answers_.get(), POLLIN, 0});
    }
    int64_t left = deadline - clock::monotonic();
    bool all_done = std::all_of(jobs.begin(), jobs.end(), [](auto& job) { return job.is_done(); });
    if (all_done) return true;
    if (left <= 0) {
      for (Job& job : jobs) {
        if (!job.is_done()) kill(job.pid_, SIGKILL);
        job.finish();
      }
      return true;
    }
    if (poll(waits.data(), waits.size(), static_cast<int>(left / 1'000'000) + 1) < 0 &&
        errno != EINTR) {
      return true;
    }
    if (waits[0].revents != 0) return false;
    for (size_t i = 0; i < jobs.size(); i++) {
      if (waits[2 * i + 2].revents != 0) jobs[i].take_answers();
      if (waits[2 * i + 1].revents != 0) jobs[i].finish();
    }
  }
}

void end_all_children() {
  constexpr int kMostTries = 500;
  // What loses its parent is handed to us, so that some appear only after others have ended.
  for (int tries = 0; tries < kMostTries; tries++) {
    pid_t pid;
    while ((pid = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (pid < 0) return;
    for (pid_t child : ProcessTree::read().from(getpid())) {
      if (child != getpid()) kill(child, SIGKILL);
    }
    usleep(2000);
  }
}

}  // namespace ringwall::verify
