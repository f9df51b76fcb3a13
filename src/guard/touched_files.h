// Files that the kernel does not ask about again: whether somebody outside has touched one since.
// A new mode or a second name (backups, profilers, package tools) gives it another change time, so
// that its verdict stands for nothing any more, though its content is the same.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "base/file_id.h"
#include "base/result.h"

namespace ringwall::guard {

class TouchedFiles {
 public:
  static Result<TouchedFiles> open();

  // False: nobody would hear of it.
  bool watch(int file, const file::Id& id);

  int queue() const { return queue_.get(); }
  // Each is watched no more. Nothing: some were lost, so it may be any.
  std::optional<std::vector<file::Id>> take();

 private:
  Fd queue_;
  std::map<int, file::Id> watched_;
};

}  // namespace ringwall::guard
