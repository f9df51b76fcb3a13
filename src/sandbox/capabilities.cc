#include "sandbox/capabilities.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringwall::sandbox {

Status drop_capabilities() {
  // Uid 0 gains nothing by exec, and none of this can be undone.
  constexpr unsigned long kBits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                  SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                  SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  if (prctl(PR_SET_SECUREBITS, kBits, 0, 0, 0) < 0) return fail_errno("cannot lock the securebits");
  unsigned long capability = 0;
  while (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0)
    capability++;
  // EINVAL: past the last one this kernel knows.
  if (errno != EINVAL || capability == 0) {
    return fail_errno("cannot drop capability " + std::to_string(capability));
  }
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) {
    return fail_errno("cannot clear the ambient capabilities");
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) < 0) return fail_errno("cannot drop the capabilities");
  return {};
}

}  // namespace ringwall::sandbox
