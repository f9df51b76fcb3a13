#include "probes/stubborn.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

namespace ringwall::probes {
namespace {

// Where no wall ends it, it ends by itself.
constexpr int kMostGenerations = 2000;
constexpr useconds_t kGeneration = 5'000;

void say_up() {
  if (write(1, "up\n", 3) != 3) _exit(1);
}

[[noreturn]] void sleep_for_ever() {
  while (true)
    pause();
}

void ignore_signals() {
  for (int number = 1; number < NSIG; number++)
    signal(number, SIG_IGN);  // the two that cannot be ignored are refused
  signal(SIGCHLD, SIG_DFL);
}

[[noreturn]] void be_stopped() {
  say_up();
  raise(SIGSTOP);
  sleep_for_ever();
}

// What is killed must be a process that nobody has a number of.
[[noreturn]] void go_on_by_forking() {
  say_up();
  for (int i = 0; i < kMostGenerations; i++) {
    usleep(kGeneration);
    pid_t next = fork();
    if (next != 0) _exit(0);
  }
  _exit(0);
}

// By its own wish: a fork of pid 1 lets nobody else trace it.
[[noreturn]] void be_traced() {
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) < 0) _exit(1);
  raise(SIGSTOP);
  sleep_for_ever();
}

[[noreturn]] void hold_by_tracing() {
  pid_t traced = fork();
  if (traced == 0) be_traced();
  int status = 0;
  if (traced < 0 || waitpid(traced, &status, 0) != traced || !WIFSTOPPED(status)) _exit(1);
  say_up();
  say_up();  // for the traced one, which cannot speak any more
  sleep_for_ever();
}

}  // namespace

void run_stubborn() {
  ignore_signals();
  for (auto* act : {be_stopped, go_on_by_forking, hold_by_tracing}) {
    pid_t child = fork();
    if (child < 0) _exit(1);
    if (child == 0) act();
  }
  say_up();
  sleep_for_ever();
}

}  // namespace ringwall::probes
