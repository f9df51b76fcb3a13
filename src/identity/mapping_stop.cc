#include "identity/mapping_stop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace ringwall::identity {
namespace {

constexpr Judgement kUnknownFile{.why = "is mapped, and nobody knows from which file"};

// Shared memory without a name of its own is memory as any other.
constexpr std::string_view kSharedMemory = "/dev/zero (deleted)";

bool cannot_be_written(int fd) {
  struct stat facts;
  if (fstat(fd, &facts) != 0 || facts.st_uid == getuid()) return false;
  return (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

// What can be changed while it is run is held, so that it is not.
Judgement MappingStop::judge_file(Fd fd) {
  struct stat facts;
  if (fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {.why = "is no regular file"};
  bool is_fixed = is_out_of_reach(fd.get()) || cannot_be_written(fd.get());
  int file = fd.get();
  if (is_fixed) return in_.judge.mapping(file);
  auto held = leases_.hold(Fd(fcntl(file, F_DUPFD_CLOEXEC, 3)));
  if (!held) return {.why = "is open for writing, or could be written while it is run"};
  Judgement judged = in_.judge.mapping(file);
  // Nobody runs from what may not run.
  if (!judged.may_run) leases_.let_go(*held);
  return judged;
}

Judgement MappingStop::judge_descriptor(pid_t task, int descriptor) {
  std::string path = std::to_string(task) + "/fd/" + std::to_string(descriptor);
  Fd fd(openat(in_.processes, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return {.why = "cannot be read, so nobody knows what it is"};
  return judge_file(std::move(fd));
}

// Every file in the range that is not executable yet. By its path, which the inside may have
// changed: what is found there must be the very file.
Judgement MappingStop::judge_range(pid_t task, uint64_t start, uint64_t end, std::string& path) {
  Judgement judged{.may_run = true};
  for (const Mapping& mapping : read_maps(in_.processes, task)) {
    bool is_in = mapping.start < end && start < mapping.end;
    bool is_memory = mapping.file.inode == 0 || mapping.path == kSharedMemory;
    if (!is_in || mapping.is_executable || is_memory) continue;
    path = mapping.path;
    Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
    if (!fd || as_mapped(in_.processes, fd.get()) != mapping.file) return kUnknownFile;
    judged = judge_file(std::move(fd));
    if (!judged.may_run) return judged;
  }
  return judged;
}

void MappingStop::take(pid_t task, const TracedCall& call) {
  bool has_fellows = in_.tracees.has_fellows(task);
  auto fellows = has_fellows ? in_.tracees.hold_fellows(task) : Tracees::Fellows::held;
  if (fellows == Tracees::Fellows::ended) return;
  Judgement judged;
  std::string link;
  if (fellows == Tracees::Fellows::restless) {
    judged.why = "was to be mapped while others who share the memory do not stand still";
  } else if (call.number == SYS_mmap) {
    auto descriptor = static_cast<int>(call.arguments[4]);
    link = std::to_string(task) + "/fd/" + std::to_string(descriptor);
    judged = judge_descriptor(task, descriptor);
  } else {
    uint64_t start = call.arguments[0], end = start + call.arguments[1];
    std::string path;
    judged = judge_range(task, start, end < start ? UINT64_MAX : end, path);
    link = path;
  }
  if (!judged.may_run) {
    in_.notices.tell_refused(judged, link, task, StopNotice::How::not_mapped);
    // What cannot be refused is not made either.
    if (!refuse_call(task, EACCES)) in_.tracees.end(task);
  } else if (has_fellows && !in_.tracees.step_over_call(task)) {
    return;
  }
  in_.tracees.go_on(task);
}

Judgement MappingStop::judge_loader(pid_t task, const Judgement& program) {
  std::string exe = std::to_string(task) + "/exe";
  Fd own(openat(in_.processes, exe.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  auto itself = own ? as_mapped(in_.processes, own.get()) : std::nullopt;
  if (!itself) return kUnknownFile;
  for (const Mapping& mapping : read_maps(in_.processes, task)) {
    if (!mapping.is_executable || mapping.file.inode == 0 || mapping.file == *itself) continue;
    Fd fd(open(mapping.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
    if (!fd || as_mapped(in_.processes, fd.get()) != mapping.file) return kUnknownFile;
    Judgement judged = judge_file(std::move(fd));
    if (!judged.may_run) return judged;
  }
  return program;
}

void MappingStop::give_back(int lease) {
  auto file = leases_.file_of(lease);
  if (!file) return;
  std::vector<pid_t> ended;
  for (pid_t task : in_.tasks) {
    for (const Mapping& mapping : read_maps(in_.processes, task)) {
      if (!mapping.is_executable || mapping.file != *file) continue;
      Judgement judged{.why = "was about to be changed while it was run"};
      in_.notices.tell_refused(judged, std::to_string(task) + "/exe", task,
                               StopNotice::How::was_changed);
      in_.tracees.end(task);
      ended.push_back(task);
      break;
    }
  }
  in_.tracees.wait_for_end(ended);
  leases_.let_go(lease);
}

}  // namespace ringwall::identity
