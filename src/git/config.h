// Git's config files, read as git 2.39 reads them and written so that every git reads the same.
//
// What comes in may have been written to deceive: two readers that differ about one byte are a way
// through the wall. So whatever this reader does not understand exactly as git does is an error,
// and what is written is read again and compared before it is given out. The person's own lines,
// comments and layout stay as they are; only the keys that change are taken out and put in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ringwall::git {

inline constexpr size_t kMostGitConfigBytes = 1 << 20;
inline constexpr size_t kMostGitConfigKeys = 50000;
inline constexpr size_t kLongestGitConfigLine = 65536;

// The value of a key; nothing stands for a key alone on its line, which git takes for true.
using GitValue = std::optional<std::string>;

struct GitConfig {
  struct Entry {
    std::string key;  // "remote.My Fork.url": ends in lower case, the middle as it was written
    GitValue value;
    size_t line = 0;            // from 1
    size_t begin = 0, end = 0;  // its bytes in `text`, from the key to the end of its last line
  };
  struct Header {
    std::string stem;  // "remote.My Fork", or "core"
    size_t begin = 0, end = 0;
  };
  std::string text;
  std::vector<Entry> entries;
  std::vector<Header> headers;
};

std::string_view stem_of(std::string_view key);  // without the variable

// An error says the line.
Result<GitConfig> parse_git_config(std::string_view text);

// Every key with all its values in their order: what git goes by.
using GitKeys = std::map<std::string, std::vector<GitValue>, std::less<>>;
GitKeys keys_of(const GitConfig& config);

// A config of these keys alone, in this order.
std::string render_git_config(const std::vector<std::pair<std::string, GitValue>>& keys);

// The text of `old` changed so that its keys and their values are those of `wanted`, whose comments
// and layout are not taken over: the lines of keys that stay are not touched, a changed key stands
// where it was, a new one at the end of its section. A section that
// loses its last key goes too, unless a comment stands in it.
Result<std::string> edit_git_config(const GitConfig& old, const GitConfig& wanted);

}  // namespace ringwall::git
