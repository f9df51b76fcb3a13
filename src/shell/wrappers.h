// Programs that run another program, named in their own words: sudo, env, xargs, sh -c, ssh …
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct Unwrapped {
  std::string name;                     // for Act::through
  std::vector<Word> words;              // the inner command, or …
  std::optional<Word> code;             // … shell code,
  std::vector<Word> code_arguments;     // with $0, $1 …
  std::vector<Assignment> assignments;  // for it
  std::optional<Word> folder;           // where it runs, if not here
  bool elsewhere = false;               // on another host, in a container
  bool certain = true;                  // false: the options are not fully understood
};

// Nothing if the words run no other program.
std::optional<Unwrapped> unwrap(const std::vector<Word>& words);

// A shell that reads its commands from standard input, or from a file (its name then).
struct ShellInput {
  bool reads_input = false;
  std::optional<Word> file;
};
std::optional<ShellInput> shell_input(const std::vector<Word>& words);

bool is_shell(std::string_view name);

// The last part of a program's path; empty if that part is unknown.
std::string_view program_name(const Word& word);

}  // namespace ringwall::shell
