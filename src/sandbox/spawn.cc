#include "sandbox/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "base/text.h"
#include "limits/limits.h"

namespace ringwall::sandbox {
namespace {

void unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Puts the three descriptors at 0, 1 and 2 whatever order they have now.
bool place_stdio(const int stdio[3]) {
  int moved[3];
  for (int i = 0; i < 3; i++) {
    moved[i] = fcntl(stdio[i], F_DUPFD_CLOEXEC, 3);
    if (moved[i] < 0) return false;
  }
  for (int i = 0; i < 3; i++) {
    if (dup2(moved[i], i) < 0) return false;
    close(moved[i]);
  }
  return true;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts)
    out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_texts(const Plan& plan) {
  std::vector<std::string> texts;
  for (const EnvironmentEntry& entry : plan.environment)
    texts.push_back(entry.name + "=" + entry.value);
  return texts;
}

// The run's own program was found outside already; a later one is searched in PATH as a shell does.
std::vector<std::string> candidates_for(const Plan& plan, uint32_t id, const std::string& name) {
  if (id == kMainCommand && !plan.program.empty()) return {plan.program};
  if (name.find('/') != std::string::npos) return {name};
  std::vector<std::string> candidates;
  for (const EnvironmentEntry& entry : plan.environment) {
    if (entry.name != "PATH") continue;
    for (const std::string& folder : text::split(entry.value, ':'))
      candidates.push_back(folder + "/" + name);
  }
  return candidates;
}

// Returns only if nothing could be run, with the reason in errno.
void exec_first(const std::vector<std::string>& candidates,
                const std::vector<std::string>& arguments, char* const environment[]) {
  std::vector<char*> argv = pointers(arguments);
  int worst = ENOENT;
  for (const std::string& candidate : candidates) {
    execve(candidate.c_str(), argv.data(), environment);
    if (errno == ENOEXEC) {
      // A script without a first line: a shell runs it, as every shell would.
      std::vector<std::string> script = {"sh", candidate};
      script.insert(script.end(), arguments.begin() + 1, arguments.end());
      execve("/bin/sh", pointers(script).data(), environment);
    }
    if (errno != ENOENT && errno != ENOTDIR) worst = errno;
    if (errno == ENOENT && access(candidate.c_str(), F_OK) == 0)
      worst = ENOEXEC;  // its interpreter is missing
  }
  errno = worst;
}

struct SpawnArguments {
  const ChildInputs& inputs;
  uint32_t id;
  const SpawnRequest& request;
  const int* stdio;
  int terminal;
};

// One process group to signal, in a session that has the command's own terminal or none.
bool take_session(const SpawnArguments& spawn) {
  if (spawn.terminal < 0) return setsid() >= 0;
  if (spawn.id != kMainCommand) return setsid() >= 0 && ioctl(spawn.terminal, TIOCSCTTY, 0) == 0;
  if (setpgid(0, 0) < 0) return false;
  return !spawn.request.terminal->foreground || tcsetpgrp(spawn.terminal, getpid()) == 0;
}

// Pid 1, and the hand, which works in our user namespace from outside.
uint64_t own_processes(const Plan& plan) { return plan.has_hand ? 2 : 1; }

// Everything that must be so before a program of the inside may run.
bool prepare_process(const SpawnArguments& spawn) {
  const ChildInputs& inputs = spawn.inputs;
  const SpawnRequest& request = spawn.request;
  const std::string& folder =
      request.working_folder.empty() ? inputs.plan.working_folder : request.working_folder;
  // The channel stays open until exec succeeds, to tell why it did not; a builtin does not exec.
  unsigned close_how = request.builtin.empty() ? CLOSE_RANGE_CLOEXEC : 0;
  // Signals are blocked until here: taking the foreground would stop us.
  if (!take_session(spawn)) return false;
  unblock_signals();
  umask(inputs.plan.umask);
  if (!is_taken_away(Wall::limits) &&
      !limits::give_up_reserve(inputs.plan.limits, own_processes(inputs.plan)))
    return false;
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && place_stdio(spawn.stdio) &&
         chdir(folder.c_str()) == 0 &&
         (is_taken_away(Wall::descriptors) ||
          close_range(3, ~0u, static_cast<int>(close_how)) == 0);
}

[[noreturn]] void become(const SpawnArguments& spawn) {
  const ChildInputs& inputs = spawn.inputs;
  const SpawnRequest& request = spawn.request;
  std::vector<std::string> environment = environment_texts(inputs.plan);
  std::vector<char*> envp = pointers(environment);
  Notice problem{MessageType::cannot_run, spawn.id};
  if (prepare_process(spawn)) {
    if (!request.builtin.empty()) {
      environ = envp.data();
      bool known = inputs.run_builtin != nullptr;
      _exit(known ? inputs.run_builtin(request.builtin, request.arguments) : 126);
    }
    exec_first(candidates_for(inputs.plan, spawn.id, request.arguments[0]), request.arguments,
               envp.data());
  } else if (errno == ENOENT) {
    errno = ENOTDIR;  // the working folder, not the program
  }
  problem.value = errno;
  (void)send_notice(inputs.channel.get(), problem);
  _exit(problem.value == ENOENT ? 127 : 126);
}

// Written by the child, read by pid 1: they share their memory.
volatile sig_atomic_t stop_was_typed = 0;

// A Ctrl-Z that comes before the program would stop the child, and pid 1 waits for it in the kernel
// for good. It is noted until the program is there; its exec takes this handler away.
void note_typed_stop() {
  struct sigaction before {};
  if (sigaction(SIGTSTP, nullptr, &before) < 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction note {};
  note.sa_handler = [](int) { stop_was_typed = 1; };
  note.sa_flags = SA_RESTART;
  sigaction(SIGTSTP, &note, nullptr);
}

int become_in_shared_memory(void* arguments) {
  note_typed_stop();
  become(*static_cast<const SpawnArguments*>(arguments));
}

// As vfork: pid 1 waits until the program was executed, and its memory is not copied for that
// moment. On a stack of its own, since the two would trample on each other's frames.
pid_t spawn_program(SpawnArguments arguments) {
  constexpr size_t kStackSize = 256 << 10;
  void* stack = mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return -1;
  pid_t pid = clone(become_in_shared_memory, static_cast<char*>(stack) + kStackSize,
                    CLONE_VM | CLONE_VFORK | SIGCHLD, &arguments);
  int err = errno;
  munmap(stack, kStackSize);
  if (pid > 0 && stop_was_typed != 0) kill(-pid, SIGTSTP);
  errno = err;
  return pid;
}

}  // namespace

pid_t spawn(const ChildInputs& inputs, uint32_t id, const SpawnRequest& request, const int stdio[3],
            int terminal) {
  SpawnArguments arguments{inputs, id, request, stdio, terminal};
  // Only while nothing else runs: a process inside could stop the child and pid 1 with it.
  bool is_program = request.builtin.empty();
  // A sanitizer knows one stack of each process.
  if (id == kMainCommand && is_program && !kIsSanitized) return spawn_program(arguments);
  pid_t pid = fork();
  if (pid == 0) become(arguments);
  return pid;
}

}  // namespace ringwall::sandbox
