// Brings an item of the quarantine back: a copy in new inodes, so that whoever holds the old ones
// open inside changes nothing of what the person gets. Nothing is overwritten and no link followed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "broker/quarantine_item.h"

namespace ringwall::broker {

struct Restored {
  std::string path;
  Kind kind = Kind::unknown;
  uint64_t bytes = 0;
  size_t entries = 0;
  std::vector<std::string> left_out;  // sockets, FIFOs and devices; then the item stays
  std::optional<Error> stays;         // why the item could not be removed
};

// `to` is absolute; empty: where it lay. The item is removed when all of it was restored.
Result<Restored> restore_item(int store, const Item& item, const std::string& to);

}  // namespace ringwall::broker
