// What a Ruleset holds. Rules keep their order in `rules`; everything else points into it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gate/gap_match.h"
#include "gate/keyed_paths.h"
#include "gate/pack_match.h"
#include "gate/path_rule.h"
#include "gate/rules.h"

namespace ringwall::gate {

// Bash(…)
struct CommandRule {
  const Rule* rule;
  std::string glob;
  // "x *" fits "x" too.
  std::string alone;

  bool may_fit(const shell::Word& command) const {
    return gate::may_fit(command, glob) || (!alone.empty() && gate::may_fit(command, alone));
  }
  bool surely_fits(const shell::Word& command) const {
    return gate::surely_fits(command, glob) ||
           (!alone.empty() && command.gaps.empty() && command.text == alone);
  }
};

struct FileRule {
  const Rule* rule;
  bool writes;  // Edit, not Read
  PathRule path;
};

// A tool by its name, or by one of its parameters, a domain or an agent's name.
struct ToolNameRule {
  const Rule* rule;
  std::string tool;
  std::string parameter;  // empty: the tool itself
  std::string value;
};

inline constexpr int kFiledWords = 4;

struct RuleIndex {
  std::vector<Rule> rules;
  // By their first words before a star, kFiledWords at most.
  std::unordered_map<std::string, std::vector<CommandRule>, TextHash, std::equal_to<>> commands;
  std::vector<CommandRule> other_commands;  // which begin with a star
  std::vector<CommandRule> line_commands;   // to deny and ask, which hold a |, & or ;
  KeyedPaths<FileRule> files;
  std::vector<ToolNameRule> tools;
  PackSet packs = 0;
  bool has_allows = false;
};

// "mcp__server" stands for all of its tools.
bool fits_tool(std::string_view tool, std::string_view pattern);

// "*.example.com" is any name below it; a star elsewhere stays between dots.
bool fits_domain(std::string_view host, std::string_view pattern);

}  // namespace ringwall::gate
