#include "gate/masked_file.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace ringwall::gate {

bool is_masked(const std::string& path) {
  struct statx facts;
  constexpr unsigned kWanted = STATX_TYPE | STATX_MODE | STATX_SIZE;
  if (statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, kWanted, &facts) != 0) return false;
  bool is_mount = (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  return is_mount && facts.stx_mode == S_IFREG && facts.stx_size == 0;
}

}  // namespace ringwall::gate
