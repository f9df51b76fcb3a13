// Hidden files: secrets that lie in the workspace. Some are known by their name, the others are
// candidates by their name and judged by their content. One table; docs/hidden-files.md is made
// from it. Nothing is opened here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/name_pattern.h"

namespace ringwall::files {

// Only so much of a candidate is read: secrets stand at the beginning.
inline constexpr size_t kMostLookedAt = 65536;

// The reason of what the person's own patterns name.
inline constexpr std::string_view kHiddenByPolicy = "files.hide";

struct HiddenEntry {
  std::string_view patterns;                           // separated by spaces
  std::string_view except;                             // of these, what stays visible
  bool (*holds_secret)(std::string_view bytes);        // nullptr: the name is enough
  std::string_view what;                               // "private key"; why it is hidden
  std::string_view found_by;                           // what in it decides, for the docs
  bool (*name_fits)(std::string_view name) = nullptr;  // what a pattern cannot say
};
std::span<const HiddenEntry> hidden_entries();

struct LeftVisible {
  std::string_view what;
  std::string_view why;
};
std::span<const LeftVisible> left_visible();

class HiddenNames {  // table, files.hide, files.show; immutable
 public:
  enum class Verdict { no, hide, look };  // look: the content decides

  static Result<HiddenNames> compile(std::span<const std::string> hide,
                                     std::span<const std::string> show);

  // What the person's own patterns say of a folder with all that lies in it; "" is the workspace.
  struct Around {
    bool is_hidden = false;
    bool is_shown = false;
  };
  Around judge_folder(std::string_view path) const;

  // `path` is a file's, relative to the workspace, and lies in a folder that was judged. Cheap: for
  // every file of a walk.
  Verdict judge_name(std::string_view path, const Around& around) const;
  Verdict judge_name(std::string_view path) const;
  // Why a file with Verdict::hide is hidden.
  std::string_view name_reason(std::string_view path) const;
  // Why, e.g. "private key", or nothing. At most kMostLookedAt bytes are looked at.
  std::optional<std::string_view> judge_content(std::string_view path,
                                                std::string_view first_bytes) const;
  std::string fingerprint() const;  // changes when the rules change

 private:
  bool names(const HiddenEntry& entry, std::string_view path) const;
  std::optional<size_t> by_table(std::string_view path, bool by_content) const;

  PatternSet table_;
  std::vector<const HiddenEntry*> entry_of_;  // beside table_
  PatternSet excepted_;
  std::vector<const HiddenEntry*> excepted_of_;  // beside excepted_
  PatternSet hide_;
  PatternSet show_;
};

}  // namespace ringwall::files
