// Which disk a folder lies on, as a cgroup's io.max wants it named: whole, never a part of one.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::limits {

struct DiskFacts {
  std::string folder;
  std::string type;    // of its filesystem: "ext4"
  std::string device;  // "8:1"; empty: the filesystem lies on none, as a tmpfs
  std::string whole;   // "8:0", the disk that the device is a part of; empty: it is whole
};
DiskFacts read_disk_facts(const std::string& folder);

Result<std::string> plan_disk(const DiskFacts& facts);

}  // namespace ringwall::limits
