// Checks that run side by side: each in a process of its own, which answers by a pipe.
//
// Whatever a check does to signals, system calls or namespaces ends with its process, and one that
// hangs or crashes is a missing answer, not the end of verify.
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::verify {

class Job {
 public:
  // Gets the writing end for answer lines. It may be handed on to the inside.
  using Work = std::function<Status(int answers)>;

  static Result<Job> start(const Work& work);

  Job(Job&& other) noexcept;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  Job& operator=(Job&&) = delete;
  ~Job();  // ends the process

  const std::string& answers() const { return answers_text_; }
  const std::string& trouble() const { return trouble_text_; }

 private:
  friend bool wait_for_all(std::span<Job> jobs, int signals, int64_t deadline);
  Job() = default;
  bool is_done() const { return pid_ < 0; }
  void take_answers();
  void finish();

  pid_t pid_ = -1;
  Fd pidfd_, answers_, trouble_;
  std::string answers_text_, trouble_text_;
};

// Reads until every job has ended, `deadline` (monotonic) has passed, or `signals` has something to
// read. False in the last case. Jobs that are late are ended.
bool wait_for_all(std::span<Job> jobs, int signals, int64_t deadline);

// Ends and reaps every process below this one, which must be a subreaper. At most a second.
void end_all_children();

}  // namespace ringwall::verify
