#include "sandbox/keyring.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

// One keyring for all sandboxes of this user: keys are few (200), and no key call is allowed
// inside. The next run finds it by its name only if its owner may search it.
constexpr const char* kKeyring = "ringwall";
constexpr unsigned long kOwnerMaySearch =
    0x3f1b0000;  // possessor: all; user: view, read, search, link

// Anybody can give a keyring that name, and let everybody join it.
bool is_own_keyring(long keyring) {
  char text[256];
  long length = syscall(SYS_keyctl, KEYCTL_DESCRIBE, keyring, text, sizeof text);
  if (length <= 0 || length > static_cast<long>(sizeof text)) return false;
  unsigned owner = 0;
  return sscanf(text, "keyring;%u;", &owner) == 1 && owner == getuid();
}

}  // namespace

Status leave_callers_keyring() {
  if (is_taken_away(Wall::keyring)) return {};
  long keyring = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, kKeyring);
  if (keyring >= 0 && !is_own_keyring(keyring)) {
    keyring = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  } else if (keyring >= 0) {
    // Without it the next run makes one of its own, which works too.
    syscall(SYS_keyctl, KEYCTL_SETPERM, keyring, kOwnerMaySearch);
  }
  if (keyring >= 0 || errno == ENOSYS) return {};  // a kernel without keys has none to reach
  return fail_errno("cannot join a keyring of its own");
}

}  // namespace ringwall::sandbox
