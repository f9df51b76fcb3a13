#include "install/off_key.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sha256.h"

namespace ringwall::install {
namespace {

constexpr const char* kType = "user";
constexpr long kKeyring = KEY_SPEC_USER_KEYRING;
// Whoever has it: all; the user: view, read, search, set attributes.
constexpr unsigned long kPermissions = 0x3f2b0000;

long find_key(const std::string& name) {
  return syscall(SYS_keyctl, KEYCTL_SEARCH, kKeyring, kType, name.c_str(), 0);
}

}  // namespace

std::string off_key_name(std::string_view agent, std::string_view home) {
  return "ringwall-off:" + std::string(agent) + ":" + sha256(home).substr(0, 32);
}

Status put_off_key(const std::string& name, int64_t seconds) {
  long key = syscall(SYS_add_key, kType, name.c_str(), "off", 3, kKeyring);
  bool done = key >= 0 && syscall(SYS_keyctl, KEYCTL_SETPERM, key, kPermissions) == 0 &&
              syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) == 0;
  if (done) return {};
  auto failed = fail_errno("the kernel keeps no keys for you here",
                           "run it without walls by its path, if you must: ringwall installed");
  remove_off_key(name);
  return failed;
}

bool has_off_key(const std::string& name) { return find_key(name) >= 0; }

void remove_off_key(const std::string& name) {
  long key = find_key(name);
  if (key >= 0) syscall(SYS_keyctl, KEYCTL_UNLINK, key, kKeyring);
}

}  // namespace ringwall::install
