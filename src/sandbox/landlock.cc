#include "sandbox/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr uint64_t kExecute = 1u << 0;
constexpr uint64_t kWriteFile = 1u << 1;
constexpr uint64_t kReadFile = 1u << 2;
constexpr uint64_t kReadDir = 1u << 3;
constexpr uint64_t kMakeChar = 1u << 6;
constexpr uint64_t kMakeBlock = 1u << 11;
constexpr uint64_t kTruncate = 1u << 14;
constexpr uint64_t kIoctlDevice = 1u << 15;
constexpr uint64_t kRightsOnFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;

// The kernel's struct of ABI 6; older kernels take a shorter one.
struct RulesetAttributes {
  uint64_t handled_files;
  uint64_t handled_network;
  uint64_t scoped;
};
constexpr uint64_t kScopeAbstractSockets = 1u << 0;
constexpr uint64_t kScopeSignals = 1u << 1;

uint64_t rights_for(Access access) {
  constexpr uint64_t kEverything = (1u << 16) - 1;
  constexpr uint64_t kChange = kEverything & ~(kMakeChar | kMakeBlock | kIoctlDevice);
  switch (access) {
    case Access::none:
      return 0;
    case Access::read:
      return kExecute | kReadFile | kReadDir;
    case Access::write:
      return kChange;
    case Access::write_data:
      return kChange & ~kExecute;
    case Access::device:
      return kReadFile | kWriteFile | kTruncate | kIoctlDevice;
    case Access::terminals:
      return kReadFile | kWriteFile | kReadDir | kIoctlDevice;
    case Access::proc:
      // Truncate: a shell's `>` on /proc/self/oom_score_adj.
      return kReadFile | kReadDir | kWriteFile | kTruncate;
  }
  return 0;
}

bool add_rule(int ruleset, int place, uint64_t rights) {
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = rights;
  beneath.parent_fd = place;
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
}

// A rule on a folder serves what is mounted below it too, but at each open the kernel goes up the
// folders until it has met one: where files are made by the thousand, it is near.
bool wants_own_rule(const Mount& mount) {
  bool holds_files = mount.kind == Mount::Kind::bind || mount.kind == Mount::Kind::overlay;
  return holds_files && mount.access == Access::write;
}

bool is_granted(const std::vector<LandlockRule>& rules, std::string_view place, uint64_t rights) {
  return std::ranges::any_of(rules, [&](const LandlockRule& rule) {
    return (rights & ~rule.rights) == 0 && path::is_beneath(place, rule.path);
  });
}

}  // namespace

int probe_landlock_abi() {
  long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

uint64_t landlock_handled_rights(int abi) {
  if (abi >= 5) return (1u << 16) - 1;
  if (abi >= 3) return (1u << 15) - 1;
  if (abi >= 2) return (1u << 14) - 1;
  return (1u << 13) - 1;
}

std::vector<LandlockRule> plan_landlock(const std::vector<Mount>& mounts, int abi) {
  // Listing folders is allowed everywhere, so that `ls /` works; the root holds nothing but this
  // plan.
  std::vector<LandlockRule> rules = {{"/", kReadDir}};
  // These two are folders of the new root, filled entry by entry: one rule serves all of them.
  if (!is_taken_away(Wall::new_root)) {
    rules.push_back({"/etc", rights_for(Access::read)});
    rules.push_back({"/dev", rights_for(Access::device) & landlock_handled_rights(abi)});
  }
  for (const Mount& mount : mounts) {
    bool covered = mount.access == Access::device || path::is_beneath(mount.target, "/etc");
    if (covered && !is_taken_away(Wall::new_root)) continue;
    // Rules hold on to what is mounted, not to paths: without the new root only binds of a path to
    // itself are what they were.
    bool same_place = mount.kind == Mount::Kind::bind && mount.source == mount.target;
    if (is_taken_away(Wall::new_root) && !same_place) continue;
    uint64_t rights = rights_for(mount.access) & landlock_handled_rights(abi);
    bool needed = is_taken_away(Wall::new_root) || wants_own_rule(mount) ||
                  !is_granted(rules, mount.target, rights);
    if (needed && rights != 0) rules.push_back({mount.target, rights});
  }
  return rules;
}

std::vector<LandlockRule> rules_for_change(const std::vector<std::string>& folders, int abi) {
  std::vector<LandlockRule> rules;
  for (const std::string& folder : folders)
    rules.push_back({folder, rights_for(Access::write_data) & landlock_handled_rights(abi)});
  return rules;
}

std::vector<LandlockRule> rules_for_looking(const std::vector<std::string>& places, int abi) {
  std::vector<LandlockRule> rules;
  for (const std::string& place : places) {
    if (access(place.c_str(), F_OK) != 0) continue;
    uint64_t rights = kReadFile | kReadDir;
    rules.push_back({place, rights & landlock_handled_rights(abi)});
  }
  return rules;
}

Status apply_landlock(const std::vector<LandlockRule>& rules, int abi) {
  RulesetAttributes attributes{landlock_handled_rights(abi), 0, 0};
  size_t size = sizeof attributes.handled_files;
  if (abi >= 6) {
    attributes.scoped = kScopeAbstractSockets | kScopeSignals;
    size = sizeof attributes;
  }
  Fd ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset) return fail_errno("cannot make a Landlock ruleset");
  for (const LandlockRule& rule : rules) {
    Fd place(open(rule.path.c_str(), O_PATH | O_CLOEXEC));
    if (!place) return fail_errno("cannot open " + text::quote(rule.path));
    // The kernel takes no rights of folders on a file, and says so.
    if (!add_rule(ruleset.get(), place.get(), rule.rights) &&
        (errno != EINVAL || !add_rule(ruleset.get(), place.get(), rule.rights & kRightsOnFiles))) {
      return fail_errno("cannot add a Landlock rule for " + text::quote(rule.path));
    }
  }
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) < 0) {
    return fail_errno("cannot enter the Landlock ruleset");
  }
  return {};
}

}  // namespace ringwall::sandbox
