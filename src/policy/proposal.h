// From what a run wanted and did not get to the smallest additions to a policy that would give it:
// pure, golden-tested. What must not be proposed was marked before, and stays out of every folder
// that is proposed for the sake of other files.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::policy {

// So many of one folder, and it is the folder that is wanted.
inline constexpr size_t kManyOfOneFolder = 4;
inline constexpr size_t kMostProposed = 100;

// One thing that was wanted. Everything in it was chosen by whoever asked.
struct Wish {
  enum class Kind { look, read, write, cache, reach };
  Kind kind = Kind::read;
  std::string what;  // an absolute path, the name of a cache, or HOST[:PORT]
  bool is_folder = false;
  uint64_t times = 1;
  std::set<std::string> programs = {};
  std::string left_out = {};  // why it is not to be proposed; empty: it may be
};

struct Proposal {
  // One addition.
  struct Entry {
    std::string_view key;  // "files.read"
    std::string value;     // as a policy file takes it
    uint64_t times = 0;
    std::set<std::string> programs = {};
    size_t files = 0;  // of a folder nobody named: how much in it was wanted
  };
  struct LeftOut {
    Wish::Kind kind;
    std::string what;
    std::string why;
    uint64_t times = 0;
    std::set<std::string> programs = {};
    size_t files = 1;  // more than one: `what` is the folder of so many
  };
  std::vector<Entry> entries;
  std::vector<LeftOut> left_out;
  uint64_t unseen = 0;  // wishes for which there was no room

  // A policy file with the entries alone; empty without any.
  std::string toml() const;
  // The same as flags of `run`, each a word for a shell.
  std::vector<std::string> flags() const;
};

struct ProposalRules {
  std::string home;  // written as ~
  // Why a folder that holds what was wanted must not be proposed; empty: it may be. `writes`: for
  // changing what lies in it.
  std::function<std::string(const std::string& folder, bool writes)> why_not;
};

Proposal propose(const std::vector<Wish>& wishes, const ProposalRules& rules);

// "by cargo, rustc and 3 others"; empty if nobody is known.
std::string name_programs(const std::set<std::string>& programs);
std::string_view verb_of(Wish::Kind kind);  // "read"

}  // namespace ringwall::policy
