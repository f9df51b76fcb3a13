// P15: no descriptor of the caller's comes along, and 0 to 2 lead nowhere.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr int kMostDescriptors = 4096;

void try_own(Acts& acts) {
  size_t closed = 0;
  for (int fd = 3; fd < kMostDescriptors; fd++) {
    if (fcntl(fd, F_GETFD) < 0) {
      closed++;
      continue;
    }
    acts.got_in("use descriptor " + std::to_string(fd));
  }
  acts.stopped("use other descriptors", std::to_string(closed) + " closed");
}

void try_standard(Acts& acts) {
  for (int fd = 0; fd < 3; fd++) {
    std::string name = "descriptor " + std::to_string(fd);
    struct stat facts;
    if (fstat(fd, &facts) < 0) {
      acts.stopped(name, "closed");
    } else if (S_ISDIR(facts.st_mode)) {
      acts.got_in(name + " is a folder");
    } else if (S_ISSOCK(facts.st_mode)) {
      acts.got_in(name + " is a socket");
    } else if (S_ISBLK(facts.st_mode) ||
               (S_ISCHR(facts.st_mode) && facts.st_rdev != makedev(1, 3) && isatty(fd) == 0)) {
      acts.got_in(name + " is a device");
    } else {
      acts.stopped(name, "leads nowhere");
    }
  }
}

// What the caller had open, in the hands of any process inside.
void try_others(Acts& acts, const Outside& outside) {
  if (outside.open_files.empty()) return;
  for (int pid : visible_pids()) {
    std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    for (const std::string& fd : names_in(folder)) {
      if (atoi(fd.c_str()) < 3) continue;
      auto target = file::read_link(folder + "/" + fd);
      if (!target) continue;
      bool callers = std::find(outside.open_files.begin(), outside.open_files.end(), *target) !=
                     outside.open_files.end();
      if (callers && shares_namespace(outside, "pid") && pid != getpid()) continue;
      if (callers) acts.got_in("process " + std::to_string(pid) + " holds " + *target);
    }
  }
  acts.stopped("find others of the caller's files", "not held");
}

}  // namespace

Verdict probe_descriptors(const Outside& outside) {
  Acts acts;
  try_own(acts);
  try_standard(acts);
  try_others(acts, outside);
  return acts.verdict();
}

}  // namespace ringwall::probes
