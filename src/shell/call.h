// A command on its way from its words to the acts it comes down to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

using Place = std::pair<uint32_t, uint32_t>;

struct Call {
  std::vector<Word> words;
  std::vector<Word> as_written;
  std::vector<std::string> through;
  std::vector<Assignment> assignments;
  std::vector<Redirection> redirections;
  std::vector<size_t> fed_by;       // acts on its standard input or behind <(…)
  std::vector<size_t> substituted;  // acts behind $(…) in its words
  std::optional<Word> file_text;    // what it finds in a /dev/fd/… among its words
  std::optional<Word> input;        // a text on its standard input
  std::optional<std::string> folder;
  bool elsewhere = false;
  bool certain = true;
  Place place;
  int depth = 0;  // how many calls this one was found in
};

}  // namespace ringwall::shell
