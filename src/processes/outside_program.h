// Runs one of the person's own programs outside, for what only it knows (ssh-keygen, git's
// credential helpers). Never anything that lies in a workspace, nor on anything there: it starts in
// "/" with variables that do not lead there.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::processes {

// Can an agent have written what lies at this path?
using IsInReach = std::function<bool(const std::string& path)>;

// Of the caller's variables those that lead to nothing in an agent's reach: a program of its own
// in PATH, modules in PYTHONPATH. What asks a person or leads git to a repository is left out too.
std::vector<std::string> variables_for_outside(const IsInReach& is_in_reach);

struct OutsideProgram {
  std::vector<std::string> command;
  std::vector<std::string> variables;  // PATH among them says where it is looked for
  int patience = 0;                    // milliseconds
};

// The file of that program, looked for in PATH of `variables`; empty if there is none, or if it, or
// a link on the way to it, is in an agent's reach.
std::string locate_outside(const std::string& program, const std::vector<std::string>& variables,
                           const IsInReach& is_in_reach);

// Starts it with no input, what it writes is dropped. The caller waits for its end some day.
Result<pid_t> start_outside(const OutsideProgram& program);

// One that was given its input and is writing; ended with this.
class OutsideProcess {
 public:
  static Result<OutsideProcess> start(OutsideProgram program, std::string_view input);
  OutsideProcess(OutsideProcess&& other) noexcept
      : name_(std::move(other.name_)),
        pid_(std::exchange(other.pid_, -1)),
        output_(std::move(other.output_)),
        until_(other.until_) {}
  OutsideProcess& operator=(OutsideProcess&& other) noexcept;
  ~OutsideProcess() { end(); }

  // Readable when it says something, or has ended.
  int fd() const { return output_.get(); }
  int64_t until() const { return until_; }  // monotonic: its patience is over

  // Waits for its end. What it wrote; an error if it fails, says too much or takes too long.
  Result<std::string> finish();

 private:
  OutsideProcess(std::string name, pid_t pid, Fd output, int64_t until)
      : name_(std::move(name)), pid_(pid), output_(std::move(output)), until_(until) {}
  int end();  // its wait status

  std::string name_;
  pid_t pid_;
  Fd output_;
  int64_t until_;
};

// The same in one.
Result<std::string> run_outside(OutsideProgram program, std::string_view input);

}  // namespace ringwall::processes
