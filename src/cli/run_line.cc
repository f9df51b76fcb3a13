#include "cli/run_line.h"

#include <algorithm>

#include "cli/load_policy.h"
#include "cli/output.h"
#include "cli/toolchain_question.h"
#include "prepare/start_failure.h"
#include "review/summary.h"

namespace ringwall::cli {

void add_run_options(CommandLine& line, RunOptions& options, prepare::RunRequest& request) {
  line.add_option("--policy", options.policy_file, "a policy file; flags come on top of it")
      .type_name("FILE");
  line.add_option("--cast", request.recording, "record its terminal; play it: ringwall replay FILE")
      .type_name("FILE");
  line.add_flag("-v,--verbose", request.verbose,
                "tell in the end what was asked of the network, and what became of it");
}

std::vector<std::string> split_command(const CommandLine& line, std::vector<std::string> arguments,
                                       std::vector<std::string>& command) {
  size_t at = 0;
  while (at < arguments.size()) {
    const std::string& word = arguments[at];
    if (word == "--") {
      command.assign(arguments.begin() + static_cast<ptrdiff_t>(at) + 1, arguments.end());
      break;
    }
    if (!word.starts_with('-') || word == "-") {
      command.assign(arguments.begin() + static_cast<ptrdiff_t>(at), arguments.end());
      break;
    }
    bool takes_next =
        line.takes_value(word) && at + 1 < arguments.size() && arguments[at + 1] != "--";
    at += takes_next ? 2 : 1;
  }
  arguments.resize(std::min(at, arguments.size()));
  return arguments;
}

Status load_whole_policy(const RunOptions& options, const PolicyFlags& flags,
                         prepare::RunRequest& request, bool asks) {
  prepare::PolicyLayers layers;
  TRY(load_policy(options.policy_file, flags, options.json, request, &layers));
  if (!asks || layers.offers.empty()) return {};
  TRY_ASSIGN(bool agreed, settle_offers(layers, request.places, options.json));
  return agreed ? load_policy(options.policy_file, flags, options.json, request) : Status{};
}

std::string review_lines(const review::Review& review,
                         const std::vector<review::ReviewedTree>& trees, bool json, bool colours) {
  return json ? std::string() : review::summarize(review, trees, {.colours = colours});
}

session::Listeners::Words words_with_advice(std::string command, bool json, bool colours) {
  return [command = std::move(command), json, colours](const events::Event& event) {
    const auto* failure = std::get_if<events::CannotRun>(&event);
    return line_of(failure != nullptr ? prepare::advise(*failure, command) : event, json, colours);
  };
}

}  // namespace ringwall::cli
