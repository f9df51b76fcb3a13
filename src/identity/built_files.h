// What linkers write inside, for the class "built-here": noted when a linker makes a file, hashed
// when it ends, before whoever started it goes on.
#pragma once

#include <sys/types.h>

#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "identity/exec_judge.h"

namespace ringwall::identity {

class BuiltFiles {
 public:
  BuiltFiles(int processes, ExecJudge& judge) : processes_(processes), judge_(judge) {}

  // `process` runs a linker from here on, or something else.
  void note_program(pid_t process, bool is_linker);
  bool is_empty() const { return written_.empty(); }
  // `task` is a thread of a linker.
  bool is_linker(pid_t task) const;
  // It has made a file, and knows it by this descriptor. One that holds something already is not
  // its work.
  void note_file(pid_t task, int descriptor);
  // It ends; one that failed or was killed is not vouched for.
  void finish(pid_t task, bool well);

 private:
  pid_t process_of(pid_t task) const;

  int processes_;
  ExecJudge& judge_;
  std::unordered_map<pid_t, std::vector<Fd>> written_;
};

}  // namespace ringwall::identity
