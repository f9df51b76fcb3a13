// What the command lines of `run` and `learn` have in common.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "events/event.h"
#include "prepare/prepare.h"
#include "review/whole_review.h"
#include "session/listeners.h"

namespace ringwall::cli {

struct RunOptions {
  std::string policy_file;
  bool json = false;
  std::vector<std::string> command;
};

// --policy, --cast and --verbose.
void add_run_options(CommandLine& line, RunOptions& options, prepare::RunRequest& request);

// Everything from the first word that is no flag on is the command: its flags are not ours. Returns
// what is ours.
std::vector<std::string> split_command(const CommandLine& line, std::vector<std::string> arguments,
                                       std::vector<std::string>& command);

// With what the person agrees to when asked; who only looks (`asks` is false) is not asked.
Status load_whole_policy(const RunOptions& options, const PolicyFlags& flags,
                         prepare::RunRequest& request, bool asks);

// What a run under review has changed, on one screen; nothing where messages are JSON.
std::string review_lines(const review::Review& review,
                         const std::vector<review::ReviewedTree>& trees, bool json, bool colours);

// The line for an event of the run, with what only the command line can add. `command` is how ours
// begins.
session::Listeners::Words words_with_advice(std::string command, bool json, bool colours);

using session::kLastWordsPatience;

}  // namespace ringwall::cli
