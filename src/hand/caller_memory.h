// Texts in the memory of a process whose call was caught. It may change them at any moment: what is
// read here is a copy, and no more than what was there when it was made.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace ringwall::hand {

// False if not all of it can be read.
bool copy_from_caller(pid_t caller, uint64_t address, void* to, size_t bytes);

// A text that ends within PATH_MAX bytes, as the kernel would read it.
std::optional<std::string> read_callers_text(pid_t caller, uint64_t address);

}  // namespace ringwall::hand
