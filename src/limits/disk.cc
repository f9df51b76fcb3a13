#include "limits/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace ringwall::limits {
namespace {

std::string number_of(unsigned first, unsigned second) {
  return std::to_string(first) + ":" + std::to_string(second);
}

struct MountFacts {
  std::string type;
  std::string source;
};

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw", by the first number.
MountFacts read_mount(uint64_t id) {
  auto mounts = file::read("/proc/self/mountinfo", 16 << 20);
  for (const std::string& line : text::split(mounts.value_or(""), '\n')) {
    if (!line.starts_with(std::to_string(id) + " ")) continue;
    size_t rest = line.find(" - ");
    if (rest == std::string::npos) break;
    std::vector<std::string> words = text::split(line.substr(rest + 3), ' ');
    if (words.size() >= 2) return {words[0], words[1]};
  }
  return {};
}

}  // namespace

DiskFacts read_disk_facts(const std::string& folder) {
  DiskFacts facts{.folder = folder, .type = {}, .device = {}, .whole = {}};
  struct statx seen;
  if (statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_MNT_ID, &seen) < 0)
    return facts;
  MountFacts mount = read_mount(seen.stx_mnt_id);
  facts.type = mount.type;
  struct stat source;
  // Some filesystems have numbers of their own, and name their disk in the mount table alone.
  if (seen.stx_dev_major != 0) {
    facts.device = number_of(seen.stx_dev_major, seen.stx_dev_minor);
  } else if (mount.source.starts_with("/dev/") && stat(mount.source.c_str(), &source) == 0 &&
             S_ISBLK(source.st_mode)) {
    facts.device = number_of(major(source.st_rdev), minor(source.st_rdev));
  }
  std::string shown = "/sys/dev/block/" + facts.device;
  if (!facts.device.empty() && file::exists(shown + "/partition"))
    facts.whole = text::trim(file::read(shown + "/../dev").value_or(""));
  return facts;
}

Result<std::string> plan_disk(const DiskFacts& facts) {
  if (!facts.whole.empty()) return facts.whole;
  if (!facts.device.empty()) return facts.device;
  std::string type = facts.type.empty() ? "" : " (" + text::quote(facts.type) + ")";
  return fail("a limit of disk traffic (--io) needs a disk, and " + text::quote(facts.folder) +
                  " lies on none" + type,
              "leave --io out, or name a workspace on a disk");
}

}  // namespace ringwall::limits
