// A run that verify starts for itself, with Ringwall's own binary and its ordinary command line:
// what is checked is what a person gets.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::verify {

struct OwnRunRequest {
  std::vector<std::string> arguments;  // after `ringwall run --json`
  bool in_words = false;               // without --json; on a terminal, if at one, else by a pipe
  bool at_terminal = false;            // its 0 and 1 are a terminal made for it, 2 is a pipe
  std::string variable;                // NAME=VALUE, added to the environment
  std::vector<std::string> left_open;  // files and folders that Ringwall inherits as 3 and up
  std::function<bool()> before_exec;   // in the new process; false: it ends with status 124
};

// The caller must be a subreaper.
class OwnRun {
 public:
  static Result<OwnRun> start(const OwnRunRequest& request);

  OwnRun(OwnRun&& other) noexcept;
  OwnRun(const OwnRun&) = delete;
  OwnRun& operator=(const OwnRun&) = delete;
  OwnRun& operator=(OwnRun&&) = delete;
  ~OwnRun();  // SIGTERM, then SIGKILL

  pid_t pid() const { return pid_; }

  // Ends of pipes, or the near side of a terminal: they hang up when nobody in the run holds the
  // other end any more.
  int output() const { return output_.get(); }
  int errors() const { return errors_.get(); }

  // Of a run at a terminal: its name, keys for it, those that nobody has read yet, and its end.
  Result<std::string> terminal_path() const;
  Status type(std::string_view keys);
  Result<int> count_unread_keys() const;
  void hang_up() { output_.close(); }

  // Waits until every wall stands and the command was started; gives the run's name.
  Result<std::string> wait_until_started(int64_t deadline);

  // Waits until Ringwall tells of an event of this kind; gives its line of JSON.
  Result<std::string> wait_for_event(std::string_view kind, int64_t deadline);

  // What the command has written up to the end of a line, or up to and with `end`.
  Result<std::string> read_line(int64_t deadline);
  Result<std::string> read_until(std::string_view end, int64_t deadline);
  // What comes before `deadline`.
  std::string read_rest(int64_t deadline);

  // Exit status as a shell would say it; what Ringwall said is then in messages().
  Result<int> wait(int64_t deadline);
  const std::string& messages() const { return messages_; }

  void signal(int number);

 private:
  OwnRun() = default;

  pid_t pid_ = -1;
  Fd output_, errors_;
  std::string output_text_, messages_;
};

inline constexpr int kPreparationFailed = 124;

// Seconds for a step of a run that takes milliseconds. Nothing is promised by it, it ends what
// hangs: on an emulated machine with one processor for all checks a step takes half a minute.
inline constexpr int kPatience = 100;
// Where the run looks at a host's programs for the first time.
inline constexpr int kPatienceForHashes = 180;

// Monotonic time, `seconds` from now.
int64_t seconds_from_now(int seconds);

}  // namespace ringwall::verify
