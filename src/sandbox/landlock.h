// The second wall over files: the same plan as the mounts, enforced by another part of the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// 0 if the kernel has no Landlock or it is switched off.
int probe_landlock_abi();

// The oldest ABI that Ringwall uses: before it, Landlock refuses every rename between folders.
inline constexpr int kLeastLandlockAbi = 2;

struct LandlockRule {
  std::string path;
  uint64_t rights;
};

// What the kernel of this ABI can check.
uint64_t landlock_handled_rights(int abi);

std::vector<LandlockRule> plan_landlock(const std::vector<Mount>& mounts, int abi);

// For one of our own processes that works on these folders; nothing in them is executed.
std::vector<LandlockRule> rules_for_change(const std::vector<std::string>& folders, int abi);

// For one that only looks at these; those that are not there are left out.
std::vector<LandlockRule> rules_for_looking(const std::vector<std::string>& places, int abi);

// After the root was entered, so that every rule's path is one of the new root.
Status apply_landlock(const std::vector<LandlockRule>& rules, int abi);

}  // namespace ringwall::sandbox
