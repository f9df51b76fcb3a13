// Which functions of a program a command of it calls: called_functions USER ADDRESSES CALLED
// PROGRAM ARGS…
//
// For root, who may look into processes that nobody else may trace; PROGRAM runs as the ordinary
// USER. ADDRESSES is a file of function addresses in PROGRAM, hexadecimal, one a line; PROGRAM is
// position-independent and has not been relocated in its file. A breakpoint stands at each until
// somebody comes by, in PROGRAM and all its forks. Prints the addresses that were called, in the
// order of their first call, to the file CALLED. tools/start_order.py makes the list of it.
#include <elf.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr uint8_t kBreakpoint = 0xcc;

[[noreturn]] void die(const char* what) {
  perror(what);
  _exit(1);
}

// Of the program that was executed just now: its entry point, as the kernel tells it, less the one
// of its file.
uint64_t load_address(pid_t pid, const char* program) {
  Elf64_Ehdr header{};
  std::ifstream file(program, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) die(program);
  std::ifstream vector("/proc/" + std::to_string(pid) + "/auxv", std::ios::binary);
  Elf64_auxv_t entry{};
  while (vector.read(reinterpret_cast<char*>(&entry), sizeof entry)) {
    if (entry.a_type == AT_ENTRY) return entry.a_un.a_val - header.e_entry;
  }
  die("AT_ENTRY");
}

class Tracer {
 public:
  Tracer(pid_t program, const char* path, const char* addresses, std::ostream& report)
      : report_(report), load_(load_address(program, path)) {
    std::ifstream list(addresses);
    for (uint64_t address = 0; list >> std::hex >> address;) {
      uint8_t byte = 0;
      move_byte(program, load_ + address, byte, false);
      first_bytes_[load_ + address] = byte;
      byte = kBreakpoint;
      move_byte(program, load_ + address, byte, true);
    }
  }

  // One stop of somebody; the signal that it is to get.
  int take_stop(pid_t who, int status) {
    int signal = WSTOPSIG(status);
    if (status >> 16 != 0 || signal == SIGSTOP) return 0;
    if (signal != SIGTRAP) return signal;
    user_regs_struct registers{};
    if (ptrace(PTRACE_GETREGS, who, nullptr, &registers) != 0) return 0;
    auto met = first_bytes_.find(registers.rip - 1);
    if (met == first_bytes_.end()) return signal;
    if (called_.insert(met->first).second) report_ << std::hex << met->first - load_ << '\n';
    move_byte(who, met->first, met->second, true);
    registers.rip--;
    ptrace(PTRACE_SETREGS, who, nullptr, &registers);
    return 0;
  }

 private:
  static void move_byte(pid_t pid, uint64_t address, uint8_t& byte, bool writes) {
    uint64_t place = address & ~uint64_t{7};
    int shift = static_cast<int>(address & 7) * 8;
    errno = 0;
    uint64_t word = static_cast<uint64_t>(ptrace(PTRACE_PEEKTEXT, pid, place, nullptr));
    if (errno != 0) die("PEEKTEXT");
    if (!writes) {
      byte = static_cast<uint8_t>(word >> shift);
      return;
    }
    word = (word & ~(uint64_t{0xff} << shift)) | uint64_t{byte} << shift;
    if (ptrace(PTRACE_POKETEXT, pid, place, word) != 0) die("POKETEXT");
  }

  std::ostream& report_;
  uint64_t load_;
  std::map<uint64_t, uint8_t> first_bytes_;
  std::set<uint64_t> called_;
};

int follow(pid_t program, const char* path, const char* addresses, std::ostream& report) {
  int status = 0;
  long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  // Not by its own PTRACE_TRACEME, which gives us no more rights than it has.
  bool seized = waitpid(program, &status, WUNTRACED) == program && WIFSTOPPED(status) &&
                ptrace(PTRACE_SEIZE, program, nullptr, options) == 0 && kill(program, SIGCONT) == 0;
  if (!seized) die("seize");
  while (waitpid(program, &status, 0) == program &&
         status >> 8 != (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
    if (!WIFSTOPPED(status)) return 1;
    ptrace(PTRACE_CONT, program, nullptr, nullptr);
  }
  Tracer tracer(program, path, addresses, report);
  ptrace(PTRACE_CONT, program, nullptr, nullptr);
  int result = 1;
  for (pid_t who = 0; (who = waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) {
      if (who == program) result = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
      continue;
    }
    ptrace(PTRACE_CONT, who, nullptr, tracer.take_stop(who, status));
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const passwd* user = argc < 5 ? nullptr : getpwnam(argv[1]);
  if (user == nullptr) {
    fprintf(stderr, "usage: called_functions USER ADDRESSES CALLED PROGRAM ARGS...\n");
    return 2;
  }
  pid_t program = fork();
  if (program < 0) die("fork");
  if (program == 0) {
    if (initgroups(user->pw_name, user->pw_gid) != 0 || setgid(user->pw_gid) != 0 ||
        setuid(user->pw_uid) != 0)
      die(user->pw_name);
    raise(SIGSTOP);
    execv(argv[4], argv + 4);
    die(argv[4]);
  }
  std::ofstream report(argv[3]);
  return follow(program, argv[4], argv[2], report);
}
