// Which system calls the sandbox may make, and why: the only list of them.
//
// The filter is compiled from it at build time (filter_main.cc), docs/syscalls.md is made
// from it, and the probe of promise P04 tries what it refuses. A call in no list here gives ENOSYS,
// so that a program built for a newer kernel falls back as it would on an older one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ringwall::calls {

struct AllowedGroup {
  std::string_view why;
  std::string_view names;  // separated by blanks
};

struct RefusedCall {
  std::string_view name;
  int err;  // what the caller gets
  std::string_view why;
};

// One test on the low 32 bits of an argument. The kernel takes no more of these arguments.
struct ArgumentTest {
  enum class Op { equals, has_any_bit } op;
  unsigned argument;
  uint32_t value;
};

// The first clause whose tests all hold decides.
struct Clause {
  std::span<const ArgumentTest> tests;
  int err;  // 0 allows
};

struct FilteredCall {
  std::string_view name;
  std::span<const Clause> clauses;
  int otherwise;  // 0 allows, else the errno
  std::string_view why;
};

std::span<const AllowedGroup> allowed_groups();
std::span<const RefusedCall> refused_calls();
std::span<const FilteredCall> filtered_calls();

}  // namespace ringwall::calls
