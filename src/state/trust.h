// What the person has agreed to: for the file of a workspace, by its path, the digest of the exact
// content. Kept outside every workspace, where no sandbox sees it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "state/places.h"

namespace ringwall::state {

struct TrustedFile {
  std::string file;  // real path
  std::string digest;
  int64_t since = 0;  // seconds since 1970
};

// Where the notes lie.
std::string trust_folder(const Places& places);

// `file` is a real path, `content` what was read of it.
bool is_trusted(const Places& places, const std::string& file, std::string_view content);

// Any other content of this file is no longer trusted.
Status trust(const Places& places, const std::string& file, std::string_view content);

// Sorted by path.
Result<std::vector<TrustedFile>> list_trusted(const Places& places);

// False if it was not trusted.
Result<bool> revoke_trust(const Places& places, const std::string& file);

}  // namespace ringwall::state
