// P20: nothing inside types into the caller's terminal.
//
// A terminal is known by the file system that holds it: numbers of terminals, and even inodes, are
// the same in every instance of devpts. Typing is really tried only on the terminal that the
// verifier made for it; elsewhere with an address that is nowhere, which the kernel looks at last.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr unsigned kFirstPtyMajor = 136, kLastPtyMajor = 143;
constexpr const char* kStaysInside = "its own, inside";

char* nowhere() { return reinterpret_cast<char*>(16); }

bool is_pty(const struct stat& facts) {
  return S_ISCHR(facts.st_mode) && major(facts.st_rdev) >= kFirstPtyMajor &&
         major(facts.st_rdev) <= kLastPtyMajor;
}

bool is_callers(const struct stat& facts, const Outside& outside) {
  return S_ISCHR(facts.st_mode) && facts.st_dev == outside.terminal_device &&
         facts.st_ino == outside.terminal_inode;
}

// Any terminal of the host's, which is as bad.
bool is_hosts(const struct stat& facts, const Outside& outside) {
  return is_callers(facts, outside) || (is_pty(facts) && facts.st_dev == outside.terminal_device);
}

// 0 if it works, or would with a better address.
int request(int terminal, unsigned long what, char* argument) {
  return ioctl(terminal, what, argument) == 0 || errno == EFAULT ? 0 : errno;
}

// On a terminal of the host's: `callers` is the verifier's own.
void type_into(Acts& acts, int terminal, bool callers, const std::string& name) {
  char key = '#';
  acts.tried("TIOCSTI on " + name, request(terminal, TIOCSTI, callers ? &key : nowhere()));
  acts.tried("TIOCLINUX on " + name, request(terminal, TIOCLINUX, nowhere()));
}

// Opens what may be a terminal of the host's, and types into it if it is one.
void try_opening(Acts& acts, const Outside& outside, const std::string& path,
                 const std::string& name) {
  std::string act = "open " + name;
  Fd terminal(open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  struct stat facts;
  if (!terminal || fstat(terminal.get(), &facts) < 0) return acts.stopped(act, errno);
  if (!is_hosts(facts, outside)) return acts.stopped(act, kStaysInside);
  acts.got_in(act);
  type_into(acts, terminal.get(), is_callers(facts, outside), name);
}

void try_folder(Acts& acts, const Outside& outside) {
  for (const std::string& name : names_in("/dev/pts")) {
    if (name != "ptmx") try_opening(acts, outside, "/dev/pts/" + name, "/dev/pts/" + name);
  }
}

// The terminal of this process's own session, if it has one. Which one it is tells its number.
void try_own_session(Acts& acts, const Outside& outside) {
  constexpr const char* kName = "/dev/tty";
  std::string act = std::string("open ") + kName;
  Fd terminal(open(kName, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!terminal) return acts.stopped(act, errno);
  auto stat_line = file::read("/proc/self/stat", 4096);
  size_t after_name = stat_line ? stat_line->rfind(") ") : std::string::npos;
  if (after_name == std::string::npos) return acts.untried("no /proc");
  constexpr size_t kTerminal = 7 - 3;  // field 7, counted from the state
  auto fields = text::split(stat_line->substr(after_name + 2), ' ');
  int number = fields.size() > kTerminal ? atoi(fields[kTerminal].c_str()) : 0;
  struct stat facts;
  // As the kernel writes it: the low byte of the minor number, the major, the rest of the minor.
  std::string path = "/dev/pts/" + std::to_string((number & 0xff) | ((number >> 12) & 0xfff00));
  bool callers = stat(path.c_str(), &facts) == 0 && is_callers(facts, outside);
  if (!callers) return acts.stopped(act, kStaysInside);
  acts.got_in(act);
  type_into(acts, terminal.get(), true, kName);
}

// Whatever any process inside holds: 0 to 2 of the command first of all, one of which may be a pipe
// while another is a terminal.
void try_descriptors(Acts& acts, const Outside& outside) {
  size_t others = 0;
  for (int pid : visible_pids()) {
    std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    for (const std::string& fd : names_in(folder)) {
      struct stat facts;
      std::string path = folder + "/" + fd;
      if (stat(path.c_str(), &facts) < 0 || !is_hosts(facts, outside)) {
        others++;
        continue;
      }
      // On the host the person's own programs hold it, rightly.
      bool rightly = shares_namespace(outside, "pid") && pid != getpid();
      if (rightly) continue;
      acts.got_in("find it as descriptor " + fd);
      if (pid == getpid())
        type_into(acts, atoi(fd.c_str()), is_callers(facts, outside), "descriptor " + fd);
      else
        try_opening(acts, outside, path, "it through /proc");
    }
  }
  acts.stopped("find it as a descriptor", std::to_string(others) + " are others");
}

// The one that it is allowed to have: what is typed there is read inside. The system-call wall
// refuses it all the same.
int type_into_own(unsigned long what) {
  signal(SIGHUP, SIG_IGN);  // its end is that of our session
  Fd near_side(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!near_side || unlockpt(near_side.get()) < 0) return errno;
  Fd terminal(ioctl(near_side.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal || setsid() < 0 || ioctl(terminal.get(), TIOCSCTTY, 0) < 0) return errno;
  return request(terminal.get(), what, nowhere());
}

void try_own(Acts& acts, const char* name, unsigned long what) {
  std::string act = std::string(name) + " on a terminal of its own";
  int met = in_child([&] { return type_into_own(what); });
  if (met == 0)
    acts.stopped(act, kStaysInside);
  else
    acts.stopped(act, met);
}

}  // namespace

Verdict probe_terminal(const Outside& outside) {
  Acts acts;
  if (outside.terminal.empty()) {
    acts.untried("no terminal of the caller's was named");
    return acts.verdict();
  }
  try_opening(acts, outside, outside.terminal, "the caller's terminal by its path");
  try_folder(acts, outside);
  try_own_session(acts, outside);
  try_descriptors(acts, outside);
  try_own(acts, "TIOCSTI", TIOCSTI);
  try_own(acts, "TIOCLINUX", TIOCLINUX);
  return acts.verdict();
}

}  // namespace ringwall::probes
