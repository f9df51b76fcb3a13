// Command lines by CLI11, with one way to fail and one way to print help.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace ringwall::cli {

// The line "Usage: ringwall …" of the help.
void set_usage(CLI::App& app, const std::string& usage);

// Parses; returns an exit status if the command is done (help was printed, or the input is wrong).
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments);

// The flags of the policy fields, from the field table; values are collected as typed.
class PolicyFlags {
 public:
  // Those that the arguments name, since each costs a part of the start; all of them if the
  // arguments name another flag, which may be a wish for help, or a mistake to explain.
  PolicyFlags(CLI::App& app, const std::vector<std::string>& arguments);

  // Puts the values into `policy`, paths relative to the current folder.
  Status apply(policy::Policy& policy, const std::string& folder, const std::string& home) const;

 private:
  void add(CLI::App& app, size_t field);

  std::vector<std::vector<std::string>> values_;
  std::vector<CLI::Option*> options_;  // null where it was not named
};

}  // namespace ringwall::cli
