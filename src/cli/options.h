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

// The flags of every policy field, from the field table; values are collected as typed.
class PolicyFlags {
 public:
  explicit PolicyFlags(CLI::App& app);

  // Puts the values into `policy`, paths relative to the current folder.
  Status apply(policy::Policy& policy, const std::string& folder, const std::string& home) const;

 private:
  std::vector<std::vector<std::string>> values_;
  std::vector<CLI::Option*> options_;
};

}  // namespace ringwall::cli
