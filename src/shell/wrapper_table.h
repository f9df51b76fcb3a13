// The table of programs that run other programs: which of their words are options with values, and
// where the inner command begins.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shell/analysis.h"
#include "shell/options.h"

namespace ringwall::shell {

struct Wrapper {
  enum Trait : uint8_t {
    assigns = 1,          // NAME=value before the command
    joins = 2,            // its words become one text, which a shell reads
    adds_arguments = 4,   // from somewhere else
    elsewhere = 8,        // on another host, in a container, under another root
    drops_dashes = 16,    // -- before the command
    options_behind = 32,  // its operand, too: ssh HOST -p 22 COMMAND
  };

  std::string_view name;
  std::string_view subcommand;  // "exec", "tool run"; empty: none
  OptionShape shape;
  int operands = 0;  // before the command
  uint8_t traits = 0;
  std::string_view code_options{};     // their value is shell code
  std::string_view folder_options{};   // where to run
  std::string_view replace_options{};  // what stands for the arguments: xargs -I
  std::string_view word_options{};     // the words are not joined: watch -x
  std::string_view idle_options{};     // nothing is run with these
  std::string_view split_options{};    // env -S

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

// All rows of that name, which stand together.
std::span<const Wrapper> wrappers_named(std::string_view name);

// The first word behind the subcommand ("exec", or two words); 0 if it is another one.
size_t behind_subcommand(const std::vector<Word>& words, std::string_view subcommand);

}  // namespace ringwall::shell
