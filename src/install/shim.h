// What stands at an agent's plain name: a few lines of shell that hand over to `ringwall start`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringwall::install {

struct Shim {
  std::string agent;
  std::string program;  // ringwall, by its absolute path
  std::string real;     // what it starts; empty: whatever comes next on PATH
};

std::string shim_text(const Shim& shim);

// A word for any shell, whatever is in it.
std::string for_any_shell(std::string_view word);

// Nothing if it is no shim of Ringwall's, or one that was changed.
std::optional<Shim> read_shim(std::string_view text);

// No shim is longer: who only wants to know reads no more of a file.
inline constexpr size_t kMostShimBytes = 16 << 10;

}  // namespace ringwall::install
