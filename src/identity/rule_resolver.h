// How rules become files: the work behind denied_files.h, part for part.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "identity/denied_files.h"

namespace ringwall::identity {

using Kind = policy::ProgramRule::Kind;

// What is looked through although nothing says that it could be meant. A workspace can hold a
// sparse file of any size.
inline constexpr uint64_t kMostWithoutReason = uint64_t{4} << 30;

class Resolver {
 public:
  Resolver(const RuleSet& rules, ProgramSearch& search) : rules_(rules), search_(search) {}

  Result<Resolution> run();

 private:
  struct Wanted {
    const RuleEntry* entry;
    std::optional<uint64_t> size;
  };
  // What a list of rules comes to.
  struct Contents {
    std::unordered_map<Digest, Wanted, DigestHash> contents;
    std::unordered_map<std::string_view, const RuleEntry*> names;
    std::set<const RuleEntry*> met;  // entries that matched something
    bool is_for_deny = true;
  };

  Status collect(const std::vector<RuleEntry>& entries, const char* key, Contents& into);
  void collect_name(const RuleEntry& entry, Contents& into);
  void collect_content(const Content& content, uint64_t size, const RuleEntry& entry,
                       Contents& into);
  void take_names();
  Status take_contents();
  bool take_wrappers();
  Status allow();
  bool judge_read_only(const Program& program, bool all_of_system);
  void allow_names();
  bool can_be_written(const std::string& path) const;
  Status check_interpreters();
  bool is_meant(const Program& script, const RuleEntry& entry) const;
  void note_misses(const std::vector<RuleEntry>& entries, const Contents& contents);
  void take(Program program, Taken::Reason reason, const RuleEntry* entry, Digest digest,
            std::string why);
  bool is_taken(const Program& program) const {
    return taken_.contains({program.tree, program.path});
  }
  std::string target_of_wrapper(const Program& program) const;

  const RuleSet& rules_;
  ProgramSearch& search_;
  Contents denied_;
  Contents allowed_{.is_for_deny = false};
  Resolution out_;
  std::vector<std::pair<Program, const RuleEntry*>> allowed_scripts_;
  // A path that lies in two granted trees can be seen through either, or through both: which one
  // covers the other is decided where they are mounted.
  std::set<std::pair<size_t, std::string>> taken_;
  std::unordered_set<std::string> denied_ends_;  // real paths of denied files, seen or not
};

}  // namespace ringwall::identity
