// Settings of the sanitizers in a build that they watch; see sanitize.cmake.

// Leaks are looked for by stopping the process from outside, which no wall lets happen. A fault is
// a signal, so that no exit status of a command's own hides it. Alternate stacks and the like need
// calls that helpers do not have behind their walls. No limit is set before ours: tests have that
// fail.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:use_sigaltstack=0:disable_"
         "coredump=0:"
         "handle_abort=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:abort_on_error=1"; }

extern "C" const char* __tsan_default_options() {
  return "abort_on_error=1:use_sigaltstack=0:disable_coredump=0:handle_segv=0";
}
