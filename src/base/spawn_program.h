// Starts a program beside this process, with signals as a new one has them: ours may be blocked,
// and come by descriptor.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::process {

struct ProgramStart {
  static constexpr int kNowhere = -1;  // /dev/null

  std::string file;
  std::vector<std::string> words;
  std::optional<std::vector<std::string>> variables = {};  // none: this process's own
  std::array<int, 3> stdio = {kNowhere, kNowhere, kNowhere};
  std::string folder = {};  // empty: this process's own
};

Result<pid_t> spawn_program(ProgramStart start);

}  // namespace ringwall::process
