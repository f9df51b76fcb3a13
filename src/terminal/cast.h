// Reads an asciicast (version 2) line by line, whoever wrote it: lines are bounded, and what is
// damaged is named with its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/size.h"

namespace ringwall::terminal {

struct CastHeader {
  Size size;
  std::optional<double> idle;  // seconds: no pause is to be longer
};

struct CastEvent {
  enum class Kind { output, resize, other } kind = Kind::other;
  double seconds = 0;  // since the start
  std::string text;    // of output; may hold anything
  Size size;           // of a resize
};

class CastReader {
 public:
  static constexpr size_t kLongestLine = 1 << 20;

  // `name` is what messages call the file.
  CastReader(Fd file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  Result<CastHeader> read_header();
  // Nothing at the end.
  Result<std::optional<CastEvent>> next();

 private:
  Result<std::optional<std::string_view>> read_line();
  std::unexpected<Error> damaged(const std::string& what) const;

  Fd file_;
  std::string name_;
  std::string buffer_;
  size_t taken_ = 0;  // of the buffer
  bool at_end_ = false;
  bool unfinished_ = false;  // the last line has no newline
  int line_ = 0;
};

}  // namespace ringwall::terminal
