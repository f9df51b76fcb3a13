#include "base/own_namespace.h"

#include <sched.h>
#include <unistd.h>

#include <string>

#include "base/file.h"

namespace ringwall {

bool enter_own_namespace() {
  std::string uid = std::to_string(geteuid()), gid = std::to_string(getegid());
  return unshare(CLONE_NEWUSER) == 0 && file::write_existing("/proc/self/setgroups", "deny") &&
         file::write_existing("/proc/self/uid_map", uid + " " + uid + " 1") &&
         file::write_existing("/proc/self/gid_map", gid + " " + gid + " 1");
}

}  // namespace ringwall
