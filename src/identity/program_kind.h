// What a file is to the kernel and to who starts programs: told by its first bytes and its mode,
// never by its name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringwall::identity {

enum class ProgramKind : uint8_t {
  none,        // data
  program,     // ELF that is started: ET_EXEC, or with an interpreter, or static-pie
  library,     // ELF that is loaded into others; ld.so too
  script,      // begins with #!
  other,       // may be executed by its mode, and is neither
  unreadable,  // nobody here can say
  link,        // a symbolic link
};

// Of a regular file that is open for reading.
ProgramKind kind_of_file(int fd, bool may_execute);

// The program that a script's first line names; empty: it is no script.
std::string interpreter_of(std::string_view first_bytes);

// Small shell scripts whose only job is to start another program: that program as it is written
// there, "" for any other text. A folder that the script computes from its own place is "./".
std::string wrapped_by(std::string_view script);

// No script that only starts another is longer.
inline constexpr size_t kLongestWrapper = 4096;

}  // namespace ringwall::identity
