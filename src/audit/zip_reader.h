// Reads single members of a ZIP archive that may be a bomb: sizes are what comes out, not what is
// written in it, and have an end.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::audit {

inline constexpr size_t kMostMembers = 4000;
inline constexpr size_t kMostMemberBytes = 8u << 20;
inline constexpr size_t kMostArchiveBytes = 24u << 20;  // of all members that are wanted

// Calls `use` with each member whose name `wants`. An error: it is no archive, is damaged, or has
// more in it than it should.
Status read_zip(std::string_view archive, const std::function<bool(std::string_view name)>& wants,
                const std::function<void(std::string_view name, std::string_view content)>& use);

}  // namespace ringwall::audit
