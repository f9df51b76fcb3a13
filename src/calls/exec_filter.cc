#include "calls/exec_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/standing_tasks.h"
#include "calls/filter_words.h"
#include "calls/install_filter.h"

namespace ringwall::calls {
namespace {

using namespace filter_words;

constexpr ExecFilterRule kExecRules[] = {
    {"memfd_create", "always", "ENOSYS: a file that lies on no mount could be executed",
     "mode allow"},
    {"shmat", "SHM_EXEC", "EPERM: as memfd_create", "mode allow"},
    {"ptrace", "always", "EPERM: the exec stop is the tracer of every process", "exec stop"},
    {"ptrace", "always", "EPERM: it writes into code that was vetted",
     "mode allow under root's guard"},
    {"clone", "CLONE_UNTRACED", "EPERM: the child would leave the exec stop", "exec stop"},
    {"membarrier", "a command that does not exist", "pid 1 asks the exec stop", "exec stop"},
    {"clone", "CLONE_FILES without CLONE_THREAD",
     "EPERM: a descriptor could change between verdict and mapping", "exec stop in mode allow"},
    {"clone", "CLONE_PARENT without CLONE_THREAD",
     "EPERM: whose memory a child shares is told by its parent", "exec stop in mode allow"},
    {"clone", "CLONE_VM without CLONE_THREAD and CLONE_VFORK",
     "EPERM: one who shares memory but is no thread", "exec stop in mode allow"},
    {"mmap", "PROT_EXEC, of a file", "the exec stop judges the file", "exec stop in mode allow"},
    {"mprotect, pkey_mprotect", "PROT_EXEC", "the exec stop judges the files in the range",
     "exec stop in mode allow"},
    {"seccomp", "SECCOMP_FILTER_FLAG_NEW_LISTENER",
     "EPERM: who listens is asked before the exec stop", "exec stop in mode allow"},
    {"open, openat, creat", "O_CREAT", "the exec stop notes what linkers make",
     "exec stop with built-here"},
};

constexpr uint32_t refuse(int err) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(err); }
// The exec stop looks at the call itself. What a filter could tell it beside that would be worth
// nothing: of two that say the same, the kernel hands on the word of the newer, the agent's.
constexpr uint32_t kTrace = SECCOMP_RET_TRACE;

using Code = std::vector<sock_filter>;

// One call: `body` ends with a return on every way.
void add_call(Code& code, int number, const Code& body) {
  code.push_back(
      jump(BPF_JEQ, static_cast<uint32_t>(number), 0, static_cast<uint8_t>(body.size())));
  code.insert(code.end(), body.begin(), body.end());
}

// `what` if the argument has any of the bits, else allowed.
Code if_bits(size_t index, uint32_t bits, uint32_t what) {
  return {load(argument(index)), jump(BPF_JSET, bits, 0, 1), give(what), give(SECCOMP_RET_ALLOW)};
}

Code clone_body(const ExecPlan& plan) {
  Code body = {load(argument(0)), jump(BPF_JSET, CLONE_UNTRACED, 0, 1), give(refuse(EPERM))};
  if (plan.judges_mappings) {
    // The first that holds decides.
    for (auto [flag, what] : {std::pair<uint32_t, uint32_t>{CLONE_THREAD, SECCOMP_RET_ALLOW},
                              {CLONE_FILES, refuse(EPERM)},
                              {CLONE_PARENT, refuse(EPERM)},
                              {CLONE_VFORK, SECCOMP_RET_ALLOW},
                              {CLONE_VM, refuse(EPERM)}}) {
      body.push_back(jump(BPF_JSET, flag, 0, 1));
      body.push_back(give(what));
    }
  }
  body.push_back(give(SECCOMP_RET_ALLOW));
  return body;
}

void add_mappings(Code& code) {
  add_call(code, SYS_mmap,
           {load(argument(2)), jump(BPF_JSET, PROT_EXEC, 1, 0), give(SECCOMP_RET_ALLOW),
            load(argument(3)), jump(BPF_JSET, MAP_ANONYMOUS, 0, 1), give(SECCOMP_RET_ALLOW),
            give(kTrace)});
  // Its listener would be asked before the exec stop, and could let the call through.
  add_call(
      code, SYS_seccomp,
      {load(argument(0)), jump(BPF_JEQ, SECCOMP_SET_MODE_FILTER, 1, 0), give(SECCOMP_RET_ALLOW),
       load(argument(1)), jump(BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1),
       give(refuse(EPERM)), give(SECCOMP_RET_ALLOW)});
  for (int number : {SYS_mprotect, SYS_pkey_mprotect})
    add_call(code, number, if_bits(2, PROT_EXEC, kTrace));
}

}  // namespace

std::span<const ExecFilterRule> exec_filter_rules() { return kExecRules; }

std::vector<sock_filter> exec_filter(const ExecPlan& plan) {
  // Calls of another architecture are the other filter's business.
  Code code = {load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
               give(SECCOMP_RET_ALLOW), load(offsetof(seccomp_data, nr))};
  if (plan.judges_mappings) add_mappings(code);
  if (plan.notes_built) {
    add_call(code, SYS_openat, if_bits(2, O_CREAT, kTrace));
    add_call(code, SYS_open, if_bits(1, O_CREAT, kTrace));
    add_call(code, SYS_creat, {give(kTrace)});
  }
  if (plan.has_stop) {
    add_call(code, SYS_clone, clone_body(plan));
    add_call(code, SYS_ptrace, {give(refuse(EPERM))});
    add_call(code, SYS_membarrier,
             {load(argument(0)), jump(BPF_JEQ, kAskExecStop, 0, 1), give(kTrace),
              give(SECCOMP_RET_ALLOW)});
  }
  if (plan.keeps_code) add_call(code, SYS_ptrace, {give(refuse(EPERM))});
  if (plan.only_known) {
    add_call(code, SYS_memfd_create, {give(refuse(ENOSYS))});
    add_call(code, SYS_shmat, if_bits(2, SHM_EXEC, refuse(EPERM)));
  }
  code.push_back(give(SECCOMP_RET_ALLOW));
  return code;
}

Status install_exec_filter(const ExecPlan& plan) {
  std::vector<sock_filter> code = exec_filter(plan);
  return install_filter(code, "the filter for programs");
}

}  // namespace ringwall::calls
