/* The program that is denied: says that it ran. */
#include <unistd.h>

int main(void) {
  static const char kText[] = "TARGET-RAN\n";
  return write(1, kText, sizeof kText - 1) > 0 ? 0 : 1;
}
