/* The same as a library: says so when it is loaded. */
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  static const char kText[] = "TARGET-RAN\n";
  if (write(1, kText, sizeof kText - 1) < 0) _exit(1);
}
