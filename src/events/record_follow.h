// Reads a record line by line while it may still grow, over all of its files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace ringwall::events {

class RecordReader {
 public:
  RecordReader(std::string state, std::string id) : state_(std::move(state)), id_(std::move(id)) {}

  // Before the first reading: only about so many bytes of what is there are read.
  void skip_to_last(size_t bytes);

  // Hands over whole lines that are new. False if there were none.
  bool read(const std::function<void(std::string_view)>& take);

 private:
  std::string state_;
  std::string id_;
  unsigned segment_ = 1;
  Fd file_;
  std::string rest_;         // a line that is not whole yet
  bool skips_line_ = false;  // it began before what is read
};

}  // namespace ringwall::events
