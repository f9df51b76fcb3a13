// The table behind file_uses.h: how everyday programs take files.
#pragma once

#include <cstdint>
#include <string_view>

#include "shell/options.h"

namespace ringwall::shell {

// What a program's operands are.
enum class Operands : uint8_t {
  none,   // no files
  read,   // all are read
  write,  // all are written or made
  remove,
  change,
  first_read,   // a script and its arguments
  copy,         // the last is written, the others are read
  move,         // the last is written, the others are removed
  in_then_out,  // the first is read, the second written
  out_then_in,  // the first is written, the others are read: zip
};

struct FileRow {
  std::string_view programs;  // "cat tac"
  OptionShape shape;
  Operands operands = Operands::none;
  int skips = 0;                      // operands before the files: a mode, a pattern
  std::string_view skip_options{};    // with one of these, nothing is skipped: grep -e
  std::string_view read_options{};    // their value is read
  std::string_view write_options{};   // their value is written
  std::string_view change_options{};  // with one of these, the operands are changed: sed -i
  std::string_view target_options{};  // their value is where the operands go: cp -t
};

// Nothing if the program is not known.
const FileRow* file_row_of(std::string_view program);

}  // namespace ringwall::shell
